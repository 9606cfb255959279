// The dialog of the inbox that is open, if any.
import { DetailsDialog, ItemDialog, ShortcutsDialog } from '../screen/use-dialogs.ts';
import type { Inbox } from '../screen/use-inbox.ts';

export function InboxDialogs({ inbox: { dialogs, queue, actions, save } }: { inbox: Inbox }) {
  const { now, close } = dialogs;
  if (now === null) return null;
  if (now.kind === 'keys') return <ShortcutsDialog.Component onClose={close} />;
  // The task as it is now, or as it last was.
  const current = queue.view.tasks.find(({ id }) => id === now.task?.id);
  if (now.kind === 'item')
    return (
      <ItemDialog.Component
        task={current ?? now.task}
        onClose={close}
        onSave={(input) => save(now.task, input)}
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
