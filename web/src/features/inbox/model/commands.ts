// Every command of the inbox, once. The keys, the rows and their menus, the command palette and the list of shortcuts
// are all made of this table.
import {
  Check,
  ClockPlus,
  Pencil,
  Pin,
  PinOff,
  SquareCheck,
  TextAlignStart,
  type LucideIcon,
} from 'lucide-react';
import type { Priority, Task } from '#core/contract/index.ts';
import { keepLabel, labelFor, pinLabel, type Batch } from './batch.ts';

/** What the screen can do. Each gets the tasks that the command is about; none for a command of the whole inbox. */
export type InboxActions = Record<
  | 'acknowledge'
  | 'pin'
  | 'edit'
  | 'showDetails'
  | 'keepLonger'
  | 'toggle'
  | 'clearSelection'
  | 'add'
  | 'search'
  | 'undo'
  | 'refresh'
  | 'showShortcuts',
  (tasks: readonly Task[]) => void
> & { filter: (priority: Priority | null) => void };

export interface InboxCommand {
  id: string;
  /**
   * What it is about: the selection, or the active row while nothing is selected; only a selection; the active row;
   * nothing.
   */
  on: 'targets' | 'selection' | 'row' | 'inbox';
  /** In a row, and in the palette, it is about one task only. */
  single?: boolean;
  /** As printed: "e", "Shift E". */
  keys?: string;
  /** A second key that no list shows. */
  otherKey?: string;
  label: (batch: Batch) => string;
  /** In the menu of a row, where that says something else. */
  rowLabel?: (isSelected: boolean) => string;
  /** Other words by which the palette finds it. */
  words?: string;
  /** Its line in the list of shortcuts. */
  help?: { group: HelpGroup; text: string; keys?: string };
  run: (actions: InboxActions, tasks: readonly Task[]) => void;
}

export type HelpGroup = 'Move' | 'Select' | 'Act';

/** A command that rows offer. */
export interface TaskCommand extends InboxCommand {
  icon: (batch: Batch) => LucideIcon;
}

export const ACKNOWLEDGE: TaskCommand = {
  id: 'acknowledge',
  on: 'targets',
  keys: 'e',
  label: (batch) => labelFor('Acknowledge', batch),
  icon: () => Check,
  words: 'done remove delete',
  help: { group: 'Act', text: 'Acknowledge' },
  run: (actions, tasks) => actions.acknowledge(tasks),
};

export const PIN: TaskCommand = {
  id: 'pin',
  on: 'targets',
  keys: 'p',
  label: pinLabel,
  icon: ({ pinned }) => (pinned ? PinOff : Pin),
  words: 'keep',
  help: { group: 'Act', text: 'Pin or unpin' },
  run: (actions, tasks) => actions.pin(tasks),
};

export const EDIT: TaskCommand = {
  id: 'edit',
  on: 'targets',
  single: true,
  keys: 'Shift E',
  label: () => 'Edit',
  icon: () => Pencil,
  help: { group: 'Act', text: 'Edit' },
  run: (actions, tasks) => actions.edit(tasks),
};

export const DETAILS: TaskCommand = {
  id: 'details',
  on: 'row',
  keys: 'Enter',
  otherKey: 'i',
  label: () => 'Details',
  icon: () => TextAlignStart,
  words: 'body payload metadata',
  help: { group: 'Act', text: 'Details' },
  run: (actions, tasks) => actions.showDetails(tasks),
};

export const KEEP_LONGER: TaskCommand = {
  id: 'keep-longer',
  on: 'targets',
  label: keepLabel,
  icon: () => ClockPlus,
  words: 'extend',
  run: (actions, tasks) => actions.keepLonger(tasks),
};

const SELECT: TaskCommand = {
  id: 'select',
  on: 'row',
  keys: 'x',
  label: () => 'Select or deselect',
  rowLabel: (isSelected) => (isSelected ? 'Deselect' : 'Select'),
  icon: () => SquareCheck,
  help: { group: 'Select', text: 'Select or deselect' },
  run: (actions, tasks) => actions.toggle(tasks),
};

/** In the order of a row's menu. */
export const TASK_COMMANDS: readonly TaskCommand[] = [ACKNOWLEDGE, PIN, EDIT, DETAILS, KEEP_LONGER, SELECT];

export const INBOX_COMMANDS: readonly InboxCommand[] = [
  ...TASK_COMMANDS,
  {
    id: 'clear-selection',
    on: 'selection',
    keys: 'Esc',
    label: () => 'Clear selection',
    help: { group: 'Select', text: 'Clear selection, filters' },
    run: (actions) => actions.clearSelection([]),
  },
  {
    id: 'add',
    on: 'inbox',
    keys: 'c',
    label: () => 'Add Item',
    words: 'new create task',
    help: { group: 'Act', text: 'Add an item' },
    run: (actions) => actions.add([]),
  },
  {
    id: 'search',
    on: 'inbox',
    keys: '/',
    label: () => 'Search',
    words: 'find',
    help: { group: 'Move', text: 'Search' },
    run: (actions) => actions.search([]),
  },
  {
    id: 'undo',
    on: 'inbox',
    keys: 'z',
    label: () => 'Undo',
    words: 'restore',
    help: { group: 'Act', text: 'Undo' },
    run: (actions) => actions.undo([]),
  },
  {
    id: 'refresh',
    on: 'inbox',
    keys: '.',
    label: () => 'Refresh',
    words: 'reload',
    help: { group: 'Act', text: 'Refresh' },
    run: (actions) => actions.refresh([]),
  },
  {
    ...filterCommand('1', 'High priority only', 'high'),
    help: { group: 'Move', text: 'High, normal, low', keys: '1 2 3' },
  },
  filterCommand('2', 'Normal priority only', 'normal'),
  filterCommand('3', 'Low priority only', 'low'),
  { ...filterCommand('0', 'All priorities', null), help: { group: 'Move', text: 'All priorities' } },
  {
    id: 'shortcuts',
    on: 'inbox',
    keys: '?',
    label: () => 'Keyboard shortcuts',
    words: 'help',
    run: (actions) => actions.showShortcuts([]),
  },
];

function filterCommand(keys: string, label: string, priority: Priority | null): InboxCommand {
  return {
    id: `filter-${priority ?? 'all'}`,
    on: 'inbox',
    keys,
    label: () => label,
    words: 'filter',
    run: (actions) => actions.filter(priority),
  };
}
