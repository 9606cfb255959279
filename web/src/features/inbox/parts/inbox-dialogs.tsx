// The dialog of the inbox that is open, if any.
import type { Task } from '#core/contract/index.ts';
import type { InboxActions } from '../model/commands.ts';
import { DetailsDialog, ItemDialog, ShortcutsDialog, type Dialogs } from '../screen/use-dialogs.ts';
import type { ItemInput } from './item-dialog.tsx';

interface InboxDialogsProps {
  dialogs: Dialogs;
  tasks: readonly Task[];
  actions: InboxActions;
  onSave: (task: Task | null, input: ItemInput) => Promise<void>;
}

export function InboxDialogs({ dialogs, tasks, actions, onSave }: InboxDialogsProps) {
  const { now, close } = dialogs;
  if (now === null) return null;
  if (now.kind === 'keys') return <ShortcutsDialog.Component open onClose={close} />;
  // The task as it is now, or as it last was.
  const current = tasks.find(({ id }) => id === now.task?.id);
  if (now.kind === 'item')
    return (
      <ItemDialog.Component
        open
        task={current ?? now.task}
        onClose={close}
        onSave={(input) => onSave(now.task, input)}
      />
    );
  const task = current ?? now.task;
  return (
    <DetailsDialog.Component
      task={task}
      onClose={close}
      onEdit={() => actions.edit([task])}
      onAcknowledge={() => {
        close();
        actions.acknowledge([task]);
      }}
    />
  );
}
