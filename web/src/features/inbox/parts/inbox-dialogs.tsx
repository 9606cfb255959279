// The dialog of the inbox that is open, if any.
import type { Task } from '#core/contract/index.ts';
import { ItemDialog, ShortcutsDialog, SnoozeDialog, TagsDialog, ViewsDialog } from '../screen/use-dialogs.ts';
import type { Inbox } from '../screen/use-inbox.ts';

export function InboxDialogs({ inbox }: { inbox: Inbox }) {
  const { dialogs, queue, filters, views, save, setTags, snooze } = inbox;
  const { now, close } = dialogs;
  if (now === null) return null;
  // Others may change it while the dialog is open. One that is gone is shown as it last was.
  const current = (task: Task) =>
    queue.view.tasks.find(({ id }) => id === task.id) ?? queue.newest(task) ?? task;
  switch (now.kind) {
    case 'keys':
      return <ShortcutsDialog.Component onClose={close} />;
    case 'tags':
      return <TagsDialog.Component tasks={now.tasks.map(current)} onClose={close} onSave={setTags} />;
    case 'snooze':
      return <SnoozeDialog.Component tasks={now.tasks.map(current)} onClose={close} onSnooze={snooze} />;
    case 'views':
      return <ViewsDialog.Component views={views} query={filters.query} onClose={close} />;
    case 'item': {
      const task = now.task === null ? null : current(now.task);
      return <ItemDialog.Component task={task} onClose={close} onSave={(input) => save(task, input)} />;
    }
  }
}
