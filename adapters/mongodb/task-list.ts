// Reads of an owner's queue. What is visible at `now` is one range of an index: `visibleUntil` after `now`.
//
// Statistics are counted from an index at every read, and not kept as counters: without transactions a counter drifts at the
// first crash. The revision is a sum over the same index of a random number on each visible task, drawn anew with every
// change: it is a function of what is visible and of nothing else, so it cannot be late, early or lost in a crash, and two
// sights have the same sum once in 2^47. Beside it stands how many tasks are stored, so that a queue that ran out
// does not look like one that was never used.
//
// A search looks at each live task of the owner, in the order of the list, whose index finds them: the server does that, within a
// time that it is given.
import { UNDO_WINDOW_MS, type Priority, type Statistics } from '#core/contract/index.ts';
import { createByteBudget } from '#core/domain/page.ts';
import type { Task } from '#core/domain/task.ts';
import { isSearch, type TaskFilter, type TaskPage } from '#core/ports/task-store.ts';
import type { Filter, Table } from './documents.ts';
import { bucketOf, documentBytes, GONE, LIVE, PINNED, toTask, type TaskDocument } from './task-documents.ts';

export interface TaskList {
  list(
    ownerId: string,
    filter: TaskFilter,
    limit: number,
    offset: number,
    now: number,
    signal?: AbortSignal,
  ): Promise<TaskPage>;
  statistics(ownerId: string, now: number): Promise<Statistics>;
  revision(ownerId: string, now: number): Promise<string>;
  listRestorable(ownerId: string, now: number, limit: number): Promise<Task[]>;
}

type Counts = ReadonlyMap<{ priority: Priority; pinned: boolean }, number>;

/** After `searchMs` the server gives up each of the two reads that a search is. */
export function createTaskList(tasks: Table<TaskDocument>, searchMs: number): TaskList {
  const visible = (ownerId: string, now: number): Filter => ({
    owner: ownerId,
    visibleUntil: { $gt: new Date(now) },
  });

  async function countsOf(ownerId: string, now: number): Promise<Counts> {
    const sums = await tasks.sum(visible(ownerId, now), 'bucket', 1);
    return new Map([...sums].map(([bucket, count]) => [bucketOf(bucket as number), Number(count)]));
  }

  return {
    async list(ownerId, filter, limit, offset, now, signal) {
      const where = conditions(ownerId, filter, now);
      const into = createByteBudget();
      const index = filter.priority === undefined ? 'list' : 'list_priority';
      const bounds = isSearch(filter) ? { index, signal, timeMs: searchMs } : { index };
      const [counts, page] = await Promise.all([
        countsOf(ownerId, now),
        tasks.find(where, {
          sort: { state: -1, _id: -1 },
          skip: offset,
          limit,
          ...bounds,
          filling: { into, bytesOf: documentBytes },
        }),
      ]);
      const isWhole = !into.isFull() && page.length < limit && (page.length > 0 || offset === 0);
      const total = !isSearch(filter)
        ? countOf(counts, filter)
        : isWhole
          ? offset + page.length
          : await tasks.count(where, bounds);
      return { tasks: page.map(toTask), total, statistics: toStatistics(counts) };
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
          index: 'restorable',
          filling: { into: createByteBudget(), bytesOf: documentBytes },
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

function conditions(ownerId: string, filter: TaskFilter, now: number): Filter {
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

/** The text as a regular expression that matches it and nothing else. A pattern cannot contain a NUL itself. */
function escapePattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`).replaceAll('\0', String.raw`\x00`);
}
