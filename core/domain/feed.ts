// What a subscriber is told of a queue, one item after another, and the cursors by which it goes on.
import { base62, base62Value } from './ids.ts';
import type { Task } from './task.ts';

const ID_PREFIX = 'task_';
const TIME_CHARACTERS = 8;
const COUNT_CHARACTERS = 5;
const CURSOR = /^([0-9A-Za-z]{22})(?:-([0-9A-Za-z]{8})(-|_[rx])([0-9A-Za-z]{5}))?$/;

/** One item of a feed. `cursor` is unique in the feed of one owner. */
export type FeedItem =
  /** A task came into the queue: made, reported again, restored, or woken. */
  | { kind: 'message'; cursor: string; task: Task }
  /** A task left it: acknowledged, resolved by its sender, snoozed, or expired. `at` in milliseconds. */
  | { kind: 'removed'; cursor: string; taskId: string; at: number };

/** From where on a subscriber is told. */
export type FeedStart =
  /** Only what comes from now on. */
  | { kind: 'now' }
  /** All tasks of the queue first, the oldest first. */
  | { kind: 'all' }
  /** The newest task first. */
  | { kind: 'latest' }
  /** The tasks reported at or after a time first, in milliseconds. */
  | { kind: 'time'; from: number }
  /** What came after this item first. */
  | { kind: 'after'; cursor: string };

/**
 * A place in the order of a feed: by the time of a report, then by id. Of first reports that is the order of
 * their ids.
 */
export interface FeedPlace {
  taskId: string;
  /** In milliseconds; of a first report, the time in its id. */
  at: number;
  /** The number of the report: 1 for the first. */
  count: number;
}

/** The place of the task's last report. */
export function placeOfTask({ id, occurrences, lastOccurredAt }: Task): FeedPlace {
  return { taskId: id, at: occurrences === 1 ? timeOfId(id) : lastOccurredAt, count: occurrences };
}

/** When an id was made, in milliseconds. */
export function timeOfId(taskId: string): number {
  return base62Value(taskId.slice(ID_PREFIX.length, ID_PREFIX.length + TIME_CHARACTERS));
}

/** The cursor of the task's last report: its id without prefix; from the second on, with time and count. */
export function cursorOf(task: Task): string {
  return cursorIn(placeOfTask(task));
}

/** The cursor of the report at a place. */
export function cursorIn({ taskId, at, count }: FeedPlace): string {
  return count === 1 ? taskId.slice(ID_PREFIX.length) : cursorAt(taskId, at, '-', count);
}

/** The cursor of its coming back into the queue: by a change, or by its waking, which changes nothing. */
export function restoredCursor({ id, updatedAt, snoozedUntil, version }: Task): string {
  return cursorAt(id, Math.max(updatedAt, snoozedUntil ?? 0), '_r', version);
}

/** The cursor of its leaving the queue at a time in milliseconds. */
export function removedCursor({ id, version }: Task, at: number): string {
  return cursorAt(id, at, '_x', version);
}

function cursorAt(id: string, at: number, mark: string, count: number): string {
  return `${id.slice(ID_PREFIX.length)}-${base62(at, TIME_CHARACTERS)}${mark}${base62(count, COUNT_CHARACTERS)}`;
}

/** The place of an item; null when the text is no cursor. */
export function placeOf(cursor: string): FeedPlace | null {
  const [, id, time, mark, count] = CURSOR.exec(cursor) ?? [];
  if (id === undefined) return null;
  return {
    taskId: ID_PREFIX + id,
    at: base62Value(time ?? id.slice(0, TIME_CHARACTERS)),
    count: mark === '-' ? base62Value(count ?? '') : 1,
  };
}

/** Orders places. */
export function comparePlaces(a: FeedPlace, b: FeedPlace): number {
  return a.at - b.at || (a.taskId < b.taskId ? -1 : a.taskId > b.taskId ? 1 : 0);
}

/** The range of ids that were made in one millisecond: above the first, below the second. */
export function idsOfTime(at: number): { after: string; before: string } {
  return {
    after: ID_PREFIX + base62(at, TIME_CHARACTERS),
    before: ID_PREFIX + base62(at + 1, TIME_CHARACTERS),
  };
}
