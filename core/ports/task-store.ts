// Stores tasks. A driver stores and finds; the pure functions of core/domain/task.ts decide what a change
// does, and the driver applies them atomically. Every method throws QinboxError SERVICE_UNAVAILABLE, having
// changed nothing, when storage does not answer or cannot be written.
import type { Statistics } from '../contract/index.ts';
import type { Submission } from '../domain/submission.ts';
import type { SubmissionOutcome } from '../domain/submission-outcome.ts';
import type { Task } from '../domain/task.ts';
import type { Priority } from '../contract/index.ts';

/** The most that one owner may store. */
export interface Quota {
  /** Live tasks. */
  tasks: number;
  /**
   * Stored bytes of content, tags and metadata of all tasks, so that the disk has a bound: also of
   * acknowledged ones while they can be restored or suppress repeats, and of expired ones until they are
   * removed.
   */
  bytes: number;
}

/** No quota. */
export const NO_QUOTA: Quota = { tasks: Infinity, bytes: Infinity };

/** Which live tasks to list. */
export interface TaskFilter {
  priority?: Priority;
  source?: string;
  tag?: string;
  /** Text that content or a tag contains, ignoring case (ASCII letters at least). */
  text?: string;
  /** Only pinned, or only unpinned tasks. */
  pinned?: boolean;
}

/**
 * Whether a driver must look at each live task of the owner to answer this filter: a search, which is bounded
 * and can be ended.
 */
export function isSearch({ source, tag, text }: TaskFilter): boolean {
  return source !== undefined || tag !== undefined || text !== undefined;
}

/** Which page of an owner's live tasks to list. */
export interface TaskQuery {
  ownerId: string;
  filter: TaskFilter;
  /** 1..1000. */
  limit: number;
  /** From 0. */
  offset: number;
  /** In milliseconds. */
  now: number;
  /** Ends a search. */
  signal?: AbortSignal | undefined;
}

export interface TaskPage {
  /** Pinned first, then newest (greatest id) first. */
  tasks: Task[];
  /** How many tasks match the filter. */
  total: number;
  /** Counts over the owner's whole live queue. */
  statistics: Statistics;
}

/** One task before and after a change; the two are the same object when nothing had to change. */
export interface TaskChange {
  before: Task;
  after: Task;
}

/** A pure rule of the domain, applied atomically to the stored task. May run more than once. Null refuses. */
export type TaskRule = (task: Task) => Task | null;

export interface TaskStore {
  /**
   * Applies the resolved keys (`resolveTask`), then the inserts: each makes a task, or repeats the live one
   * with the same dedupe key (`repeatTask`) or the one that suppresses repeats (`suppressRepeat`). An insert
   * whose id was applied before is not applied again: it answers what it made. Durable when it resolves.
   *
   * Rejects with QUOTA_EXCEEDED, having changed nothing, when it would make tasks and the owner would have
   * more than the quota and more than before. What makes none always passes. A store without transactions may
   * exceed the quota by what comes in within one round trip (see the driver).
   */
  create(submission: Submission): Promise<SubmissionOutcome>;

  /**
   * Rejects with QUOTA_EXCEEDED when `create` would, as far as is known without writing: for an answer to the
   * sender before the submission is queued. `create` decides.
   */
  checkQuota(submission: Submission): Promise<void>;

  /**
   * Applies a rule to each of the owner's tasks named, acknowledged and expired ones included (the rule
   * decides); those that do not exist, belong to another, or that the rule refuses are left out of the
   * answer. Durable when it resolves. A task that becomes live again while another live one has taken its
   * dedupe key comes back without the key. Rejects with QUOTA_EXCEEDED when tasks grow and the owner would
   * have more bytes than the quota; then none that grows is changed. A task that comes back is not held to
   * the quota, so that an acknowledgement can always be undone.
   */
  change(ownerId: string, ids: readonly string[], rule: TaskRule): Promise<TaskChange[]>;

  /** The owner's task if it is visible at `now`, else null. */
  get(ownerId: string, id: string, now: number): Promise<Task | null>;

  /**
   * A page of the tasks visible at `now`. It has fewer than `limit` when they are large: as many as
   * `MAX_TASKS_BYTES` hold of content, tags and metadata as stored, at least one; the next page begins after
   * those. Costs the same however long the queue, unless it is a search (`isSearch`): a search looks at each
   * live task, one after the other and in the background, so that a task that changes meanwhile is judged as
   * it was before or after. Every write that resolved before is seen. A search ends, with the signal's
   * reason, soon after the signal is aborted.
   */
  list(query: TaskQuery): Promise<TaskPage>;

  /** Counts of the tasks visible at `now`. */
  statistics(ownerId: string, now: number): Promise<Statistics>;

  /** Opaque text that differs whenever the set of tasks visible at `now`, or any of them, does. */
  revision(ownerId: string, now: number): Promise<string>;

  /**
   * Tasks that can still be restored at `now`, the latest acknowledged first: up to `limit`, as many as
   * `MAX_TASKS_BYTES` hold.
   */
  listRestorable(ownerId: string, now: number, limit: number): Promise<Task[]>;

  /**
   * Housekeeping: takes up to `limit` expired tasks out of the queue and answers them, each once over all
   * processes, for an event about each; removes what is past its `purgeAt`, and old claims. `more` when some
   * are left.
   */
  sweep(now: number, limit: number): Promise<{ expired: Task[]; more: boolean }>;
}
