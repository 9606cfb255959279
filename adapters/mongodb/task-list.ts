// Reads an owner's queue. The tasks visible at `now` are one range of an index: `visibleUntil` after `now`.
// Statistics are counted from an index, because a stored counter drifts at a crash without transactions. The
// revision is the sum over that index of a random number of each visible task, which changes with the task,
// so it is never late or lost; two queues have the same sum once in 2^47. The number of stored tasks follows
// it: an expired queue differs from an unused one. For a search the server looks at each live task of the
// owner, with a time limit.
import { UNDO_WINDOW_MS, type Priority, type Statistics } from '#core/contract/index.ts';
import { createByteBudget } from '#core/domain/page.ts';
import { GONE, LIVE, PINNED } from '#core/domain/task-state.ts';
import { isSearch, type TaskFilter, type TaskStore } from '#core/ports/task-store.ts';
import type { Query, VersionedCollection } from './collection.ts';
import { bucketOf, documentBytes, toTask, type TaskDocument } from './task-documents.ts';

type TaskList = Pick<TaskStore, 'list' | 'listById' | 'statistics' | 'revision' | 'listRestorable'>;

type Counts = ReadonlyMap<{ priority: Priority; pinned: boolean }, number>;

/** The server ends each of the two reads of a search after `searchMs`. */
export function createTaskList(tasks: VersionedCollection<TaskDocument>, searchMs: number): TaskList {
  const visible = (ownerId: string, now: number): Query => ({
    owner: ownerId,
    visibleUntil: { $gt: new Date(now) },
  });

  async function countsOf(ownerId: string, now: number): Promise<Counts> {
    const sums = await tasks.sum(visible(ownerId, now), 'bucket', 1);
    return new Map([...sums].map(([bucket, count]) => [bucketOf(bucket as number), Number(count)]));
  }

  return {
    async list({ ownerId, filter, limit, offset, now, signal }) {
      const where = conditions(ownerId, filter, now);
      const budget = createByteBudget();
      const hint = filter.priority === undefined ? 'list' : 'list_priority';
      const bounds = isSearch(filter) ? { hint, signal, maxTimeMS: searchMs } : { hint };
      const [counts, page] = await Promise.all([
        countsOf(ownerId, now),
        tasks.find(where, {
          sort: { state: -1, _id: -1 },
          skip: offset,
          limit,
          ...bounds,
          within: { budget, bytesOf: documentBytes },
        }),
      ]);
      const isWhole = !budget.isFull() && page.length < limit && (page.length > 0 || offset === 0);
      const total = !isSearch(filter)
        ? countOf(counts, filter)
        : isWhole
          ? offset + page.length
          : await tasks.count(where, bounds);
      return { tasks: page.map(toTask), total, statistics: toStatistics(counts) };
    },
    async listById({ ownerId, after, before, order, limit, now }) {
      const ids = {
        ...(after === undefined ? {} : { $gt: after }),
        ...(before === undefined ? {} : { $lt: before }),
      };
      const found = await tasks.find(
        {
          // Two ranges of the index, which the server merges in the order of the ids.
          owner: ownerId,
          state: { $in: [LIVE, PINNED] },
          ...(Object.keys(ids).length === 0 ? {} : { _id: ids }),
          visibleUntil: { $gt: new Date(now) },
        },
        {
          sort: { _id: order === 'ascending' ? 1 : -1 },
          limit,
          hint: 'list',
          within: { budget: createByteBudget(), bytesOf: documentBytes },
        },
      );
      return found.map(toTask);
    },
    async statistics(ownerId, now) {
      return toStatistics(await countsOf(ownerId, now));
    },
    async revision(ownerId, now) {
      const [sums, stored] = await Promise.all([
        tasks.sum(visible(ownerId, now), null, 'salt'),
        tasks.count({ owner: ownerId }),
      ]);
      return `${sums.get(null) ?? '0'}.${stored}`;
    },
    async listRestorable(ownerId, now, limit) {
      const found = await tasks.find(
        { owner: ownerId, acknowledgedAt: { $gt: new Date(now - UNDO_WINDOW_MS) } },
        {
          sort: { acknowledgedAt: -1, _id: -1 },
          limit,
          hint: 'restorable',
          within: { budget: createByteBudget(), bytesOf: documentBytes },
        },
      );
      return found.map(toTask);
    },
  };
}

function countOf(counts: Counts, filter: TaskFilter): number {
  let total = 0;
  for (const [{ priority, pinned }, count] of counts)
    if ((filter.priority ?? priority) === priority && (filter.pinned ?? pinned) === pinned) total += count;
  return total;
}

function toStatistics(counts: Counts): Statistics {
  return {
    total: countOf(counts, {}),
    high: countOf(counts, { priority: 'high' }),
    normal: countOf(counts, { priority: 'normal' }),
    low: countOf(counts, { priority: 'low' }),
    pinned: countOf(counts, { pinned: true }),
  };
}

function conditions(ownerId: string, filter: TaskFilter, now: number): Query {
  const text = filter.text === undefined ? null : { $regex: escapePattern(filter.text), $options: 'i' };
  return {
    owner: ownerId,
    state: filter.pinned === undefined ? { $gt: GONE } : filter.pinned ? PINNED : LIVE,
    visibleUntil: { $gt: new Date(now) },
    ...(filter.priority === undefined ? {} : { priority: filter.priority }),
    ...(filter.source === undefined ? {} : { source: filter.source }),
    ...(filter.tag === undefined ? {} : { tags: filter.tag }),
    ...(text === null ? {} : { $or: [{ content: text }, { tags: text }] }),
  };
}

/** A regular expression that matches the text alone. A pattern cannot contain a NUL itself. */
function escapePattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`).replaceAll('\0', String.raw`\x00`);
}
