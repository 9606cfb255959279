// Which task has a dedupe key: one document for each key, whose `_id` is the owner and the key, so that two
// tasks never have it. The document carries the task that is about to be created under it: a process that
// finds the key without its task creates that task and waits for no other process.
import { UNDO_WINDOW_MS } from '#core/contract/index.ts';
import { fingerprintOf } from '#core/domain/hash.ts';
import type { Clock } from '#core/ports/clock.ts';
import type { Database, Fields, Versioned, VersionedCollection } from '../server/collection.ts';
import type { TaskDocument } from './task-documents.ts';

export interface DedupeKey extends Versioned {
  task: string;
  owner: string;
  /** The task to create; null when the key was given to a stored one. */
  making: TaskDocument | null;
  /** When it was given to the task. */
  at: Date;
  /** When to check whether the task is still stored. */
  checkAt: Date;
}

/**
 * How long after the key was given a missing task counts as never created. Half of the soonest time after
 * which a task is removed.
 */
const COMPLETION_MS = UNDO_WINDOW_MS / 2;
/** The time to the first check, and from the removal of the task to the next one. */
const CHECK_MS = 60 * 60_000;

export interface DedupeKeys {
  read(ownerId: string, key: string): Promise<DedupeKey | null>;
  /** The task that has the key, created now if that was cut off; null when it is gone. */
  holderOf(key: DedupeKey): Promise<TaskDocument | null>;
  /** As {@link read} and {@link holderOf}. */
  find(ownerId: string, key: string): Promise<TaskDocument | null>;
  /** Gives the key to a task that is about to be created. False when another process was quicker. */
  give(ownerId: string, key: string, before: DedupeKey | null, task: TaskDocument): Promise<boolean>;
  /** Gives the key back to a stored task, unless `isAhead` of the task that has it. */
  reclaim(
    ownerId: string,
    key: string,
    taskId: string,
    isAhead: (holder: TaskDocument) => boolean,
  ): Promise<boolean>;
  /** Checks up to `limit` keys and removes those whose tasks are gone; how many it checked. */
  purge(now: number, limit: number): Promise<number>;
}

export function createDedupeKeys(
  database: Database,
  tasks: VersionedCollection<TaskDocument>,
  clock: Clock,
): DedupeKeys {
  const keys = database.collection<DedupeKey>('dedupe_keys');

  async function store(
    owner: string,
    key: string,
    before: DedupeKey | null,
    task: string,
    making: TaskDocument | null,
  ): Promise<boolean> {
    const now = clock.now();
    const checkAt = new Date(now + CHECK_MS);
    const after: Fields<DedupeKey> = { owner, task, making, at: new Date(now), checkAt };
    return before === null
      ? keys.insert({ _id: keyId(owner, key), v: 1, ...after })
      : keys.replace(before, after);
  }
  const read = (owner: string, key: string) => keys.read(keyId(owner, key));

  async function holderOf(key: DedupeKey): Promise<TaskDocument | null> {
    let task = await tasks.read(key.task, key.owner);
    if (task === null && key.making !== null && Math.abs(clock.now() - key.at.getTime()) < COMPLETION_MS) {
      await tasks.insert(key.making);
      task = await tasks.read(key.task, key.owner);
    }
    return task;
  }

  /** The stored tasks of these keys, by id. */
  async function findTasks(held: readonly DedupeKey[]): Promise<Map<string, TaskDocument>> {
    const owners = [...new Set(held.map(({ owner }) => owner))];
    const found = await tasks.find(
      { owner: { $in: owners }, _id: { $in: held.map(({ task }) => task) } },
      { projection: { owner: 1, purgeAt: 1 }, hint: '_id_' },
    );
    return new Map(found.map((task) => [task._id, task]));
  }

  return {
    read,
    holderOf,
    async find(owner, key) {
      const found = await read(owner, key);
      return found === null ? null : holderOf(found);
    },
    give: (owner, key, before, task) => store(owner, key, before, task._id, task),
    async reclaim(owner, key, taskId, isAhead) {
      for (;;) {
        const before = await read(owner, key);
        if (before !== null && before.task !== taskId) {
          const holder = await holderOf(before);
          if (holder !== null && isAhead(holder)) return false;
        }
        if (await store(owner, key, before, taskId, null)) return true;
      }
    },
    async purge(now, limit) {
      const due = await keys.find({ checkAt: { $lte: new Date(now) } }, { sort: { checkAt: 1 }, limit });
      if (due.length === 0) return 0;
      const stored = await findTasks(due);
      const writes = due.map(({ _id, v, task }) => {
        const filter = { _id, v };
        const found = stored.get(task);
        if (found === undefined) return { deleteOne: { filter } };
        const checkAt = new Date(Math.max(found.purgeAt?.getTime() ?? 0, now) + CHECK_MS);
        return { updateOne: { filter, update: { $set: { making: null, checkAt }, $inc: { v: 1 } } } };
      });
      await keys.run((collection) => collection.bulkWrite(writes as never, { ordered: false }));
      return due.length;
    },
  };
}

function keyId(owner: string, key: string): string {
  return fingerprintOf([owner, key]);
}
