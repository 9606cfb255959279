// Reads an owner's queue. The tasks visible at `now` are one range of an index: `visibleUntil` after `now`.
// Statistics are counted from an index, because a stored counter drifts at a crash without transactions. The
// revision is the sum over that index of a random number of each visible task, which changes with the task,
// so it is never late or lost; two queues have the same sum once in 2^47. What sleeps is summed apart. Both
// cost the server time for each live task, so that simultaneous callers share them. For a search the server
// looks at each live task of the owner, with a time limit.
import { UNDO_WINDOW_MS, type Facets, type Priority, type Statistics } from '#core/contract/index.ts';
import { createByteBudget } from '#core/domain/page.ts';
import { MAX_FACETS } from '#core/domain/facets.ts';
import { LIVE, PINNED } from '#core/domain/task-state.ts';
import { isSearch, looksAtTexts, type TaskFilter, type TaskStore } from '#core/ports/task-store.ts';
import type { Query, VersionedCollection } from '../server/collection.ts';
import type { Deadline } from '../server/deadline.ts';
import { createSharedRead } from '../promises.ts';
import { countByBucket, countSleeping } from './task-counts.ts';
import { bucketOf, documentBytes, toTask, type TaskDocument } from './task-documents.ts';
import { awakeAt, conditions, sortOf, sortStages } from './task-query.ts';

type TaskList = Pick<
  TaskStore,
  'list' | 'facets' | 'listById' | 'statistics' | 'revision' | 'listRestorable'
>;

/** Of what several callers wait for. */
type Shared = Pick<Deadline, 'shared'>;

interface Counts {
  listed: ReadonlyMap<{ priority: Priority; pinned: boolean }, number>;
  snoozed: number;
}

const visible = (ownerId: string, now: number): Query => ({
  owner: ownerId,
  visibleUntil: { $gt: new Date(now) },
});

const sleeping = (ownerId: string, now: number): Query => ({
  owner: ownerId,
  wakeAt: { $gt: new Date(now) },
});

function createCounts(tasks: VersionedCollection<TaskDocument>, { shared }: Shared) {
  const read = async (ownerId: string, now: number): Promise<Counts> => {
    const [all, asleep] = await Promise.all([
      countByBucket(tasks, ownerId, now),
      countSleeping(tasks, sleeping(ownerId, now)),
    ]);
    let snoozed = 0;
    for (const count of asleep.values()) snoozed += count;
    const listed = [...all].map(([bucket, count]) => {
      // The two are read at once, but not in one moment.
      const left = Math.max(0, count - (asleep.get(bucket) ?? 0));
      return [bucketOf(bucket), left] as const;
    });
    return { listed: new Map(listed), snoozed };
  };
  return createSharedRead((ownerId, now) => shared(() => read(ownerId, now)));
}

function createRevision(tasks: VersionedCollection<TaskDocument>, { shared }: Shared) {
  const read = async (ownerId: string, now: number): Promise<string> => {
    const [listed, asleep] = await Promise.all([
      tasks.sum(visible(ownerId, now), 'salt', 'usage'),
      tasks.sum(sleeping(ownerId, now), 'salt', 'asleep'),
    ]);
    return `${listed}.${asleep}`;
  };
  return createSharedRead((ownerId, now) => shared(() => read(ownerId, now)));
}

/** The server ends each of the two reads of a search after `searchMs`. */
export function createTaskList(
  tasks: VersionedCollection<TaskDocument>,
  deadline: Shared,
  searchMs: number,
): TaskList {
  const countsOf = createCounts(tasks, deadline);

  return {
    async list({ ownerId, filter, order = 'newest', limit, offset, now, signal }) {
      const where = conditions(ownerId, filter, now);
      const budget = createByteBudget();
      const hint =
        filter.snoozed === true ? 'asleep' : filter.priority === undefined ? 'list' : 'list_priority';
      const bounds = isSearch({ filter, order }) ? { hint, signal, maxTimeMS: searchMs } : { hint };
      const within = { budget, bytesOf: documentBytes };
      const sort = sortOf({ filter, order });
      const [counts, page] = await Promise.all([
        countsOf(ownerId, now),
        sort === undefined
          ? tasks.aggregate<TaskDocument>([{ $match: where }, ...sortStages(order, offset, limit)], {
              ...bounds,
              within,
            })
          : tasks.find(where, { sort, skip: offset, limit, ...bounds, within }),
      ]);
      const isWhole = !budget.isFull() && page.length < limit && (page.length > 0 || offset === 0);
      const total =
        !looksAtTexts(filter) && filter.snoozed !== true
          ? countOf(counts, filter)
          : isWhole
            ? offset + page.length
            : await tasks.count(where, bounds);
      return { tasks: page.map(toTask), total, statistics: toStatistics(counts) };
    },
    async facets({ ownerId, now, signal }) {
      const [found] = await tasks.aggregate<Facets>(
        [{ $match: conditions(ownerId, {}, now) }, ...FACET_STAGES],
        { hint: 'list', signal, maxTimeMS: searchMs },
      );
      return found ?? { sources: [], tags: [], intakes: [] };
    },
    async listById({ ownerId, after, before, order, limit, now, asleep }) {
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
          ...(asleep === true ? {} : { wakeAt: awakeAt(now) }),
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
    revision: createRevision(tasks, deadline),
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

/** The most frequent values of a field, or of what its array has. */
const mostFrequent = (field: string) => [
  { $match: { [field]: { $nin: [null, ''] } } },
  { $group: { _id: `$${field}`, count: { $sum: 1 } } },
  { $sort: { count: -1, _id: 1 } },
  { $limit: MAX_FACETS },
  { $project: { _id: 0, value: '$_id', count: 1 } },
];

/** One document: the {@link Facets} of the tasks. */
const FACET_STAGES = [
  { $project: { source: 1, tags: 1, intake: 1 } },
  {
    $facet: {
      sources: mostFrequent('source'),
      tags: [{ $unwind: '$tags' }, ...mostFrequent('tags')],
      intakes: [
        { $match: { 'intake.id': { $type: 'string' } } },
        // The greatest is that of the greatest task id.
        {
          $group: {
            _id: '$intake.id',
            latest: { $max: { task: '$_id', name: '$intake.name' } },
            count: { $sum: 1 },
          },
        },
        { $sort: { count: -1, _id: 1 } },
        { $limit: MAX_FACETS },
        { $project: { _id: 0, id: '$_id', name: '$latest.name', count: 1 } },
      ],
    },
  },
];

function countOf({ listed }: Counts, filter: TaskFilter): number {
  let total = 0;
  for (const [{ priority, pinned }, count] of listed)
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
    snoozed: counts.snoozed,
  };
}
