// What an owner does with the tasks in the queue. Every change is durable before anybody hears of it.
import type { Statistics, TaskEventType } from '../contract/index.ts';
import {
  acknowledgeTask,
  editTask,
  extendTask,
  pinTask,
  restoreTask,
  type Task,
  type TaskChanges,
} from '../domain/task.ts';
import { QinboxError } from '../errors.ts';
import type { Clock } from '../ports/clock.ts';
import type { EventBus } from '../ports/event-bus.ts';
import {
  isSearch,
  type TaskFilter,
  type TaskPage,
  type TaskRule,
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

const RECENT_LIMIT = 500;

export type Inbox = ReturnType<typeof createInbox>;

/** The use cases of triage. A task that is not there, not live or another owner's is NOT_FOUND alike. */
export function createInbox({ tasks, bus, clock, searches }: Parts) {
  async function changeMany(
    ownerId: string,
    ids: readonly string[],
    type: TaskEventType,
    rule: TaskRule,
  ): Promise<BulkResult> {
    const wanted = [...new Set(ids)];
    const changes = await tasks.change(ownerId, wanted, rule);
    const byId = new Map(changes.map((change) => [change.after.id, change]));
    for (const { before, after } of changes)
      if (before !== after) bus.publish({ kind: 'task', type, task: after });
    return {
      changed: wanted.flatMap((id) => byId.get(id)?.after ?? []),
      notFound: wanted.filter((id) => !byId.has(id)),
    };
  }

  async function changeOne(ownerId: string, id: string, type: TaskEventType, rule: TaskRule): Promise<Task> {
    const task = (await changeMany(ownerId, [id], type, rule)).changed[0];
    if (task === undefined) throw taskNotFound();
    return task;
  }

  return {
    /** One live task. */
    async get(ownerId: string, id: string): Promise<Task> {
      const task = await tasks.get(ownerId, id, clock.now());
      if (task === null) throw taskNotFound();
      return task;
    },

    /**
     * A page of the live queue with its counts. A search waits for its turn, is ended when `hungUp` says that nobody waits for it
     * any more, and is refused where too many are under way (`createSearches`).
     */
    list(
      ownerId: string,
      filter: TaskFilter,
      limit: number,
      offset: number,
      hungUp?: AbortSignal,
    ): Promise<TaskPage> {
      if (!isSearch(filter)) return tasks.list(ownerId, filter, limit, offset, clock.now());
      return searches.run(
        ownerId,
        (signal) => tasks.list(ownerId, filter, limit, offset, clock.now(), signal),
        hungUp,
      );
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

    edit(ownerId: string, id: string, changes: TaskChanges): Promise<Task> {
      const now = clock.now();
      return changeOne(ownerId, id, 'task.updated', (task) => editTask(task, changes, now));
    },

    pin(ownerId: string, id: string, pinned: boolean): Promise<Task> {
      const now = clock.now();
      return changeOne(ownerId, id, 'task.updated', (task) => pinTask(task, pinned, now));
    },

    /** `minutes` 1..10080; `from` as in {@link extendTask}. */
    extend(ownerId: string, id: string, minutes: number, from?: number): Promise<Task> {
      const now = clock.now();
      return changeOne(ownerId, id, 'task.updated', (task) => extendTask(task, minutes, now, from));
    },

    acknowledge(ownerId: string, id: string): Promise<Task> {
      const now = clock.now();
      return changeOne(ownerId, id, 'task.acknowledged', (task) => acknowledgeTask(task, now));
    },

    restore(ownerId: string, id: string): Promise<Task> {
      const now = clock.now();
      return changeOne(ownerId, id, 'task.restored', (task) => restoreTask(task, now));
    },

    acknowledgeMany(ownerId: string, ids: readonly string[]): Promise<BulkResult> {
      const now = clock.now();
      return changeMany(ownerId, ids, 'task.acknowledged', (task) => acknowledgeTask(task, now));
    },

    restoreMany(ownerId: string, ids: readonly string[]): Promise<BulkResult> {
      const now = clock.now();
      return changeMany(ownerId, ids, 'task.restored', (task) => restoreTask(task, now));
    },
  };
}

function taskNotFound(): QinboxError {
  return new QinboxError(
    'NOT_FOUND',
    'There is no such task. It may have been acknowledged or have expired.',
  );
}
