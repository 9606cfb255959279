// Lanes of work. A lane is taken for a time by the clock of the server, so that it is free soon after its
// holder died, whatever the clocks of the processes show.
import { BEHIND, NO_REST_IS_SO_LONG_MS, type Waiting } from '#core/domain/work.ts';
import type { HeldLane, WorkStore } from '#core/ports/work-store.ts';
import type { Database, Versioned, VersionedCollection } from '../server/collection.ts';
import { RETRY, retry } from '../promises.ts';
import { BEHIND_DATE, type WorkDocument } from '../webhook-documents.ts';

export interface LaneDocument extends Versioned {
  kind: string;
  owner: string;
  /** At most that of its work; absent when nothing waits. */
  dueAt?: Date;
  restUntil: Date;
  failures: number;
  holder: string | null;
  until: Date;
}

export const lanesOf = (database: Database) =>
  database.collection<LaneDocument>('work_lanes', { optional: { dueAt: true } });

const LONG_AGO = new Date(0);
/** Lanes that are taken at once. */
const AT_ONCE = 16;

/** What a lane is when its first work comes. */
export const newLane = (kind: string, owner: string) => ({
  kind,
  owner,
  restUntil: LONG_AGO,
  failures: 0,
  holder: null,
  until: LONG_AGO,
});

type Lanes = Pick<WorkStore, 'takeLanes' | 'holdLane' | 'leaveLane' | 'wakeLane'>;

export function createLanes(
  lanes: VersionedCollection<LaneDocument>,
  work: VersionedCollection<WorkDocument>,
): Lanes {
  const heldFor = (ms: number) => ({ $add: ['$$NOW', ms] });

  async function take(holder: string, lane: LaneDocument, leaseMs: number): Promise<HeldLane | null> {
    const taken = await lanes.run((collection) =>
      collection.updateOne({ _id: lane._id, v: lane.v, $expr: { $lte: ['$until', '$$NOW'] } }, [
        { $set: { holder, until: heldFor(leaseMs), v: { $add: ['$v', 1] } } },
      ]),
    );
    if (taken.modifiedCount === 0) return null;
    return { id: lane._id, kind: lane.kind, ownerId: lane.owner, failures: lane.failures };
  }

  /** When the lane's work is due; undefined when none waits. */
  async function dueAt(lane: string, now: number): Promise<Date | undefined> {
    const [first] = await work.find(
      { lane, dueAt: { $exists: true } },
      { sort: { dueAt: 1 }, limit: 1, projection: { dueAt: 1 }, hint: 'waiting' },
    );
    if (first?.dueAt?.getTime() !== BEHIND) return first?.dueAt;
    // A holder that died ended what these waited for.
    await update(work, { lane, dueAt: BEHIND_DATE }, new Date(now));
    return new Date(now);
  }

  return {
    async takeLanes(holder, now, leaseMs, limit) {
      const at = new Date(now);
      const due = await lanes.find(
        {
          // The clock of this process only narrows down what is asked for.
          dueAt: { $lte: at },
          restUntil: { $not: { $gt: at, $lte: new Date(now + NO_REST_IS_SO_LONG_MS) } },
          $expr: { $lte: ['$until', '$$NOW'] },
        },
        { sort: { dueAt: 1 }, limit, hint: 'due' },
      );
      const held: HeldLane[] = [];
      for (let from = 0; from < due.length; from += AT_ONCE) {
        const some = due.slice(from, from + AT_ONCE).map((lane) => take(holder, lane, leaseMs));
        for (const taken of await Promise.all(some)) if (taken !== null) held.push(taken);
      }
      return held;
    },
    async holdLane(holder, lane, _now, leaseMs) {
      const held = await lanes.run((collection) =>
        collection.updateOne({ _id: lane, holder }, [
          { $set: { until: heldFor(leaseMs), v: { $add: ['$v', 1] } } },
        ]),
      );
      return held.matchedCount > 0;
    },
    leaveLane: (holder, lane, now, { restUntil, failures }) =>
      retry(async () => {
        const before = await lanes.read(lane);
        if (before?.holder !== holder) return;
        // Work that comes after this read changes the version.
        const due = await dueAt(lane, now);
        const left = { ...before, restUntil: new Date(restUntil), failures, holder: null, until: LONG_AGO };
        const { _id, v: _version, dueAt: _dueAt, ...fields } = left;
        const after = { ...fields, ...(due === undefined ? {} : { dueAt: due }) };
        if (!(await lanes.replace(before, after))) return RETRY;
      }),
    async wakeLane(lane, now) {
      const at = new Date(now);
      await update(work, { lane, attempts: { $gt: 0 }, dueAt: { $gt: at, $lt: BEHIND_DATE } }, at);
      await lanes.run((collection) =>
        collection.updateOne({ _id: lane }, { $set: { dueAt: at, restUntil: LONG_AGO }, $inc: { v: 1 } }),
      );
    },
  };
}

/** What waits in a lane. */
export async function waitingIn(work: VersionedCollection<WorkDocument>, lane: string): Promise<Waiting> {
  const [found] = await work.aggregate<Waiting>(
    [
      { $match: { lane, dueAt: { $gte: LONG_AGO } } },
      { $group: { _id: null, count: { $sum: 1 }, bytes: { $sum: '$bytes' } } },
      { $project: { _id: 0 } },
    ],
    { hint: 'waiting' },
  );
  return found ?? { count: 0, bytes: 0 };
}

export async function endRest(lanes: VersionedCollection<LaneDocument>, lane: string): Promise<void> {
  await lanes.run((collection) =>
    collection.updateOne({ _id: lane }, { $set: { restUntil: LONG_AGO }, $inc: { v: 1 } }),
  );
}

async function update(
  work: VersionedCollection<WorkDocument>,
  query: { lane: string; dueAt: object; attempts?: object },
  dueAt: Date,
): Promise<void> {
  await work.run((collection) => collection.updateMany(query, { $set: { dueAt }, $inc: { v: 1 } }));
}
