// Counts an owner's live tasks exactly, by an index alone. Each bucket is one range of the index, whose keys
// the server counts without looking into them, in a third of the time that grouping them takes. A stored
// counter would drift at a crash without transactions (docs/decisions/0014).
import { PRIORITIES } from '#core/domain/task-state.ts';
import type { Query, VersionedCollection } from '../server/collection.ts';
import type { TaskDocument } from './task-documents.ts';

/** Of each priority, pinned and not. */
const BUCKETS = Array.from({ length: 2 * PRIORITIES.length }, (_, bucket) => bucket);

/** How many tasks are visible at `now`, by bucket. */
export async function countByBucket(
  tasks: VersionedCollection<TaskDocument>,
  ownerId: string,
  now: number,
): Promise<Map<number, number>> {
  const [first = [], ...others] = BUCKETS.map((bucket) => [
    { $match: { owner: ownerId, bucket, visibleUntil: { $gt: new Date(now) } } },
    { $count: 'count' },
    { $set: { bucket } },
  ]);
  const stages = [...first, ...others.map((pipeline) => ({ $unionWith: { coll: 'tasks', pipeline } }))];
  const found = await tasks.aggregate<{ bucket: number; count: number }>(stages, { hint: 'counts' });
  return new Map(found.map(({ bucket, count }) => [bucket, count]));
}

/** How many snoozed tasks match, by bucket: few as a rule. */
export async function countSleeping(
  tasks: VersionedCollection<TaskDocument>,
  sleeping: Query,
): Promise<Map<number, number>> {
  const stages = [{ $match: sleeping }, { $group: { _id: '$bucket', count: { $sum: 1 } } }];
  const found = await tasks.aggregate<{ _id: number; count: number }>(stages, { hint: 'asleep' });
  return new Map(found.map(({ _id, count }) => [_id, count]));
}
