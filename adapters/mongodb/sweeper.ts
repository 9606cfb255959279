// Answers each task that expired or woke once over all processes, and removes documents past their `purgeAt`:
// nothing before all that has expired or woken is told of. One process at a time does it; reads do not depend
// on it. TTL indexes remove the same documents days later. A process that dies between the two steps of one
// sweep takes with it what it had not told of yet: at most one batch, which clients see when they read.
import { randomUUID } from 'node:crypto';
import { GONE, LIVE } from '#core/domain/task-state.ts';
import type { Task } from '#core/domain/task.ts';
import type { Database, Query, VersionedCollection, Versioned } from './collection.ts';
import type { DedupeKeys } from './dedupe-keys.ts';
import { createLease, type LeaseDocument } from './lease.ts';
import { waitForAll } from './promises.ts';
import { outboxFields, SWEPT, toTask, type TaskDocument } from './task-documents.ts';
import type { TaskEvents } from './task-events.ts';
import type { TaskWriter } from './task-writer.ts';

/** Most documents that one sweep touches. */
const MAX_SWEEP = 500;
/** Longer than a call may take, so that no two processes sweep at once. */
const LEASE_MS = 10_000;

interface Swept {
  expired: Task[];
  woken: Task[];
  /** There may be more to do. */
  more: boolean;
}

interface Batch {
  /** Marks what this sweep took. */
  sweptBy: string;
  documents: readonly TaskDocument[];
  /** When it was taken, in milliseconds. */
  at: number;
}

interface Parts {
  database: Database;
  tasks: VersionedCollection<TaskDocument>;
  writer: Pick<TaskWriter, 'noteWaking'>;
  keys: DedupeKeys;
  events: TaskEvents;
}

export function createSweeper({ database, tasks, writer, keys, events }: Parts) {
  const claims = database.collection('claims');
  const processed = database.collection('applied_orders');
  const leases = database.collection<LeaseDocument>('leases');
  /** A batch of a call that failed: it may be taken, in part or whole, and is not told of. */
  let untold: Batch | null = null;

  /** Takes them out of the queue, unless they were changed since they were read. */
  async function take({ sweptBy, documents, at }: Batch): Promise<void> {
    // One that was due to wake as well does not come back.
    const others = { $unset: { wakeAt: '' as const }, $inc: { v: 1 } };
    const writes = await Promise.all(
      documents.map(async (document) => {
        const { _id, v, owner } = document;
        const task = toTask(document);
        const work = await events.workOf({ type: 'task.expired', before: task, task, at });
        const $set = { ...SWEPT, sweptBy, ...outboxFields(document, work) };
        return { updateOne: { filter: { _id, owner, v }, update: { $set, ...others } } };
      }),
    );
    await tasks.run((collection) => collection.bulkWrite(writes, { ordered: false }));
  }

  /** Those that this sweep took. */
  async function taken({ sweptBy, documents }: Batch): Promise<Task[]> {
    const owners = [...new Set(documents.map(({ owner }) => owner))];
    const found = await tasks.find(
      { owner: { $in: owners }, _id: { $in: documents.map(({ _id }) => _id) }, sweptBy },
      { projection: { _id: 1 }, hint: '_id_' },
    );
    const ids = new Set(found.map(({ _id }) => _id));
    return documents.filter(({ _id }) => ids.has(_id)).map(toTask);
  }

  /** Takes what is still to be taken of a batch, and answers all of it. Safe to repeat. */
  async function finish(batch: Batch): Promise<Task[]> {
    untold = batch;
    await take(batch);
    const expired = await taken(batch);
    untold = null;
    return expired;
  }

  async function expire(now: number, limit: number): Promise<Task[]> {
    const documents = await tasks.find(
      { state: LIVE, visibleUntil: { $lte: new Date(now) } },
      { sort: { visibleUntil: 1 }, limit, hint: 'expiry' },
    );
    return documents.length === 0 ? [] : finish({ sweptBy: randomUUID(), documents, at: now });
  }

  /** Those whose waking nobody has told of yet, and that were not changed since they were read. */
  async function wake(now: number, limit: number): Promise<Task[]> {
    const documents = await tasks.find(
      { wakeAt: { $lte: new Date(now) } },
      { sort: { wakeAt: 1 }, limit, hint: 'wake' },
    );
    const noted = await waitForAll(documents.map((document) => writer.noteWaking(document)));
    return documents.filter((_, index) => noted[index]).map(toTask);
  }

  async function purgeAll(now: number, limit: number): Promise<boolean> {
    let left = limit;
    left -= await purge(tasks, { state: GONE, outboxSince: { $exists: false } }, now, left);
    if (left > 0) left -= await purge(claims, {}, now, left);
    if (left > 0) left -= await purge(processed, {}, now, left);
    if (left > 0) left -= await keys.purge(now, left);
    return left === 0;
  }

  async function sweep(now: number, limit: number): Promise<Swept> {
    const most = Math.min(limit, MAX_SWEEP);
    // What an earlier call did not live to tell of comes first.
    const missed = untold === null ? [] : await finish(untold);
    const expired = missed.length > 0 ? missed : await expire(now, most);
    if (expired.length > 0) return { expired, woken: [], more: true };
    const woken = await wake(now, most);
    if (woken.length > 0) return { expired, woken, more: true };
    return { expired, woken, more: await purgeAll(now, most) };
  }

  return async (now: number, limit: number): Promise<Swept> => {
    // A holder of its own for each call: two of one process take turns as well.
    const lease = createLease((work) => leases.run(work), 'sweep', LEASE_MS);
    if (!(await lease.take())) return { expired: [], woken: [], more: false };
    try {
      return await sweep(now, limit);
    } finally {
      // Otherwise it ends by itself.
      await lease.release().catch(() => {});
    }
  };
}

/** Removes up to `limit` documents that match and are past their `purgeAt`; how many there were. */
async function purge<T extends Versioned>(
  collection: VersionedCollection<T>,
  query: Query,
  now: number,
  limit: number,
): Promise<number> {
  const due = { ...query, purgeAt: { $lte: new Date(now) } };
  const found = await collection.find(due, { limit, projection: { _id: 1 } });
  if (found.length > 0) await collection.removeMany({ ...due, _id: { $in: found.map(({ _id }) => _id) } });
  return found.length;
}
