// Tells which tasks expired or woke, then takes them out of the queue or notes it, and removes documents past
// their `purgeAt`: nothing before all that has expired or woken is told of. One process at a time does it, by
// a lease that it holds while it tells: what one that dies was at, the next one finds and tells again. Reads
// do not depend on it. TTL indexes remove the same documents days later.
import { GONE, LIVE } from '#core/domain/task-state.ts';
import type { TaskStore } from '#core/ports/task-store.ts';
import type { Database, Query, VersionedCollection, Versioned } from '../server/collection.ts';
import type { Deadline } from '../server/deadline.ts';
import type { DedupeKeys } from './dedupe-keys.ts';
import { createLease, type LeaseDocument } from '../server/lease.ts';
import { waitForAll } from '../promises.ts';
import { outboxFields, SWEPT, toTask, type TaskDocument } from './task-documents.ts';
import type { TaskEvents } from './task-events.ts';
import type { TaskWriter } from './task-writer.ts';

/** Most documents that one sweep touches. */
const MAX_SWEEP = 500;
/** Longer than a call may take, so that no two processes sweep at once. */
const LEASE_MS = 10_000;

type Sweep = TaskStore['sweep'];

interface Parts {
  database: Database;
  tasks: VersionedCollection<TaskDocument>;
  writer: Pick<TaskWriter, 'noteWaking'>;
  keys: DedupeKeys;
  events: TaskEvents;
  deadline: Pick<Deadline, 'outside'>;
}

export function createSweeper({ database, tasks, writer, keys, events, deadline }: Parts): Sweep {
  const claims = database.collection('claims');
  const processed = database.collection('applied_orders');
  const leases = database.collection<LeaseDocument>('leases');

  /** Takes them out of the queue, unless they were changed since they were read. */
  async function take(documents: readonly TaskDocument[], at: number): Promise<void> {
    // One that was due to wake as well does not come back.
    const others = { $unset: { wakeAt: '' as const }, $inc: { v: 1 } };
    const writes = await Promise.all(
      documents.map(async (document) => {
        const { _id, v, owner } = document;
        const task = toTask(document);
        const work = await events.workOf({ type: 'task.expired', before: task, task, at });
        const $set = { ...SWEPT, ...outboxFields(document, work) };
        return { updateOne: { filter: { _id, owner, v }, update: { $set, ...others } } };
      }),
    );
    await tasks.run((collection) => collection.bulkWrite(writes, { ordered: false }));
  }

  const findExpired = (now: number, limit: number) =>
    tasks.find(
      { state: LIVE, visibleUntil: { $lte: new Date(now) } },
      { sort: { visibleUntil: 1 }, limit, hint: 'expiry' },
    );

  /** Those whose waking is not noted yet. */
  const findWoken = (now: number, limit: number) =>
    tasks.find({ wakeAt: { $lte: new Date(now) } }, { sort: { wakeAt: 1 }, limit, hint: 'wake' });

  async function purgeAll(now: number, limit: number): Promise<boolean> {
    let left = limit;
    left -= await purge(tasks, { state: GONE, outboxSince: { $exists: false } }, now, left);
    if (left > 0) left -= await purge(claims, {}, now, left);
    if (left > 0) left -= await purge(processed, {}, now, left);
    if (left > 0) left -= await keys.purge(now, left);
    return left === 0;
  }

  const sweep: Sweep = async (now, limit, tell) => {
    const most = Math.min(limit, MAX_SWEEP);
    const expired = await findExpired(now, most);
    if (expired.length > 0) {
      await deadline.outside(() => tell({ expired: expired.map(toTask), woken: [] }));
      await take(expired, now);
      return { more: true };
    }
    const woken = await findWoken(now, most);
    if (woken.length > 0) {
      await deadline.outside(() => tell({ expired: [], woken: woken.map(toTask) }));
      await waitForAll(woken.map((document) => writer.noteWaking(document)));
      return { more: true };
    }
    return { more: await purgeAll(now, most) };
  };

  return async (...args) => {
    // A holder of its own for each call: two of one process take turns as well.
    const lease = createLease((work) => leases.run(work), 'sweep', LEASE_MS);
    if (!(await lease.take())) return { more: false };
    try {
      return await sweep(...args);
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
