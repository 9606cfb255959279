// The dialog of the inbox that is open, if any.
import { ItemDialog, ShortcutsDialog, SnoozeDialog, TagsDialog, ViewsDialog } from '../screen/use-dialogs.ts';
import type { Inbox } from '../screen/use-inbox.ts';

export function InboxDialogs({ inbox }: { inbox: Inbox }) {
  const { dialogs, queue, filters, views, save, setTags, snooze } = inbox;
  const { now, close } = dialogs;
  if (now === null) return null;
  switch (now.kind) {
    case 'keys':
      return <ShortcutsDialog.Component onClose={close} />;
    case 'tags':
      return <TagsDialog.Component tasks={now.tasks} onClose={close} onSave={setTags} />;
    case 'snooze':
      return <SnoozeDialog.Component tasks={now.tasks} onClose={close} onSnooze={snooze} />;
    case 'views':
      return <ViewsDialog.Component views={views} query={filters.query} onClose={close} />;
    case 'item': {
      // The task as it is now, or as it last was.
      const current = queue.view.tasks.find(({ id }) => id === now.task?.id);
      return (
        <ItemDialog.Component
          task={current ?? now.task}
          onClose={close}
          onSave={(input) => save(now.task, input)}
        />
      );
    }
  }
}
