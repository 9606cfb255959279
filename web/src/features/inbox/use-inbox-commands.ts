// What the inbox can do, for the command palette: the same as its keys do, in words.
import type { Task } from '#core/contract/index.ts';
import { useCommands, type Command } from '../../lib/commands.ts';
import type { InboxHands } from './use-inbox-shortcuts.ts';

export function useInboxCommands(inbox: InboxHands & { keepLonger: (task: Task) => void }): void {
  useCommands(() => {
    const { activeTask, selection, filters } = inbox;
    const many = selection.ids.size;
    const command = (group: string, label: string, keys: string, run: () => void, words = ''): Command => ({
      id: `inbox-${label}`.replaceAll(/\W+/g, '-').toLowerCase(),
      label,
      group,
      words,
      run,
      ...(keys === '' ? {} : { keys }),
    });
    const here = 'Inbox';
    const onTask =
      activeTask === null
        ? []
        : [
            ...(many > 0
              ? []
              : [command('This item', 'Acknowledge', 'e', inbox.acknowledge, 'done remove delete')]),
            command(
              'This item',
              activeTask.pinned ? 'Unpin' : 'Pin',
              'p',
              () => inbox.pin(activeTask),
              'keep',
            ),
            command('This item', 'Edit', 'Shift E', () => inbox.edit(activeTask)),
            command(
              'This item',
              'Details',
              'Enter',
              () => inbox.details(activeTask),
              'body payload metadata',
            ),
            command('This item', 'Keep 24 h more', '', () => inbox.keepLonger(activeTask), 'extend'),
            command('This item', 'Select or deselect', 'x', () => selection.toggle(activeTask.id)),
          ];
    return [
      ...(many > 0
        ? [command('Selected items', `Acknowledge ${many} selected`, 'e', inbox.acknowledge)]
        : []),
      ...(many > 0 ? [command('Selected items', 'Clear selection', 'Esc', selection.clear)] : []),
      ...onTask,
      command(here, 'Add Item', 'c', inbox.add, 'new create task'),
      command(here, 'Search', '/', inbox.focusSearch, 'find'),
      command(here, 'Undo', 'z', inbox.undo, 'restore'),
      command(here, 'Refresh', '.', inbox.refresh, 'reload'),
      command(here, 'High priority only', '1', () => filters.setPriority('high'), 'filter'),
      command(here, 'Normal priority only', '2', () => filters.setPriority('normal'), 'filter'),
      command(here, 'Low priority only', '3', () => filters.setPriority('low'), 'filter'),
      command(here, 'All priorities', '0', () => filters.setPriority(null), 'filter'),
      command(here, 'Keyboard shortcuts', '?', inbox.showKeys, 'help'),
    ];
  });
}
