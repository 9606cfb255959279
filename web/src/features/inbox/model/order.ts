// The orders of the list, which are the server's.
import type { Task, TaskOrder } from '#core/contract/index.ts';
import { compareInOrder } from '#core/contract/order.ts';

export const ORDERS: readonly TaskOrder[] = ['newest', 'source', 'intake', 'tag', 'priority', 'expiry'];

/** Each as a command. */
export const ORDER_LABEL: Record<TaskOrder, string> = {
  newest: 'Group by stage',
  source: 'Group by source',
  intake: 'Group by intake',
  tag: 'Group by tag',
  priority: 'Sort by priority',
  expiry: 'Sort by time left',
};

/** Pinned first, then by the order, then newest first. Of snoozed tasks the first to wake is first. */
export function compareIn(order: TaskOrder, snoozed = false): (a: Task, b: Task) => number {
  if (snoozed && order === 'newest') return compareWaking;
  return order === 'newest' ? compareNewest : (a, b) => compareInOrder(a, b, order);
}

/** The text that a list in this order is grouped by; null for none. */
export function keyIn(order: TaskOrder, task: Task): string | null {
  if (order === 'source') return task.source;
  if (order === 'intake') return task.intake?.name ?? null;
  return order === 'tag' ? (task.tags[0] ?? null) : null;
}

function compareWaking(a: Task, b: Task): number {
  if (a.snoozedUntil !== b.snoozedUntil) return (a.snoozedUntil ?? '') < (b.snoozedUntil ?? '') ? -1 : 1;
  return compareInOrder({ ...a, pinned: false }, { ...b, pinned: false }, 'newest');
}

// Also of tasks whose ids do not tell when they were made: the demo's, and those that are not created yet.
function compareNewest(a: Task, b: Task): number {
  if (a.pinned === b.pinned && a.createdAt !== b.createdAt) return a.createdAt < b.createdAt ? 1 : -1;
  return compareInOrder(a, b, 'newest');
}
