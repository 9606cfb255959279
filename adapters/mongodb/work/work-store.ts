// Work in its lanes. Every step can be repeated, so that nothing is lost or doubled wherever a process dies.
import type { AnyBulkWriteOperation } from 'mongodb';
import { createAddedWork } from '#core/added-work.ts';
import { BEHIND, isTooMuch, MOST_OVER, OVER_AT_ONCE, type NewWork } from '#core/domain/work.ts';
import type { WorkStore } from '#core/ports/work-store.ts';
import type { Database, VersionedCollection } from '../server/collection.ts';
import type { Deadline } from '../server/deadline.ts';
import { removeSurplus } from '../server/surplus.ts';
import { despiteDuplicates } from '../server/faults.ts';
import type { OwnWork } from './own-work.ts';
import {
  BEHIND_DATE,
  endedFields,
  toWork,
  workFields,
  workId,
  workOf,
  type WorkDocument,
} from '../webhook-documents.ts';
import { createLanes, endRest, lanesOf, newLane, waitingIn, type LaneDocument } from './work-lanes.ts';
import { createMoving } from './work-moving.ts';
import { createProgress, firstsWaiting } from './work-progress.ts';

/** Documents that are given up or removed at once. */
const BATCH = 500;
const LOOK_BEYOND = 64;
/**
 * What ended is stored for so long at least: a move that another process repeats this late finds that it is
 * there.
 */
const ENDED_STAYS_MS = 10 * 60_000;

function createAdd(work: VersionedCollection<WorkDocument>, lanes: VersionedCollection<LaneDocument>) {
  const added = createAddedWork();
  const addedOver = createAddedWork({ count: OVER_AT_ONCE, bytes: Infinity });

  /** Of what was over when it was added, removes all but the latest. */
  async function removeOver(all: readonly NewWork[]): Promise<void> {
    const grown = all.filter(
      ({ lane, payload, endedAt }) => endedAt !== null && addedOver.note(lane, payload),
    );
    for (const { lane, key } of grown)
      await removeSurplus(
        work,
        { lane, key, endedAt: { $exists: true } },
        {
          sort: { createdAt: -1, sequence: -1 },
          skip: MOST_OVER,
          limit: 2 * OVER_AT_ONCE,
          projection: { _id: 1 },
          hint: 'latest',
        },
      );
  }

  /** Ends the rest of lanes in which too much waits. */
  async function look(all: readonly NewWork[]): Promise<void> {
    const grown = all.filter(
      ({ lane, payload, sooner, endedAt }) =>
        sooner !== true && endedAt === null && added.note(lane, payload),
    );
    for (const lane of new Set(grown.map((one) => one.lane)))
      if (isTooMuch(await waitingIn(work, lane))) await endRest(lanes, lane);
  }

  /** In their order, and a lane is due only once its work is there. */
  return async (all: readonly NewWork[]): Promise<void> => {
    if (all.length === 0) return;
    const writes = all.map((one) => (one.sooner === true ? makeSooner(one) : insert(one)));
    await work.run((collection) => despiteDuplicates(() => collection.bulkWrite(writes, { ordered: true })));
    await removeOver(all);
    const earliest = new Map<string, NewWork & { dueAt: number }>();
    for (const one of all) {
      const { lane, dueAt } = one;
      if (dueAt === null) continue;
      if (dueAt < (earliest.get(lane)?.dueAt ?? Infinity)) earliest.set(lane, { ...one, dueAt });
    }
    if (earliest.size === 0) return;
    const due = [...earliest.values()].map(({ lane, kind, ownerId, dueAt }) => ({
      updateOne: {
        filter: { _id: lane },
        update: {
          $min: { dueAt: new Date(dueAt) },
          $inc: { v: 1 },
          $setOnInsert: newLane(kind, ownerId),
        },
        upsert: true,
      },
    }));
    await lanes.run((collection) => collection.bulkWrite(due, { ordered: false }));
    await look(all);
  };
}

function insert(one: NewWork): AnyBulkWriteOperation<WorkDocument> {
  return {
    updateOne: {
      filter: { _id: workId(one.lane, one.id) },
      update: { $setOnInsert: { ...workFields(one), v: 1 } },
      upsert: true,
    },
  };
}

/** Its lane may become due too early by it, which does nothing. */
function makeSooner({ lane, id, dueAt }: NewWork): AnyBulkWriteOperation<WorkDocument> {
  const at = new Date(dueAt ?? BEHIND);
  return {
    updateOne: {
      filter: { _id: workId(lane, id), attempts: 0, dueAt: { $gt: at, $lt: BEHIND_DATE } },
      update: { $set: { dueAt: at }, $inc: { v: 1 } },
    },
  };
}

