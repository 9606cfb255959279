// Every command of the inbox, once: for keys, rows, menus, the palette and the list of shortcuts.
import {
  AlarmClock,
  Check,
  ClockPlus,
  PanelRight,
  Pencil,
  Pin,
  PinOff,
  SquareCheck,
  Tags,
  type LucideIcon,
} from 'lucide-react';
import type { Priority, Task, TaskOrder } from '#core/contract/index.ts';
import { PRIORITIES, PRIORITY_LABEL } from '../../../lib/labels.ts';
import { ORDER_LABEL, ORDERS } from './order.ts';
import { labelFor, type Batch } from './command-labels.ts';

/** What the screen can do. */
export interface InboxActions {
  acknowledge: (tasks: readonly Task[]) => void;
  pin: (tasks: readonly Task[]) => void;
  keepLonger: (tasks: readonly Task[]) => void;
  snooze: (tasks: readonly Task[]) => void;
  edit: (tasks: readonly Task[]) => void;
  open: (tasks: readonly Task[]) => void;
  setPriority: (tasks: readonly Task[], priority: Priority) => void;
  editTags: (tasks: readonly Task[]) => void;
  toggle: (tasks: readonly Task[]) => void;
  clearSelection: () => void;
  selectAll: () => void;
  invertSelection: () => void;
  /** Goes to the next or the former row, and selects on the way. */
  extendSelection: (by: 1 | -1) => void;
  add: () => void;
  search: () => void;
  undo: () => void;
  refresh: () => void;
  filter: (priority: Priority | null) => void;
  setOrder: (order: TaskOrder) => void;
  showViews: () => void;
  showShortcuts: () => void;
}

export interface InboxCommand {
  id: string;
  /** What it is about: the selection, or else the active row; only a selection; the active row; nothing. */
  on: 'targets' | 'selection' | 'row' | 'inbox';
  /** In a row, and in the palette, it is about one task only. */
  single?: boolean;
  /** As printed: "e", "Shift E". */
  keys?: string;
  /** A second key that no list shows. */
  otherKey?: string;
  label: string | ((batch: Batch) => string);
  /** Other words by which the palette finds it. */
  words?: string;
  /** Where the list of shortcuts has it, with a text and keys of its own if they differ. */
  help?: { group: 'Move' | 'Select' | 'Act'; text?: string; keys?: string };
  /** Its dialog takes the place of a sheet that covers the list. */
  opensDialog?: boolean;
  run: (actions: InboxActions, tasks: readonly Task[]) => void;
}

/** A command that rows offer. */
export interface TaskCommand extends InboxCommand {
  icon: (batch: Batch) => LucideIcon;
  /** In a row's menu, where that differs. */
  rowLabel?: (isSelected: boolean) => string;
}

export function labelOf({ label }: InboxCommand, batch: Batch): string {
  return typeof label === 'string' ? label : label(batch);
}

/** The printed keys as `KeyboardEvent.key` names them: "Shift E" is "E". */
export function eventKey(keys: string): string {
  return keys === 'Esc' ? 'Escape' : keys.replace('Shift ', '');
}

export const ACKNOWLEDGE: TaskCommand = {
  id: 'acknowledge',
  on: 'targets',
  keys: 'e',
  label: (batch) => labelFor('Acknowledge', batch),
  icon: () => Check,
  words: 'done remove delete',
  help: { group: 'Act', text: 'Acknowledge' },
  run: ({ acknowledge }, tasks) => acknowledge(tasks),
};

export const PIN: TaskCommand = {
  id: 'pin',
  on: 'targets',
  keys: 'p',
  label: (batch) => labelFor(batch.pinned ? 'Unpin' : 'Pin', batch),
  icon: ({ pinned }) => (pinned ? PinOff : Pin),
  words: 'keep',
  help: { group: 'Act', text: 'Pin or unpin' },
  run: ({ pin }, tasks) => pin(tasks),
};

export const EDIT: TaskCommand = {
  id: 'edit',
  on: 'targets',
  single: true,
  keys: 'Shift E',
  label: 'Edit',
  icon: () => Pencil,
  help: { group: 'Act' },
  opensDialog: true,
  run: ({ edit }, tasks) => edit(tasks),
};

const OPEN: TaskCommand = {
  id: 'open',
  on: 'row',
  keys: 'Enter',
  otherKey: 'i',
  label: 'Open',
  icon: () => PanelRight,
  words: 'details body payload metadata',
  help: { group: 'Act' },
  run: ({ open }, tasks) => open(tasks),
};

export const TAGS: TaskCommand = {
  id: 'tags',
  on: 'targets',
  keys: 't',
  label: (batch) => (batch.count === 1 ? 'Tags' : `Tags of ${batch.count} items`),
  icon: () => Tags,
  words: 'label add remove',
  help: { group: 'Act', text: 'Tags' },
  opensDialog: true,
  run: ({ editTags }, tasks) => editTags(tasks),
};

