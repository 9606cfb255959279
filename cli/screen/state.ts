// What the inbox in the terminal shows: the tasks that are there, the row that is active, what is
// selected, and what else is open. Plain data; what changes it stands here as well, but for calls to the
// server.
import { compareInOrder } from '#core/contract/order.ts';
import type { LiveMessage, Priority, Task } from '#core/contract/index.ts';
import type { Editor } from './editor.ts';

export interface Prompt {
  kind: 'add' | 'search' | 'snooze' | 'tags';
  label: string;
  /** Lines above it that say what may be typed. */
  hints: readonly string[];
  editor: Editor;
}

export interface ScreenState {
  url: string;
  tasks: Map<string, Task>;
  /** How many the server has, which may be more than are here. */
  total: number;
  search: string;
  priority: Priority | null;
  cursor: string | null;
  selected: Set<string>;
  view: 'list' | 'task' | 'keys';
  /** The first line that is seen, of the list or of what is open. */
  top: number;
  prompt: Prompt | null;
  notice: string | null;
  connection: 'connecting' | 'live' | { againAt: number };
}

export function createState(url: string): ScreenState {
  return {
    url,
    tasks: new Map(),
    total: 0,
    search: '',
    priority: null,
    cursor: null,
    selected: new Set(),
    view: 'list',
    top: 0,
    prompt: null,
    notice: null,
    connection: 'connecting',
  };
}

/** The rows, in their order. */
export function rowsOf({ tasks, priority }: ScreenState): Task[] {
  const shown = [...tasks.values()].filter((task) => priority === null || task.priority === priority);
  return shown.toSorted((a, b) => compareInOrder(a, b, 'newest'));
}

export function activeTask(state: ScreenState): Task | null {
  return (state.cursor === null ? undefined : state.tasks.get(state.cursor)) ?? null;
}

/** What a command is about: the selection, or else the active row. */
export function targetsOf(state: ScreenState): Task[] {
  const chosen = rowsOf(state).filter(({ id }) => state.selected.has(id));
  const active = activeTask(state);
  if (chosen.length > 0) return chosen;
  return active === null ? [] : [active];
}

/** Carries a change of the rows out, and leaves the cursor where its row was. */
export function changeRows(state: ScreenState, change: () => void): void {
  const before = rowsOf(state);
  const index = before.findIndex(({ id }) => id === state.cursor);
  change();
  const rows = rowsOf(state);
  const ids = new Set(rows.map(({ id }) => id));
  for (const id of state.selected) if (!ids.has(id)) state.selected.delete(id);
  if (state.cursor !== null && ids.has(state.cursor)) return;
  // The next one that is still there, which has moved up.
  const after = index === -1 ? rows : before.slice(index);
  const next = after.find(({ id }) => ids.has(id)) ?? rows.at(-1);
  state.cursor = next?.id ?? null;
  if (state.cursor === null && state.view === 'task') state.view = 'list';
}

export function moveTo(state: ScreenState, index: number): void {
  const rows = rowsOf(state);
  const row = rows[Math.max(0, Math.min(index, rows.length - 1))];
  if (row === undefined || row.id === state.cursor) return;
  state.cursor = row.id;
  if (state.view === 'task') state.top = 0;
}

export function move(state: ScreenState, by: number): void {
  moveTo(state, rowsOf(state).findIndex(({ id }) => id === state.cursor) + by);
}

/**
 * Selects the active row and the one that the cursor goes to; where that is selected, lets go of this
 * one.
 */
export function extendSelection(state: ScreenState, by: 1 | -1): void {
  const from = state.cursor;
  move(state, by);
  if (from === null || state.cursor === null) return;
  if (from !== state.cursor && state.selected.has(from) && state.selected.has(state.cursor))
    state.selected.delete(from);
  else state.selected.add(from).add(state.cursor);
}

export function toggleSelection(state: ScreenState, ids: readonly string[]): void {
  for (const id of ids) if (!state.selected.delete(id)) state.selected.add(id);
}

/** Whether the list has tasks of this kind: those that sleep are in no list. */
function isListed({ snoozedUntil }: Task, now: number): boolean {
  return snoozedUntil === null || Date.parse(snoozedUntil) <= now;
}

/** Takes in what is news of one task. An older version than the one that is there says nothing new. */
export function putTask(state: ScreenState, task: Task, now: number): void {
  if (isNewer(state, task)) return;
  if (!isListed(task, now)) return removeTask(state, task.id);
  if (!state.tasks.has(task.id)) state.total++;
  state.tasks.set(task.id, task);
}

export function removeTask(state: ScreenState, id: string): void {
  if (state.tasks.delete(id)) state.total--;
}

function isNewer(state: ScreenState, { id, version }: Task): boolean {
  return (state.tasks.get(id)?.version ?? 0) > version;
}

/** Takes in a message of the live socket. */
export function applyMessage(
  state: ScreenState,
  message: Extract<LiveMessage, { task: Task }>,
  now: number,
): void {
  changeRows(state, () => {
    if (message.type !== 'task.acknowledged' && message.type !== 'task.expired')
      putTask(state, message.task, now);
    else if (!isNewer(state, message.task)) removeTask(state, message.task.id);
  });
}
