// The dialog of the inbox that is open, if any.
import type { Task } from '#core/contract/index.ts';
import { DetailsDialog, ItemDialog, ShortcutsDialog, type Dialogs } from '../screen/use-dialogs.ts';
import type { ItemInput } from './item-dialog.tsx';

interface InboxDialogsProps {
  dialogs: Dialogs;
  /** All in the queue, as they are now. */
  tasks: readonly Task[];
  onEdit: (task: Task) => void;
  onAcknowledge: (task: Task) => void;
  onSave: (task: Task | null, input: ItemInput) => Promise<void>;
}

export function InboxDialogs({ dialogs, tasks, onEdit, onAcknowledge, onSave }: InboxDialogsProps) {
  const { now, close } = dialogs;
  if (now === null) return null;
  if (now.kind === 'keys') return <ShortcutsDialog.Component open onClose={close} />;
  // As it is now, or as it was when it went.
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
      onEdit={() => onEdit(task)}
      onAcknowledge={() => {
        close();
        onAcknowledge(task);
      }}
    />
  );
}
