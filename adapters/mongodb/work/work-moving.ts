// The way of work to its lanes: a task's document carries its work (`outbox`) from the write that caused it,
// until it is moved. The process that stored it moves it at once; what one that died has left is moved by the
// others, one at a time. Two that move the same do it once: its id is the same.
import type { NewWork } from '#core/domain/work.ts';
import type { WorkStore } from '#core/ports/work-store.ts';
import type { Database } from '../server/collection.ts';
import type { Deadline } from '../server/deadline.ts';
import { createLease, type LeaseDocument } from '../server/lease.ts';
import type { Outbox, OwnWork } from './own-work.ts';
import { tasksOf } from '../tasks/task-documents.ts';

/** Longer than a call may take, so that no two processes look for what was left at once. */
const LEASE_MS = 10_000;

export function createMoving(
  database: Database,
  { shared }: Pick<Deadline, 'shared'>,
  own: OwnWork,
  add: (work: readonly NewWork[]) => Promise<void>,
): Pick<WorkStore, 'moveOn' | 'moveOwn'> {
  const tasks = tasksOf(database);
  const leases = database.collection<LeaseDocument>('leases');

  async function clear(outboxes: readonly Outbox[]): Promise<void> {
    const $inc = { v: 1 };
    const $unset = { outbox: '' as const, outboxSince: '' as const };
    const unchanged = await update(
      outboxes.map(({ _id, owner, v }) => ({ filter: { _id, owner, v }, update: { $unset, $inc } })),
    );
    if (unchanged === outboxes.length) return;
    // Those that have changed since may have more by now.
    await update(
      outboxes.map(({ _id, owner, outbox: $in = [] }) => ({
        filter: { _id, owner, outbox: { $in } },
        update: { $pull: { outbox: { $in } }, $inc },
      })),
    );
  }

  async function update(updates: { filter: object; update: object }[]): Promise<number> {
    const writes = updates.map((updateOne) => ({ updateOne }));
    const done = await tasks.run((collection) => collection.bulkWrite(writes, { ordered: false }));
    return done.modifiedCount;
  }

  /** Of what this process moved last. */
  let clearing: Promise<void> = Promise.resolve();

  const workIn = (outboxes: readonly Outbox[]) =>
    outboxes.flatMap(({ outbox = [] }) => outbox.map((json) => JSON.parse(json) as NewWork));

  const find = (limit: number): Promise<Outbox[]> =>
    tasks.find(
      { outboxSince: { $exists: true } },
      {
        sort: { outboxSince: 1 },
        limit,
        projection: { _id: 1, owner: 1, v: 1, outbox: 1 },
        hint: 'outbox',
      },
    );

  return {
    async moveOwn(limit) {
      const { outboxes, more } = own.takeOutboxes(limit);
      const work = workIn(outboxes);
      await add(work);
      const lanes = new Set([...own.takeLanes(), ...work.map(({ lane }) => lane)]);
      if (outboxes.length > 0) {
        await clearing;
        // Nobody has to wait for it: what is not cleared is moved once more, to no effect.
        clearing = shared(() => clear(outboxes)).catch(() => {});
      }
      return { lanes: [...lanes], more };
    },
    async moveOn(limit) {
      if ((await find(limit)).length === 0) return false;
      const lease = createLease((run) => leases.run(run), 'work', LEASE_MS);
      if (!(await lease.take())) return false;
      try {
        const outboxes = await find(limit);
        if (outboxes.length === 0) return false;
        await add(workIn(outboxes));
        await clear(outboxes);
        return outboxes.length === limit;
      } finally {
        // Otherwise it ends by itself.
        await lease.release().catch(() => {});
      }
    },
  };
}
