// The view of the list: the last fetched page with the changes and the unsent operations since then on top.
import type { Statistics, Task } from '#core/contract/index.ts';
import type { TaskChanges } from './changes.ts';
import { isAsleep, parseTime } from '../../../lib/time.ts';
import { compareIn } from './order.ts';
import { endOf, matches, type Filter, type Page } from './page.ts';
import type { Pending } from './pending.ts';

export interface View {
  tasks: readonly Task[];
  /** How many match the filter, shown or not. */
  total: number;
  statistics: Statistics;
  /** When the next shown task's time is up. */
  nextEnd: number;
}

const EMPTY: Statistics = { total: 0, high: 0, normal: 0, low: 0, pinned: 0, snoozed: 0 };
export const EMPTY_VIEW: View = { tasks: [], total: 0, statistics: EMPTY, nextEnd: Infinity };

export function project(
  page: Page,
  { changes, pending: operations }: { changes: TaskChanges; pending: readonly Pending[] },
  filter: Filter,
  now: number,
): View {
  const compare = compareIn(filter.order, filter.snoozed);
  const shown = new Map(page.tasks.map((task) => [task.id, task]));
  const last = page.tasks.at(-1);
  const complete = page.tasks.length >= page.pagination.total || last === undefined;
  const statistics = { ...EMPTY, ...page.statistics };
  let total = page.pagination.total;
  let reordered = false;

  function count(task: Task, by: 1 | -1, asleep = isAsleep(task, now)): void {
    if (asleep) statistics.snoozed += by;
    else {
      statistics.total += by;
      statistics[task.priority] += by;
      if (task.pinned) statistics.pinned += by;
    }
    if (asleep === filter.snoozed && matches(task, filter)) total += by;
  }

  /** Whether it was counted as asleep: one that the page has was, if the page lists the snoozed. */
  const fetched = new Set(page.tasks);
  const sleptIn = (task: Task) => (fetched.has(task) ? page.snoozed === true : isAsleep(task, now));

  function replace(id: string, before: Task | null | undefined, after: Task | null): void {
    if (before !== undefined && before !== null) count(before, -1, sleptIn(before));
    if (after !== null && before !== undefined) count(after, 1);
    if (after === null) {
      shown.delete(id);
      return;
    }
    const current = shown.get(id);
    if (current === undefined && !complete && compare(after, last) > 0) return;
    reordered ||= current === undefined || compare(current, after) !== 0;
    shown.set(id, after);
  }

  /** Whether a task without a row is among the counts, as far as is known: it opens by its link as well. */
  function isCounted(task: Task): boolean {
    const wouldShow = complete && isAsleep(task, now) === filter.snoozed && matches(task, filter);
    return !wouldShow && changes.get(task.id)?.task !== null;
  }

  for (const [id, change] of changes) {
    if (change.at <= page.asOf) continue;
    const current = shown.get(id);
    if (current !== undefined && current.version >= change.version) continue;
    replace(id, current ?? change.before, change.task);
  }
  for (const pending of operations) {
    const current = shown.get(pending.id);
    if (pending.kind === 'restore' || pending.kind === 'create') {
      if (current === undefined && !isCreated(pending, shown)) replace(pending.id, null, pending.task);
    } else if (current !== undefined) {
      replace(pending.id, current, pending.kind === 'acknowledge' ? null : { ...current, ...pending.change });
    } else if (pending.kind === 'acknowledge' && isCounted(pending.task)) {
      count(pending.task, -1);
    }
  }

  let nextEnd = Infinity;
  const tasks: Task[] = [];
  for (const task of shown.values()) {
    const end = endOf(task);
    const asleep = isAsleep(task, now);
    if (asleep) nextEnd = Math.min(nextEnd, parseTime(task.snoozedUntil) ?? Infinity);
    if (end <= now) {
      count(task, -1);
    } else if (!asleep && sleptIn(task)) {
      // It woke since the page was fetched.
      count(task, -1, true);
      count(task, 1, false);
    } else if (asleep === filter.snoozed && matches(task, filter)) {
      nextEnd = Math.min(nextEnd, end);
      tasks.push(task);
    }
  }
  if (reordered) tasks.sort(compare);
  for (const name of ['total', 'high', 'normal', 'low', 'pinned', 'snoozed'] as const)
    statistics[name] = Math.max(0, statistics[name]);
  return { tasks, total: Math.max(tasks.length, total), statistics, nextEnd };
}

/** How far the server's clock may be behind this one. */
const MAX_CLOCK_DIFFERENCE_MS = 5 * 60_000;

// A creation whose answer was lost: the task is in the list already, under an id that is not known here.
function isCreated(pending: Pending, shown: ReadonlyMap<string, Task>): boolean {
  if (pending.kind !== 'create' || !pending.sentBefore) return false;
  const earliest = Date.parse(pending.task.createdAt) - MAX_CLOCK_DIFFERENCE_MS;
  return [...shown.values()].some(
    (task) =>
      task.content === pending.task.content &&
      task.source === pending.task.source &&
      Date.parse(task.createdAt) >= earliest,
  );
}
