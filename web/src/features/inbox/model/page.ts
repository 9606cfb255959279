// A fetched page of the queue, and the rules for which tasks belong to it and in which order.
import type { Pagination, Priority, Statistics, Task } from '#core/contract/index.ts';
import { parseTime } from '../../../lib/time.ts';

export interface Filter {
  priority: Priority | null;
  /** Text that content or tags contain; '' for all. */
  q: string;
}

export interface FetchedPage {
  tasks: readonly Task[];
  pagination: Pagination;
  statistics: Statistics;
}

export interface Page extends FetchedPage {
  /** The page contains all changes up to this mark. */
  asOf: number;
}

export const NO_FILTER: Filter = { priority: null, q: '' };

export function isFiltered(filter: Filter): boolean {
  return filter.priority !== null || filter.q !== '';
}

/** The server's own rules, for tasks that it has not been asked about. */
export function matches(task: Task, filter: Filter): boolean {
  if (filter.priority !== null && task.priority !== filter.priority) return false;
  if (filter.q === '') return true;
  const q = filter.q.toLowerCase();
  return task.content.toLowerCase().includes(q) || task.tags.some((tag) => tag.toLowerCase().includes(q));
}

/** Pinned first, then newest first. */
export function inOrder(a: Task, b: Task): number {
  if (a.pinned !== b.pinned) return a.pinned ? -1 : 1;
  if (a.createdAt !== b.createdAt) return a.createdAt < b.createdAt ? 1 : -1;
  return a.id < b.id ? 1 : a.id > b.id ? -1 : 0;
}

/** When the task's time is up; never, for a pinned one. */
export function endOf(task: Task): number {
  return task.pinned ? Infinity : (parseTime(task.expiresAt) ?? Infinity);
}

export function statisticsOf(tasks: readonly Task[]): Statistics {
  const counts = { total: tasks.length, high: 0, normal: 0, low: 0, pinned: 0 };
  for (const { priority, pinned } of tasks) {
    counts[priority] += 1;
    if (pinned) counts.pinned += 1;
  }
  return counts;
}
