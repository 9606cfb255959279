// What an owner does with the tasks in the queue. Every change is durable before it is published.
import type { Facets, Statistics, TaskEventType } from '../contract/index.ts';
import {
  acknowledgeTask,
  editTask,
  extendTask,
  pinTask,
  restoreTask,
  setTask,
  snoozeTask,
  type Task,
  type TaskChanges,
  type TaskSettings,
} from '../domain/task.ts';
import { isSnoozed } from '../domain/snooze.ts';
import { QinboxError } from '../errors.ts';
import type { Clock } from '../ports/clock.ts';
import type { EventBus } from '../ports/event-bus.ts';
import {
  isSearch,
  type TaskPage,
  type TaskQuery,
  type TaskRange,
  type TaskStore,
} from '../ports/task-store.ts';
import type { Searches } from './searches.ts';

interface Parts {
  tasks: TaskStore;
  bus: EventBus;
  clock: Clock;
  searches: Searches;
}

/** Which of the named tasks a bulk call changed, in the order given, and which it did not find. */
export interface BulkResult {
  changed: Task[];
  notFound: string[];
}

/** The task that a call is about. */
export interface OneTask {
  ownerId: string;
  id: string;
  /** Versions that may be changed, all when left out; others are refused with PRECONDITION_FAILED. */
  allowed?: ReadonlySet<number> | undefined;
}

const RECENT_LIMIT = 500;

export type Inbox = ReturnType<typeof createInbox>;

/** A rule of the domain; `now` is the same for all tasks of a call. */
type TimedRule = (task: Task, now: number) => Task | null;

/** Applies rules to tasks and publishes what changed. */
function createTaskChanges({ tasks, bus, clock }: Omit<Parts, 'searches'>) {
  async function changeMany(
    ownerId: string,
    ids: readonly string[],
    type: TaskEventType,
    rule: TimedRule,
  ): Promise<BulkResult> {
    const wanted = [...new Set(ids)];
    const now = clock.now();
    const changes = await tasks.change(ownerId, wanted, (task) => rule(task, now));
    const byId = new Map(changes.map((change) => [change.after.id, change]));
    for (const { before, after } of changes)
      if (before !== after) bus.publish({ kind: 'task', type: told(type, before, after, now), task: after });
    return {
      changed: wanted.flatMap((id) => byId.get(id)?.after ?? []),
      notFound: wanted.filter((id) => !byId.has(id)),
    };
  }

  /** Checks the version in the same step as the change, and only of a task that the rule would change. */
  async function changeOne(
    { ownerId, id, allowed }: OneTask,
    type: TaskEventType,
    rule: TimedRule,
  ): Promise<Task> {
    let found: number | null = null;
    const { changed } = await changeMany(ownerId, [id], type, (before, now) => {
      const after = rule(before, now);
      found = after === null ? null : before.version;
      return allowed === undefined || allowed.has(before.version) ? after : null;
    });
    if (changed[0] !== undefined) return changed[0];
    throw found === null ? taskNotFound() : versionDiffers(found);
  }

  return { changeMany, changeOne };
}

/** The use cases of triage. A task that is not there, not live or another owner's is NOT_FOUND alike. */
export function createInbox({ tasks, bus, clock, searches }: Parts) {
  const { changeMany, changeOne } = createTaskChanges({ tasks, bus, clock });

  return {
    /** One live task. */
    async get(ownerId: string, id: string): Promise<Task> {
      const task = await tasks.get(ownerId, id, clock.now());
      if (task === null) throw taskNotFound();
      return task;
    },

    /** A page of the live queue with its counts. A search waits, and may be refused (`createSearches`). */
    list(query: Omit<TaskQuery, 'now'>): Promise<TaskPage> {
      if (!isSearch(query)) return tasks.list({ ...query, now: clock.now() });
      return searches.run(
        query.ownerId,
        (signal) => tasks.list({ ...query, now: clock.now(), signal }),
        query.signal,
      );
    },

    /** What the live queue can be filtered by. A search, as `list`; `hungUp` ends it. */
    facets(ownerId: string, hungUp?: AbortSignal): Promise<Facets> {
      return searches.run(ownerId, (signal) => tasks.facets({ ownerId, now: clock.now(), signal }), hungUp);
    },

    /** The live queue in the order of ids. */
    listById(range: Omit<TaskRange, 'now'>): Promise<Task[]> {
      return tasks.listById({ ...range, now: clock.now() });
    },

    statistics(ownerId: string): Promise<Statistics> {
      return tasks.statistics(ownerId, clock.now());
    },

    /** Changes whenever anything that a list could show does. */
    revision(ownerId: string): Promise<string> {
      return tasks.revision(ownerId, clock.now());
    },

    /** What can still be restored, the latest acknowledged first, at most 500. */
    recentlyAcknowledged(ownerId: string): Promise<Task[]> {
      return tasks.listRestorable(ownerId, clock.now(), RECENT_LIMIT);
    },

    edit: (one: OneTask, changes: TaskChanges): Promise<Task> =>
      changeOne(one, 'task.updated', (task, now) => editTask(task, changes, now)),

    pin: (one: OneTask, pinned: boolean): Promise<Task> =>
      changeOne(one, 'task.updated', (task, now) => pinTask(task, pinned, now)),

    /** `minutes` 1..10080; `from` as in {@link extendTask}. */
    extend: (one: OneTask, minutes: number, from?: number): Promise<Task> =>
      changeOne(one, 'task.updated', (task, now) => extendTask(task, minutes, now, from)),

    /** `until` in milliseconds, after now; null wakes it. */
    snooze: (one: OneTask, until: number | null): Promise<Task> =>
      changeOne(one, 'task.updated', (task, now) => snoozeTask(task, until, now)),

    acknowledge: (one: OneTask): Promise<Task> => changeOne(one, 'task.acknowledged', acknowledgeTask),

    restore: (one: OneTask): Promise<Task> => changeOne(one, 'task.restored', restoreTask),

    /** Makes each task what its settings say, by its id. */
    setMany: (ownerId: string, settings: ReadonlyMap<string, TaskSettings>): Promise<BulkResult> =>
      changeMany(ownerId, [...settings.keys()], 'task.updated', (task, now) =>
        setTask(task, settings.get(task.id) ?? {}, now),
      ),

    acknowledgeMany: (ownerId: string, ids: readonly string[]): Promise<BulkResult> =>
      changeMany(ownerId, ids, 'task.acknowledged', acknowledgeTask),

    restoreMany: (ownerId: string, ids: readonly string[]): Promise<BulkResult> =>
      changeMany(ownerId, ids, 'task.restored', restoreTask),
  };
}

/** What a change is told as: a task that it wakes is back, and one that it restores to its sleep is not. */
function told(type: TaskEventType, before: Task, after: Task, now: number): TaskEventType {
  if (type === 'task.restored' && isSnoozed(after, now)) return 'task.updated';
  return type === 'task.updated' && isSnoozed(before, now) && !isSnoozed(after, now) ? 'task.restored' : type;
}

function versionDiffers(version: number): QinboxError {
  return new QinboxError(
    'PRECONDITION_FAILED',
    `The task has changed since it was read: it is at version ${version} now. Read it again, and decide anew.`,
  );
}

function taskNotFound(): QinboxError {
  return new QinboxError(
    'NOT_FOUND',
    'There is no such task. It may have been acknowledged or have expired.',
  );
}
