// What came of attempts. Those that end while others are being stored are stored together: many lanes share
// three commands.
import { BEHIND, type Work, type WorkProgress } from '#core/domain/work.ts';
import type { WorkStore } from '#core/ports/work-store.ts';
import type { VersionedCollection } from '../server/collection.ts';
import type { Deadline } from '../server/deadline.ts';
import { createGroups } from '../promises.ts';
import { BEHIND_DATE, endedFields, workId, type WorkDocument } from '../webhook-documents.ts';

/** Attempts of which the results are stored at once. */
const MOST = 128;

interface Step {
  work: Work;
  progress: WorkProgress;
}

/** The first that waits of each of these keys. */
export function firstsWaiting(
  work: VersionedCollection<WorkDocument>,
  lane: string,
  keys: readonly string[],
): Promise<{ _id: string; key: string; id: string; dueAt: Date }[]> {
  return work.aggregate(
    [
      { $match: { lane, key: { $in: keys }, dueAt: { $exists: true } } },
      { $sort: { lane: 1, key: 1, sequence: 1, id: 1 } },
      {
        $group: { _id: '$key', first: { $first: { _id: '$_id', key: '$key', id: '$id', dueAt: '$dueAt' } } },
      },
      { $replaceRoot: { newRoot: '$first' } },
    ],
    { hint: 'order' },
  );
}

export function createProgress(
  work: VersionedCollection<WorkDocument>,
  { shared }: Pick<Deadline, 'shared'>,
): WorkStore['progress'] {
  const storeAll = async (steps: readonly Step[]): Promise<void> => {
    const writes = steps.map((step) => ({ updateOne: toUpdate(step) }));
    await work.run((collection) => collection.bulkWrite(writes, { ordered: false }));
    const ended = steps.filter(({ progress }) => progress.endedAt !== null);
    if (ended.length === 0) return;
    // What waits behind these is due, and nothing else was waiting for it.
    const lanes = Map.groupBy(ended, (step) => step.work.lane);
    const firsts = await Promise.all(
      [...lanes].map(([lane, all]) =>
        firstsWaiting(work, lane, [...new Set(all.map((one) => one.work.key))]),
      ),
    );
    const behind = firsts.flat().filter(({ dueAt }) => dueAt.getTime() === BEHIND);
    if (behind.length === 0) return;
    const at = new Date(Math.max(...ended.map(({ progress }) => progress.endedAt ?? 0)));
    await work.run((collection) =>
      collection.updateMany(
        { _id: { $in: behind.map(({ _id }) => _id) }, dueAt: BEHIND_DATE },
        { $set: { dueAt: at }, $inc: { v: 1 } },
      ),
    );
  };
  const store = createGroups<Step>(MOST, (steps) => shared(() => storeAll(steps)));
  return (one, progress) => store({ work: one, progress });
}

function toUpdate({ work, progress }: Step) {
  const { dueAt, endedAt, lastAttemptAt, ...fields } = progress;
  const changed = {
    ...fields,
    lastAttemptAt: lastAttemptAt === null ? null : new Date(lastAttemptAt),
    ...(dueAt === null ? {} : { dueAt: new Date(dueAt) }),
    ...(endedAt === null ? {} : endedFields(endedAt)),
  };
  const dropped = {
    ...(dueAt === null ? { dueAt: '' as const } : {}),
    ...(endedAt === null ? { endedAt: '' as const, purgeAt: '' as const } : {}),
  };
  return {
    filter: { _id: workId(work.lane, work.id) },
    update: { $set: changed, $unset: dropped, $inc: { v: 1 } },
  };
}
