// All that is stored of one owner: tasks added from a file, and everything removed, in small operations.
import { isVisible, type Task } from '#core/domain/task.ts';
import { QinboxError } from '#core/errors.ts';
import type { Clock } from '#core/ports/clock.ts';
import type { AddedTask, OwnerData } from '#core/ports/owner-data.ts';
import type { Quota } from '#core/ports/task-store.ts';
import type { Database, Query } from './server/collection.ts';
import type { Deadline } from './server/deadline.ts';
import { createDedupeKeys } from './tasks/dedupe-keys.ts';
import { intakesOf, toIntake } from './intake-documents.ts';
import { createKeyedMutex, RETRY, retry, waitForAll } from './promises.ts';
import { createQuotaGuard } from './quota.ts';
import { bytesOfTask, newDocument, tasksOf, toTask } from './tasks/task-documents.ts';
import type { TaskEvents } from './tasks/task-events.ts';
import { WEBHOOK_LISTS } from './webhook-store.ts';

interface Parts {
  database: Database;
  deadline: Deadline;
  events: TaskEvents;
  clock: Clock;
  quota: Quota;
}

/** Documents that one operation removes. */
const AT_ONCE = 500;

export function createMongoOwnerData(parts: Parts): OwnerData {
  return { addTasks: createAdd(parts), erase: createErase(parts) };
}

function createAdd({ database, deadline, clock, quota }: Parts): OwnerData['addTasks'] {
  const tasks = tasksOf(database);
  const keys = createDedupeKeys(database, tasks, clock);
  const guard = createQuotaGuard(tasks, clock, quota);
  const inTurn = createKeyedMutex();

  async function insert(task: Task): Promise<AddedTask> {
    if (await tasks.insert(newDocument(task))) return 'added';
    return (await tasks.read(task.id, task.ownerId)) === null ? 'taken' : 'there';
  }

  /** The task, without a dedupe key that another has; the key is given to it before it is stored. */
  async function withKey(task: Task): Promise<Task> {
    const { ownerId, dedupeKey } = task;
    if (dedupeKey === null) return task;
    return retry(async () => {
      const key = await keys.read(ownerId, dedupeKey);
      const holder = key === null || key.task === task.id ? null : await keys.holderOf(key);
      const other = holder === null ? null : toTask(holder);
      if (other !== null && isVisible(other, clock.now())) return { ...task, dedupeKey: null };
      return (await keys.give(ownerId, dedupeKey, key, newDocument(task))) ? task : RETRY;
    });
  }

  /** Adds them at once; of those with one dedupe key the first has it. Null where not all have room. */
  async function addAll(ownerId: string, all: readonly Task[]): Promise<AddedTask[] | null> {
    const size = { tasks: all.length, bytes: all.reduce((sum, task) => sum + bytesOfTask(task), 0) };
    const add = (task: Task) =>
      inTurn(`${ownerId}\n${task.dedupeKey ?? task.id}`, async () => insert(await withKey(task)));
    try {
      return await deadline.run(() =>
        guard.within(
          ownerId,
          size,
          () => Promise.resolve(size),
          () => waitForAll(all.map(add)),
        ),
      );
    } catch (error) {
      if (error instanceof QinboxError && error.code === 'QUOTA_EXCEEDED') return null;
      throw error;
    }
  }

  /** As many as there is room for, in their order. */
  async function addFitting(ownerId: string, all: readonly Task[]): Promise<AddedTask[]> {
    const added: AddedTask[] = [];
    for (const task of all) added.push(...((await addAll(ownerId, [task])) ?? (['full'] as const)));
    return added;
  }

  return async (ownerId, some) => {
    const ids = some.map(({ id }) => id);
    const stored = await deadline.run(() =>
      tasks.find({ owner: ownerId, _id: { $in: ids } }, { projection: { _id: 1 }, hint: '_id_' }),
    );
    const there = new Set(stored.map(({ _id }) => _id));
    // An id may come twice.
    const wanted = some
      .filter(({ id }, index) => !there.has(id) && ids.indexOf(id) === index)
      .map((task) => ({ ...task, ownerId }));
    const added = (await addAll(ownerId, wanted)) ?? (await addFitting(ownerId, wanted));
    const outcomes = new Map(wanted.map(({ id }, index) => [id, added[index]]));
    return ids.map((id, index) => {
      const outcome = outcomes.get(id) ?? 'there';
      return outcome === 'added' && ids.indexOf(id) < index ? 'there' : outcome;
    });
  };
}

/** The collections whose documents name their owner, in the order in which they are emptied. */
const OWNED: readonly (readonly [collection: string, field: string, index: string])[] = [
  ['tasks', 'owner', 'restorable'],
  ['dedupe_keys', 'owner', 'owner'],
  ['claims', 'owner', 'owner'],
  ['applied_orders', 'owner', 'owner'],
  ['rejected', 'owner', 'owner'],
  ['deliveries', 'owner', 'owner'],
  ['intakes', 'owner', 'active'],
  ['push_shown', 'owner', 'owner'],
  ['webhooks', 'owner', 'owner'],
  ['work', 'owner', 'owner'],
  ['work_lanes', 'owner', 'owner'],
  ['adapter_data', 'owner', 'of_owner'],
  ['sessions', 'userId', 'user'],
  ['signin_links', 'userId', 'user'],
  ['api_keys', 'userId', 'active'],
];
/** Those with one document for each owner, whose `_id` is the owner's; the user is the last. */
const NAMED = ['push', 'push_held', 'follow_ups', 'key_rings', 'intake_rings', WEBHOOK_LISTS, 'users'];

function createErase({ database, deadline, events }: Parts): OwnerData['erase'] {
  const intakes = intakesOf(database);
  const tokens = database.collection('intake_tokens');

  async function removeAll(name: string, query: Query, hint: string): Promise<void> {
    const documents = database.collection(name);
    for (;;) {
      const removed = await deadline.run(async () => {
        const found = await documents.find(query, { projection: { _id: 1 }, limit: AT_ONCE, hint });
        if (found.length > 0)
          await documents.removeMany({ ...query, _id: { $in: found.map(({ _id }) => _id) } });
        return found.length;
      });
      if (removed < AT_ONCE) return;
    }
  }

  return async (ownerId) => {
    // Before the intakes that say which they are; those that were replaced are removed in time.
    await deadline.run(async () => {
      for (const intake of await intakes.find({ owner: ownerId }, { hint: 'active' })) {
        const hashes = toIntake(intake).tokens.map(({ hash }) => hash);
        await tokens.removeMany({ _id: { $in: hashes } });
      }
    });
    for (const [name, field, index] of OWNED) await removeAll(name, { [field]: ownerId }, index);
    for (const name of NAMED)
      await deadline.run(() => database.collection(name).removeMany({ _id: ownerId }));
    await deadline.run(() => events.reactionsChanged());
  };
}
