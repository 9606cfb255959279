// What the inbox can do, for the command palette: the same as its keys do, in words.
import { useCommands, type Command } from '../../../lib/commands.ts';
import { batchOf, keepLabel, labelFor, pinLabel } from '../model/batch.ts';
import type { InboxHands } from './use-inbox-shortcuts.ts';

export function useInboxCommands(inbox: InboxHands & { keepLonger: () => void }): void {
  useCommands(() => {
    const { activeTask, selection, filters, targets } = inbox;
    const command = (group: string, label: string, keys: string, run: () => void, words = ''): Command => ({
      id: `inbox-${label}`.replaceAll(/\W+/g, '-').toLowerCase(),
      label,
      group,
      words,
      run,
      ...(keys === '' ? {} : { keys }),
    });
    const here = 'Inbox';
    const selecting = selection.ids.size > 0;
    const these = !selecting ? 'This item' : targets.length === 1 ? 'Selected item' : 'Selected items';
    const batch = batchOf(targets);
    const onTargets =
      targets.length === 0
        ? []
        : [
            command(these, labelFor('Acknowledge', batch), 'e', inbox.acknowledge, 'done remove delete'),
            command(these, pinLabel(batch), 'p', inbox.pin, 'keep'),
            ...(targets.length === 1 ? [command(these, 'Edit', 'Shift E', inbox.edit)] : []),
            command(these, keepLabel(batch), '', inbox.keepLonger, 'extend'),
            ...(selecting ? [command(these, 'Clear selection', 'Esc', selection.clear)] : []),
          ];
    const onTask =
      activeTask === null
        ? []
        : [
            command(
              'This item',
              'Details',
              'Enter',
              () => inbox.details(activeTask),
              'body payload metadata',
            ),
            command('This item', 'Select or deselect', 'x', () => selection.toggle(activeTask.id)),
          ];
    return [
      ...onTargets,
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
