// The commands of the inbox, by key and in the command palette.
import type { Task } from '#core/contract/index.ts';
import { useCommands, type Command } from '../../../lib/palette-commands.ts';
import { useShortcuts, type Shortcuts } from '../../../lib/shortcuts.ts';
import { batchOf } from '../model/command-labels.ts';
import {
  eventKey,
  INBOX_COMMANDS,
  labelOf,
  type InboxActions,
  type InboxCommand,
} from '../model/commands.ts';
import { isFiltered } from '../model/page.ts';
import type { SavedViews } from '../data/views.ts';
import type { Filters } from './use-filters.ts';
import type { OpenTask } from './use-open-task.ts';
import type { Rows } from './use-rows.ts';

/** The order of the palette. */
const SCOPES: readonly InboxCommand['on'][] = ['targets', 'selection', 'row', 'inbox'];

interface Parts {
  actions: InboxActions;
  rows: Rows;
  filters: Filters;
  openTask: OpenTask;
  views: SavedViews;
}

export function useKeyboard(parts: Parts): void {
  const { actions, rows, filters, openTask, views } = parts;
  const { cursor, selection, active } = rows;
  const isSelecting = selection.ids.size > 0;
  // The open task is what is looked at, whichever row has the focus, and also if it has none.
  const targets = isSelecting || !openTask.isOpen ? rows.targets : (openTask.targets ?? rows.targets);
  const move = (by: 1 | -1) => openTask.follow(cursor.move(by));

  function tasksFor({ on }: InboxCommand): readonly Task[] {
    if (on === 'targets') return targets;
    return on === 'row' && active !== null ? [active] : [];
  }

  const shortcuts: Shortcuts = {
    j: () => move(1),
    k: () => move(-1),
    J: () => actions.extendSelection(1),
    K: () => actions.extendSelection(-1),
    ArrowDown: (event) => walk(event, 1),
    ArrowUp: (event) => walk(event, -1),
  };
  function walk(event: KeyboardEvent, by: 1 | -1): void | false {
    if (!isOnRow(event)) return false;
    if (event.shiftKey) actions.extendSelection(by);
    else move(by);
  }
  for (const command of INBOX_COMMANDS) {
    const press = (event: KeyboardEvent) => {
      if (command.on === 'row' && active === null) return false;
      // Enter on a button or link inside a row is theirs.
      if (event.key === 'Enter' && !isOnRow(event)) return false;
      command.run(actions, tasksFor(command));
      return true;
    };
    for (const key of [command.keys, command.otherKey])
      if (key !== undefined) shortcuts[eventKey(key)] = press;
  }
  for (const view of views.all) if (view.key !== null) shortcuts[view.key] = () => filters.show(view.query);
  shortcuts['Escape'] = () => {
    if (openTask.isOpen) openTask.close();
    else if (isSelecting) selection.clear();
    else if (isFiltered(filters.filter)) filters.clear();
    else return false;
    return true;
  };
  useShortcuts(shortcuts);

  useCommands(() => [
    ...SCOPES.flatMap((scope) => INBOX_COMMANDS.filter((command) => fits(command, scope)).map(entryOf)),
    ...views.all.map(({ id, name, key, query }): Command => ({
      id: `view-${id}`,
      label: name,
      group: 'View',
      words: 'saved filter open',
      run: () => filters.show(query),
      ...(key === null ? {} : { keys: key }),
    })),
  ]);

  function fits({ on, single = false }: InboxCommand, scope: InboxCommand['on']): boolean {
    if (on !== scope) return false;
    if (on === 'targets') return single ? targets.length === 1 : targets.length > 0;
    return on === 'inbox' || (on === 'selection' ? isSelecting : active !== null);
  }

  function entryOf(command: InboxCommand): Command {
    return {
      id: `inbox-${command.id}`,
      label: labelOf(command, batchOf(tasksFor(command))),
      group: groupOf(command),
      words: command.words ?? '',
      run: () => command.run(actions, tasksFor(command)),
      ...(command.keys === undefined ? {} : { keys: command.keys }),
    };
  }

  function groupOf({ on }: InboxCommand): string {
    if (on === 'inbox') return 'Inbox';
    if (on === 'row' || !isSelecting) return 'This item';
    return targets.length === 1 ? 'Selected item' : 'Selected items';
  }
}

function isOnRow({ target }: KeyboardEvent): boolean {
  return target instanceof Element && target.matches('article');
}