/** The work of a lane that may be done now. */
function createNext(work: VersionedCollection<WorkDocument>): Pick<WorkStore, 'next'> {
  async function firstsOf(lane: string, keys: readonly string[]): Promise<Map<string, string>> {
    const found = await firstsWaiting(work, lane, keys);
    return new Map(found.map(({ key, id }) => [key, id]));
  }

  const setDue = (filter: object, dueAt: Date) =>
    work.run((collection) => collection.updateMany(filter, { $set: { dueAt }, $inc: { v: 1 } }));

  return {
    async next(lane, now, limit, except) {
      for (;;) {
        const due = await work.find(
          { lane, dueAt: { $lte: new Date(now) } },
          {
            sort: { dueAt: 1 },
            limit: limit + LOOK_BEYOND,
            projection: { id: 1, key: 1 },
            hint: 'waiting',
          },
        );
        if (due.length === 0) return [];
        const firsts = await firstsOf(lane, [...new Set(due.map(({ key }) => key))]);
        const behind = due.filter(({ id, key }) => firsts.has(key) && firsts.get(key) !== id);
        if (behind.length > 0) {
          await setDue({ _id: { $in: behind.map(({ _id }) => _id) }, dueAt: { $exists: true } }, BEHIND_DATE);
          // What they wait for may have ended in between.
          const again = await firstsOf(lane, [...new Set(behind.map(({ key }) => key))]);
          const free = behind.filter(({ id, key }) => again.get(key) === id);
          if (free.length > 0) await setDue({ _id: { $in: free.map(({ _id }) => _id) } }, new Date(now));
        }
        const wanted = due
          .filter(({ id, key }) => firsts.get(key) === id && !except.has(key))
          .slice(0, limit);
        // Behind what waits for others, there may be more that is due.
        if (wanted.length < limit && behind.length > 0) continue;
        const found = await work.find(
          { _id: { $in: wanted.map(({ _id }) => _id) }, dueAt: { $exists: true } },
          { sort: { dueAt: 1 } },
        );
        return found.map(toWork);
      }
    },
  };
}

export function createMongoWorkStore(
  database: Database,
  deadline: Pick<Deadline, 'shared'>,
  own: OwnWork,
): WorkStore {
  const work = workOf(database);
  const lanes = lanesOf(database);
  const add = createAdd(work, lanes);
  const { wakeLane, ...others } = createLanes(lanes, work);

  return {
    ...others,
    ...createNext(work),
    progress: createProgress(work, deadline),
    ...createMoving(database, deadline, own, add),
    async add(all) {
      await add(all);
      own.noteLanes(all.map(({ lane }) => lane));
    },
    async wakeLane(lane, now) {
      await wakeLane(lane, now);
      own.noteLanes([lane]);
    },
    waiting: (lane) => waitingIn(work, lane),
    async endLane(lane, at, { result, most }) {
      const waits = { lane, dueAt: { $exists: true } };
      const removed = await removeSurplus(work, waits, {
        sort: { createdAt: -1, sequence: -1 },
        skip: most,
        limit: BATCH,
        projection: { _id: 1 },
        hint: 'latest',
      });
      if (removed.length === BATCH) return true;
      await work.run((collection) =>
        collection.updateMany(waits, {
          $set: { status: 'failed', result, ...endedFields(at) },
          $unset: { dueAt: '' },
          $inc: { v: 1 },
        }),
      );
      return false;
    },
    async removeLane(lane) {
      await work.removeMany({ lane });
      await lanes.removeMany({ _id: lane });
    },
    async list(owner, lane, limit) {
      const found = await work.find(
        { lane, owner },
        { sort: { createdAt: -1, sequence: -1 }, limit, hint: 'latest' },
      );
      return found.map(toWork);
    },
    async get(ownerId, lane, id) {
      const found = await work.read(workId(lane, id));
      return found?.owner === ownerId ? toWork(found) : null;
    },
    async trim(lane, most) {
      const ended = { lane, endedAt: { $lt: new Date(Date.now() - ENDED_STAYS_MS) } };
      const options = {
        sort: { endedAt: -1 },
        skip: most,
        limit: BATCH,
        projection: { _id: 1 },
        hint: 'ended',
      } as const;
      while ((await removeSurplus(work, ended, options)).length === BATCH);
    },
    async purge(now) {
      await work.removeMany({ purgeAt: { $lte: new Date(now) } });
    },
  };
}
