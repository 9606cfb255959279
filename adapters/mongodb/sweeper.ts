// Housekeeping: tells of each task that ran out once over all processes, and removes what is past its time. Reads never
// depend on it. On a server with TTL indexes both may remove; what one has removed the other does not miss.
import type { Task } from '#core/domain/task.ts';
import type { DedupeKeys } from './dedupe-keys.ts';
import { allEnded, type Documents, type Filter, type Kept, type Table } from './documents.ts';
import { GONE, LIVE, toTask, type TaskDocument } from './task-documents.ts';
import type { TaskWriter } from './task-writer.ts';

/** Collections of documents that are merely forgotten at their `purgeAt`. */
const FORGOTTEN = ['claims', 'applied_orders', 'locks'];
/** Most documents that one sweep touches. */
const MAX_SWEEP = 500;

export interface Sweeper {
  sweep(now: number, limit: number): Promise<{ expired: Task[]; more: boolean }>;
}

export function createSweeper(
  documents: Documents,
  tasks: Table<TaskDocument>,
  keys: DedupeKeys,
  writer: TaskWriter,
): Sweeper {
  const forgotten = FORGOTTEN.map((name) => documents.table<Kept>(name));

  async function takeExpired(now: number, limit: number): Promise<{ expired: Task[]; found: number }> {
    const due = await tasks.find(
      { state: LIVE, visibleUntil: { $lte: new Date(now) } },
      { sort: { visibleUntil: 1 }, limit, index: 'expiry' },
    );
    const retired = await allEnded(due.map((document) => writer.retire(document)));
    return { expired: due.filter((_, index) => retired[index]).map(toTask), found: due.length };
  }

  return {
    async sweep(now, limit) {
      const most = Math.min(limit, MAX_SWEEP);
      const { expired, found } = await takeExpired(now, most);
      let left = most - found;
      if (left > 0) left -= await purge(tasks, { state: GONE }, now, left);
      for (const table of forgotten) if (left > 0) left -= await purge(table, {}, now, left);
      if (left > 0) left -= await keys.purge(now, left);
      return { expired, more: left === 0 };
    },
  };
}

/** Removes up to `limit` documents that are past their `purgeAt` and match; how many there were. */
export async function purge<T extends Kept>(
  table: Table<T>,
  filter: Filter,
  now: number,
  limit: number,
): Promise<number> {
  const where = { ...filter, purgeAt: { $lte: new Date(now) } };
  const due = await table.find(where, { limit, fields: ['_id'] });
  if (due.length > 0)
    await table.removeAll(
      due.map(({ _id }) => _id),
      where,
    );
  return due.length;
}
