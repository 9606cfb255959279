// Stores tasks. The pure functions of core/domain/task.ts decide what a change does; a driver applies them
// atomically. Every method throws SERVICE_UNAVAILABLE, having changed nothing, when storage fails.
import type { Facets, Priority, Statistics, TaskOrder } from '../contract/index.ts';
import type { Claim, Submission } from '../domain/submission.ts';
import type { SubmissionOutcome } from '../domain/submission-outcome.ts';
import type { Task } from '../domain/task.ts';

/** The most that one owner may store. */
export interface Quota {
  /** Live tasks. */
  tasks: number;
  /**
   * Stored bytes of content, tags and metadata of all tasks: also of acknowledged ones while they can be
   * restored or suppress repeats, and of expired ones until they are removed.
   */
  bytes: number;
}

/** No quota. */
export const NO_QUOTA: Quota = { tasks: Infinity, bytes: Infinity };

/** Which live tasks to list: those that are awake, or the snoozed ones. */
export interface TaskFilter {
  priority?: Priority;
  source?: string;
  /** Tags that it has, all of them; 1..10. */
  tags?: readonly string[];
  /** The id of its intake, or the intake's name, ignoring the case of A to Z. */
  intake?: string;
  /**
   * Text that content, a tag, source, the name of the intake, or `body` or `from` of the metadata (where that
   * is text) contains, ignoring case as `createTextSearch` does. 1..200 characters.
   */
  text?: string;
  /** Only pinned, or only unpinned tasks. */
  pinned?: boolean;
  /** The snoozed tasks instead of those that are awake. */
  snoozed?: true;
}

/** Whether a driver must look at each live task of the owner: a search, which is bounded and can be ended. */
export function isSearch({ filter, order = 'newest' }: Pick<TaskQuery, 'filter' | 'order'>): boolean {
  return order !== 'newest' || filter.snoozed === true || looksAtTexts(filter);
}

/**
 * Whether the first to wake comes first, pinned or not: so are snoozed tasks listed where no other order is
 * asked for.
 */
export function inOrderOfWaking({ filter, order = 'newest' }: Pick<TaskQuery, 'filter' | 'order'>): boolean {
  return filter.snoozed === true && order === 'newest';
}

/** Whether the counts of the queue do not tell how many tasks match. */
export function looksAtTexts({ source, tags, intake, text }: TaskFilter): boolean {
  return source !== undefined || tags !== undefined || intake !== undefined || text !== undefined;
}

/** Which page of an owner's live tasks to list. */
export interface TaskQuery {
  ownerId: string;
  filter: TaskFilter;
  /** `newest` when left out. */
  order?: TaskOrder | undefined;
  /** 1..1000. */
  limit: number;
  /** From 0. */
  offset: number;
  /** In milliseconds. */
  now: number;
  /** Ends a search. */
  signal?: AbortSignal | undefined;
}

/** Which of an owner's live tasks to read in the order of their ids, pinned or not. */
export interface TaskRange {
  ownerId: string;
  /** Only ids above this one. */
  after?: string;
  /** Only ids below this one. */
  before?: string;
  order: 'ascending' | 'descending';
  /** Snoozed ones as well. */
  asleep?: true;
  /** 1..1000. */
  limit: number;
  /** In milliseconds. */
  now: number;
}

export interface TaskPage {
  /**
   * As `compareInOrder` sorts them: pinned first, equal ones newest (greatest id) first. Or in the order of
   * their waking, see {@link inOrderOfWaking}.
   */
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

/** What a sweep finds. */
export interface Due {
  /** Their time is up. */
  expired: readonly Task[];
  /** They were snoozed, and are back. */
  woken: readonly Task[];
}

export interface TaskStore {
  /**
   * Resolves the keys (`resolveTask`), then applies the inserts: each makes a task, or repeats the one with
   * the same dedupe key that is live (`repeatTask`) or suppresses repeats (`suppressRepeat`). An insert that
   * was applied before is not applied again: it answers the task that it made or repeated, as that is now;
   * where the repeated one is gone, its own draft under that one's id, acknowledged. A repeat stores a few
   * hundred bytes for 24 hours at the most, however large the task. Durable when it resolves. Rejects with
   * QUOTA_EXCEEDED, having changed nothing, when it would make tasks, or replace what they say, and the owner
   * would have more than the quota and than before. Without transactions a driver may exceed the quota by
   * what comes within one round trip.
   */
  create(submission: Submission): Promise<SubmissionOutcome>;

