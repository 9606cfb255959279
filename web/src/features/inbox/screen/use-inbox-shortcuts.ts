// The keys of the inbox. What each does is the screen's own; here is only which key it is.
import type { Task } from '#core/contract/index.ts';
import { useShortcuts } from '../../../lib/shortcuts.ts';
import { isFiltered } from '../model/page.ts';
import type { Cursor } from './use-cursor.ts';
import type { Filters } from './use-filters.ts';
import type { Selection } from './use-selection.ts';

/** What keys and palette can do in the inbox. */
export interface InboxHands {
  filters: Filters;
  cursor: Cursor;
  selection: Selection;
  activeTask: Task | null;
  /** What these are about: the selection, else the row that the keyboard is at. */
  targets: readonly Task[];
  acknowledge: () => void;
  undo: () => void;
  pin: () => void;
  edit: () => void;
  details: (task: Task) => void;
  add: () => void;
  refresh: () => void;
  focusSearch: () => void;
  showKeys: () => void;
}

export function useInboxShortcuts(inbox: InboxHands): void {
  const { filters, cursor, selection, activeTask } = inbox;
  const onTask = (act: (task: Task) => void) => () => {
    if (activeTask === null) return false;
    act(activeTask);
    return true;
  };
  useShortcuts({
    j: () => cursor.move(1),
    k: () => cursor.move(-1),
    ArrowDown: (event) => (inList(event) ? cursor.move(1) : false),
    ArrowUp: (event) => (inList(event) ? cursor.move(-1) : false),
    x: onTask((task) => selection.toggle(task.id)),
    e: inbox.acknowledge,
    p: inbox.pin,
    i: onTask(inbox.details),
    c: inbox.add,
    E: inbox.edit,
    Enter: (event) => (inList(event) && activeTask !== null ? inbox.details(activeTask) : false),
    '/': inbox.focusSearch,
    '1': () => filters.setPriority('high'),
    '2': () => filters.setPriority('normal'),
    '3': () => filters.setPriority('low'),
    '0': () => filters.setPriority(null),
    z: inbox.undo,
    '.': inbox.refresh,
    '?': inbox.showKeys,
    Escape: () => {
      if (selection.ids.size > 0) selection.clear();
      else if (isFiltered(filters.filter)) filters.clear();
      else return false;
      return true;
    },
  });
}

// On a row itself, not on a button or link inside it.
function inList(event: KeyboardEvent): boolean {
  return event.target instanceof Element && event.target.matches('article');
}
