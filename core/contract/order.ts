// The orders of a list, by which the stores sort tasks and the web app those that arrive. Imports no values,
// so that the web app can use it.
import type { Priority, TaskOrder } from './tasks.ts';

/** What of a task decides its place in a list. */
export interface OrderedTask {
  readonly id: string;
  readonly pinned: boolean;
  readonly priority: Priority;
  /** ISO 8601, or milliseconds; the same for all tasks that are compared. */
  readonly expiresAt: string | number;
  readonly source: string;
  readonly tags: readonly string[];
  readonly intake?: { readonly name: string } | null | undefined;
}

/** What an order compares of a task. Null for one that has nothing to compare: it is last. */
export type OrderKey = string | number | null;

const isHalf = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdfff;
const asIs = (unit: number): number => unit;
/** A to Z as a to z. */
const foldCase = (unit: number): number => (unit >= 65 && unit <= 90 ? unit + 32 : unit);

const PLACES: Record<Priority, number> = { high: 0, normal: 1, low: 2 };

/** What `order` compares of the task, among those that are pinned or among those that are not. */
function orderKeyOf(task: Omit<OrderedTask, 'id'>, order: TaskOrder): OrderKey {
  switch (order) {
    case 'newest':
      return null;
    case 'priority':
      return PLACES[task.priority];
    case 'expiry':
      // A pinned task has no end.
      return task.pinned ? null : task.expiresAt;
    case 'source':
      return task.source || null;
    case 'intake':
      return task.intake?.name || null;
    case 'tag':
      return task.tags[0] ?? null;
  }
}

/**
 * Negative when `a` is before `b`, 0 when they are equal. Numbers ascend. Texts compare by their code points
 * with A to Z as a to z; those that differ in nothing else compare by their code points as they are.
 */
export function compareOrderKeys(a: OrderKey, b: OrderKey): number {
  if (a === b) return 0;
  if (a === null || b === null) return a === null ? 1 : -1;
  if (typeof a === 'number' || typeof b === 'number') return Number(a) - Number(b);
  return compareCodePoints(a, b, foldCase) || compareCodePoints(a, b);
}

/**
 * Sorts tasks as `GET /tasks` does: pinned ones first; then by {@link orderKeyOf}; then the newest, which has
 * the greatest id, first. 0 for the same task alone.
 */
export function compareInOrder(a: OrderedTask, b: OrderedTask, order: TaskOrder): number {
  if (a.pinned !== b.pinned) return a.pinned ? -1 : 1;
  return (
    compareOrderKeys(orderKeyOf(a, order), orderKeyOf(b, order)) || (a.id === b.id ? 0 : a.id < b.id ? 1 : -1)
  );
}

/** By code points, which is the order of UTF-8 and not that of `<`. `unitOf` maps what is compared. */
export function compareCodePoints(a: string, b: string, unitOf = asIs): number {
  const length = Math.min(a.length, b.length);
  for (let index = 0; index < length; index++) {
    const x = unitOf(a.charCodeAt(index));
    const y = unitOf(b.charCodeAt(index));
    if (x === y) continue;
    // Half of a pair stands for a code point above all that are one unit.
    if (isHalf(x) !== isHalf(y)) return isHalf(x) ? 1 : -1;
    return x - y;
  }
  return a.length - b.length;
}
