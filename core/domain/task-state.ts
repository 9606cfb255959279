// What every store derives from a task for its indexes. Stores persist the numbers.
import type { Priority } from '../contract/index.ts';
import { isSnoozed } from './snooze.ts';
import type { Task } from './task.ts';

/** Out of the queue: acknowledged, or expired and swept. */
export const GONE = 0;
export const LIVE = 1;
/** Live and pinned. */
export const PINNED = 2;

/** By the number of each in `PRIORITY_RANK`. */
export const PRIORITIES: readonly Priority[] = ['low', 'normal', 'high'];

/** The state of a task that is not swept. */
export function stateOf(task: Task): number {
  if (task.acknowledgedAt !== null) return GONE;
  return task.pinned ? PINNED : LIVE;
}

/**
 * The state of a stored task after a rule made `after` of `before`, and whether it returns to the queue. A
 * swept task stays swept unless it got time or a pin. A task that returns has its dedupe key only if no other
 * live task has taken it meanwhile.
 */
export function stateAfter(state: number, before: Task, after: Task): { state: number; returns: boolean } {
  const isSwept = state === GONE && before.acknowledgedAt === null;
  const staysSwept = isSwept && !after.pinned && after.expiresAt === before.expiresAt;
  const next = staysSwept ? GONE : stateOf(after);
  return { state: next, returns: state === GONE && next !== GONE };
}

/**
 * When a stored task wakes, or null when it does not sleep, or its waking was told. `wakeAt`: what this was
 * before a rule made `after`; null for a new task. A waking that no sweep has told of yet is not lost by a
 * change.
 */
export function wakeAtAfter(state: number, after: Task, wakeAt: number | null): number | null {
  if (state === GONE) return null;
  if (isSnoozed(after, after.updatedAt)) return after.snoozedUntil;
  return after.snoozedUntil === wakeAt ? wakeAt : null;
}