export const SNOOZE: TaskCommand = {
  id: 'snooze',
  on: 'targets',
  keys: 'h',
  label: (batch) => labelFor('Snooze', batch),
  icon: () => AlarmClock,
  words: 'later hide wake remind tomorrow',
  help: { group: 'Act', text: 'Snooze, or wake' },
  opensDialog: true,
  run: ({ snooze }, tasks) => snooze(tasks),
};

export const KEEP_LONGER: TaskCommand = {
  id: 'keep-longer',
  on: 'targets',
  label: (batch) => `${labelFor('Keep', batch)} 24 h more`,
  icon: () => ClockPlus,
  words: 'extend',
  run: ({ keepLonger }, tasks) => keepLonger(tasks),
};

const SELECT: TaskCommand = {
  id: 'select',
  on: 'row',
  keys: 'x',
  label: 'Select or deselect',
  rowLabel: (isSelected) => (isSelected ? 'Deselect' : 'Select'),
  icon: () => SquareCheck,
  help: { group: 'Select' },
  run: ({ toggle }, tasks) => toggle(tasks),
};

/** In the order of a row's menu. */
export const TASK_COMMANDS: readonly TaskCommand[] = [
  ACKNOWLEDGE,
  PIN,
  EDIT,
  OPEN,
  SNOOZE,
  KEEP_LONGER,
  TAGS,
  SELECT,
];

const CLEAR: InboxCommand = {
  id: 'clear-selection',
  on: 'selection',
  keys: 'Esc',
  label: 'Clear selection',
  help: { group: 'Select', text: 'Clear selection, filters' },
  run: ({ clearSelection }) => clearSelection(),
};

type Rest = Pick<InboxCommand, 'help' | 'words'>;

function inboxCommand(keys: string, label: string, run: InboxCommand['run'], rest: Rest): InboxCommand {
  return { id: label.replaceAll(' ', '-').toLowerCase(), on: 'inbox', keys, label, run, ...rest };
}

const filterCommand = (keys: string, label: string, priority: Priority | null, help: Rest = {}) =>
  inboxCommand(keys, label, ({ filter }) => filter(priority), { words: 'filter', ...help });

/** The priorities that a task can be given. */
export const PRIORITY_COMMANDS: readonly InboxCommand[] = PRIORITIES.map((priority) => ({
  id: `priority-${priority}`,
  on: 'targets',
  label: (batch) =>
    `${PRIORITY_LABEL[priority]} priority${batch.count === 1 ? '' : ` for ${batch.count} items`}`,
  words: 'set change',
  run: ({ setPriority }, tasks) => setPriority(tasks, priority),
}));

export const SELECT_ALL = inboxCommand('a', 'Select all', ({ selectAll }) => selectAll(), {
  help: { group: 'Select' },
});

export const INVERT = inboxCommand(
  'Shift I',
  'Invert selection',
  ({ invertSelection }) => invertSelection(),
  {
    help: { group: 'Select' },
  },
);

const VIEWS = inboxCommand('v', 'Save or change views', ({ showViews }) => showViews(), {
  words: 'filter saved',
  help: { group: 'Move', text: 'Saved views' },
});

const ORDER_COMMANDS: readonly InboxCommand[] = ORDERS.map((order) => ({
  id: `order-${order}`,
  on: 'inbox',
  label: ORDER_LABEL[order],
  words: 'sort order group',
  run: ({ setOrder }) => setOrder(order),
}));

export const INBOX_COMMANDS: readonly InboxCommand[] = [
  ...TASK_COMMANDS,
  ...PRIORITY_COMMANDS,
  CLEAR,
  SELECT_ALL,
  INVERT,
  inboxCommand('c', 'Add Item', ({ add }) => add(), {
    words: 'new create task',
    help: { group: 'Act', text: 'Add an item' },
  }),
  inboxCommand('/', 'Search', ({ search }) => search(), { words: 'find', help: { group: 'Move' } }),
  inboxCommand('z', 'Undo', ({ undo }) => undo(), { words: 'restore', help: { group: 'Act' } }),
  inboxCommand('.', 'Refresh', ({ refresh }) => refresh(), { words: 'reload', help: { group: 'Act' } }),
  filterCommand('1', 'High priority only', 'high', {
    help: { group: 'Move', text: 'High, normal, low', keys: '1 2 3' },
  }),
  filterCommand('2', 'Normal priority only', 'normal'),
  filterCommand('3', 'Low priority only', 'low'),
  filterCommand('0', 'All priorities', null, { help: { group: 'Move' } }),
  ...ORDER_COMMANDS,
  VIEWS,
  inboxCommand('?', 'Keyboard shortcuts', ({ showShortcuts }) => showShortcuts(), { words: 'help' }),
];