  /**
   * What `create` would answer at `at` to a submission with this claim: a claim that was fulfilled, is being
   * fulfilled, or was made with another fingerprint. Null when it would carry the submission out. A replay
   * has no outcomes here, only the ids of its tasks.
   */
  readClaim(claim: Claim, at: number): Promise<SubmissionOutcome | null>;

  /** Rejects with QUOTA_EXCEEDED when `create` would, as far as is known without writing. */
  checkQuota(submission: Submission): Promise<void>;

  /**
   * Applies a rule to each of the owner's tasks named, acknowledged and expired ones included. The answer
   * omits those that do not exist, belong to another, or that the rule refuses. Durable when it resolves. A
   * task that returns to the queue loses a dedupe key that another live task has taken, and is not held to
   * the quota, so that an acknowledgement can be undone. Rejects with QUOTA_EXCEEDED when tasks grow beyond
   * the quota's bytes; then none that grows is changed.
   */
  change(ownerId: string, ids: readonly string[], rule: TaskRule): Promise<TaskChange[]>;

  /** The owner's task if it is visible at `now`, snoozed or not, else null. */
  get(ownerId: string, id: string, now: number): Promise<Task | null>;

  /**
   * A page of the tasks listed at `now` (visible, and not snoozed), with every write that resolved before: up
   * to `limit`, and as many as `MAX_TASKS_BYTES` hold of stored content, tags and metadata, at least one.
   * Costs the same however long the queue, unless it is a search (`isSearch`), which looks at each live task
   * in the background and may see a concurrent change or not. It rejects with the signal's reason soon after
   * the signal is aborted.
   */
  list(query: TaskQuery): Promise<TaskPage>;

  /**
   * What the tasks listed at `now` can be filtered by: up to 100 sources, tags and intakes each, the most
   * frequent first, as frequent ones by code points (intakes: of their ids). An intake has the name that its
   * newest task says. It is a search, as in `list`. Of more than 10,000 different values a driver may leave
   * out those of the oldest tasks.
   */
  facets(query: Pick<TaskQuery, 'ownerId' | 'now' | 'signal'>): Promise<Facets>;

  /**
   * The tasks listed at `now` in a range of ids: up to `limit`, and as many as `MAX_TASKS_BYTES` hold, at
   * least one; none where the range has no more. The next read goes on from the last id: no concurrent change
   * makes it omit or repeat a task. Costs the same however long the queue.
   */
  listById(range: TaskRange): Promise<Task[]>;

  /** Counts of the tasks listed at `now`, and how many are snoozed. */
  statistics(ownerId: string, now: number): Promise<Statistics>;

  /**
   * Opaque text that differs whenever the set of tasks listed or snoozed at `now`, or any of them, does. A
   * sweep changes none.
   */
  revision(ownerId: string, now: number): Promise<string>;

  /** The restorable tasks, latest acknowledged first: up to `limit`, and what `MAX_TASKS_BYTES` hold. */
  listRestorable(ownerId: string, now: number, limit: number): Promise<Task[]>;

  /**
   * Takes up to `limit` expired tasks out of the queue and notes which tasks woke; removes what is past its
   * `purgeAt`, and old claims. `tell` hears first of what is due, if anything is, and nothing is taken or
   * noted until it resolves: where it rejects, or the process ends before that, a later sweep tells again. So
   * each is told at least once over all processes; once, while no call fails. `more` when some are left. No
   * read depends on it.
   */
  sweep(now: number, limit: number, tell: (due: Due) => Promise<void>): Promise<{ more: boolean }>;
}
