// A fetched page of the queue, and the rules for which tasks belong to it and in which order.
import type { Pagination, Statistics, Task, TaskOrder } from '#core/contract/index.ts';
import { parseTime } from '../../../lib/time.ts';
import type { Search } from './search.ts';

/** Which tasks are listed, and in which order. */
export interface Filter extends Search {
  order: TaskOrder;
  /** The snoozed tasks instead of the others. */
  snoozed: boolean;
}

export interface FetchedPage {
  tasks: readonly Task[];
  pagination: Pagination;
  statistics: Statistics;
}

export interface Page extends FetchedPage {
  /** The page contains all changes up to this mark. */
  asOf: number;
  /** It lists the snoozed tasks. */
  snoozed?: boolean;
}

/** How many tasks are listed at first. */
export const PAGE_SIZE = 50;

export const NO_FILTER: Filter = {
  priority: null,
  text: '',
  tags: [],
  source: null,
  intake: null,
  order: 'newest',
  snoozed: false,
};

/** Whether it leaves anything out. */
export function isFiltered({ priority, text, tags, source, intake, snoozed }: Filter): boolean {
  return snoozed || priority !== null || text !== '' || tags.length > 0 || source !== null || intake !== null;
}

/** The server's own rules, but for sleep, for tasks that it has not been asked about. */
export function matches(task: Task, { priority, text, tags, source, intake }: Filter): boolean {
  if (priority !== null && task.priority !== priority) return false;
  if (source !== null && task.source !== source) return false;
  if (!tags.every((tag) => task.tags.includes(tag))) return false;
  if (intake !== null && !isOf(task, intake.toLowerCase())) return false;
  if (text === '') return true;
  const wanted = text.toLowerCase();
  const { from, body } = task.metadata;
  return [task.content, ...task.tags, task.source, from, body, task.intake?.name].some(
    (part) => typeof part === 'string' && part.toLowerCase().includes(wanted),
  );
}

function isOf({ intake }: Task, wanted: string): boolean {
  return intake !== undefined && [intake.id, intake.name].some((each) => each.toLowerCase() === wanted);
}

/** When the task's time is up; never, for a pinned one. */
export function endOf(task: Task): number {
  return task.pinned ? Infinity : (parseTime(task.expiresAt) ?? Infinity);
}

export function statisticsOf(tasks: readonly Task[]): Statistics {
  const counts = { total: tasks.length, high: 0, normal: 0, low: 0, pinned: 0, snoozed: 0 };
  for (const { priority, pinned } of tasks) {
    counts[priority] += 1;
    if (pinned) counts.pinned += 1;
  }
  return counts;
}
