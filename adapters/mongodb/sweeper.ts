// Answers each task that expired or woke once over all processes, and removes documents past their `purgeAt`.
// Reads do not depend on it. TTL indexes remove the same documents later.
import { GONE, LIVE } from '#core/domain/task-state.ts';
import type { Task } from '#core/domain/task.ts';
import type { Database, Query, VersionedCollection, Versioned } from './collection.ts';
import type { DedupeKeys } from './dedupe-keys.ts';
import { waitForAll } from './promises.ts';
import { toTask, type TaskDocument } from './task-documents.ts';
import type { TaskWriter } from './task-writer.ts';

/** Most documents that one sweep touches. */
const MAX_SWEEP = 500;

export function createSweeper(
  database: Database,
  tasks: VersionedCollection<TaskDocument>,
  keys: DedupeKeys,
  writer: TaskWriter,
) {
  const claims = database.collection('claims');
  const processed = database.collection('applied_orders');

  return async (now: number, limit: number): Promise<{ expired: Task[]; woken: Task[]; more: boolean }> => {
    let left = Math.min(limit, MAX_SWEEP);
    const due = await tasks.find(
      { state: LIVE, visibleUntil: { $lte: new Date(now) } },
      { sort: { visibleUntil: 1 }, limit: left, hint: 'expiry' },
    );
    const swept = await waitForAll(due.map((document) => writer.sweep(document)));
    left -= due.length;
    const awake =
      left === 0
        ? []
        : await tasks.find(
            { wakeAt: { $lte: new Date(now) } },
            { sort: { wakeAt: 1 }, limit: left, hint: 'wake' },
          );
    const noted = await waitForAll(awake.map((document) => writer.noteWaking(document)));
    left -= awake.length;
    if (left > 0) left -= await purge(tasks, { state: GONE }, now, left);
    if (left > 0) left -= await purge(claims, {}, now, left);
    if (left > 0) left -= await purge(processed, {}, now, left);
    if (left > 0) left -= await keys.purge(now, left);
    return {
      expired: due.filter((_, index) => swept[index]).map(toTask),
      woken: awake.filter((_, index) => noted[index]).map(toTask),
      more: left === 0,
    };
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
