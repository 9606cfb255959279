// Reads pages of an owner's live tasks, unfiltered, by priority or by pin: the total from the owner's counts,
// the page from an index in list order. Other filters are searches (task-search.ts).
import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import { createByteBudget, type ByteBudget } from '#core/domain/page.ts';
import { LIVE, PINNED, PRIORITIES } from '#core/domain/task-state.ts';
import { PRIORITY_RANK, type Task } from '#core/domain/task.ts';
import type { TaskFilter, TaskPage, TaskQuery } from '#core/ports/task-store.ts';
import { prepareArrays } from '../database.ts';
import { toStatistics, type Owners } from '../owners.ts';
import type { TaskCache } from './task-cache.ts';
import { AWAKE } from './task-sleep.ts';
import { COLUMN, TASK_BYTES, TASK_COLUMNS, toTask, type TaskRow } from './task-rows.ts';

export type ListTasks = (query: TaskQuery) => TaskPage;

/** The page of an owner without tasks. */
export const EMPTY_PAGE: TaskPage = {
  tasks: [],
  total: 0,
  statistics: { total: 0, high: 0, normal: 0, low: 0, pinned: 0, snoozed: 0 },
};

export function createTaskList(db: DatabaseSync, owners: Owners, cache: TaskCache): ListTasks {
  // Two statements for each shape of filter, prepared when first needed; there are fewer than 50.
  const prepared = new Map<string, ReturnType<typeof preparePart>>();

  function preparePart(where: string) {
    const page = `${where} ORDER BY id DESC LIMIT +? OFFSET ?`;
    return {
      versions: prepareArrays<readonly [id: string, version: number, bytes: number]>(
        db,
        `SELECT id, version, ${TASK_BYTES} ${page}`,
      ),
      rows: prepareArrays<TaskRow>(db, `SELECT ${TASK_COLUMNS} ${page}`),
    };
  }

  // Reads versions and sizes first; then the rows of those that fit, when one of them is not cached.
  function readPage(
    ownerId: string,
    { where, parameters }: Part,
    limit: number,
    offset: number,
    budget: ByteBudget,
  ): Task[] {
    if (limit <= 0 || budget.isFull()) return [];
    let statements = prepared.get(where);
    if (statements === undefined) prepared.set(where, (statements = preparePart(where)));
    const versions = statements.versions.all(...parameters, limit, offset);
    const fitting = versions.filter(([, , bytes]) => budget.takes(bytes));
    const cached = fitting.map(([id, version]) => cache.get(ownerId, id, version));
    if (cached.every((task) => task !== undefined)) return cached;
    const rows = statements.rows.all(...parameters, fitting.length, offset);
    return rows.map((row) => taskOf(cache, row, ownerId));
  }

  return ({ ownerId, filter, limit, offset, now }) => {
    const owner = owners.find(ownerId);
    if (owner === null) return EMPTY_PAGE;
    const counts = owners.read(owner);
    const overdue = owners.overdue(owner, now);
    const asleep = owners.asleep(owner, counts, now);
    const statistics = toStatistics(counts, overdue, asleep);
    const hiddenAt = asleep.total > 0 ? now : null;

    // Pinned tasks come first: the list has two parts, each in the order of its own index.
    const pinned = partOf(filter, owner, PINNED, { expiredAt: null, hiddenAt });
    const expiredAt = overdue[0] + overdue[1] + overdue[2] > 0 ? now : null;
    const live = partOf(filter, owner, LIVE, { expiredAt, hiddenAt });
    const pinnedTotal =
      filter.pinned === false ? 0 : sumOf(counts.pinned, filter) - sumOf(asleep.pinned, filter);
    const budget = createByteBudget();
    const first = readPage(ownerId, pinned, Math.min(limit, pinnedTotal - offset), offset, budget);
    const liveOffset = Math.max(0, offset - pinnedTotal);
    if (filter.pinned === true) return { tasks: first, total: pinnedTotal, statistics };
    // With the number of live tasks the read ends at the last of them, and not after the expired ones.
    const liveTotal =
      sumOf(counts.unpinned, filter) - sumOf(overdue, filter) - sumOf(asleep.unpinned, filter);
    const most = Math.min(limit - first.length, liveTotal - liveOffset);
    const rest = readPage(ownerId, live, most, liveOffset, budget);
    return { tasks: [...first, ...rest], total: pinnedTotal + liveTotal, statistics };
  };
}

/** The task in a row: from the cache, or added to it. */
export function taskOf(cache: TaskCache, row: TaskRow, ownerId: string): Task {
  const cached = cache.get(ownerId, row[COLUMN.id], row[COLUMN.version]);
  if (cached !== undefined) return cached;
  const characters =
    row[COLUMN.content].length + (row[COLUMN.tags]?.length ?? 0) + (row[COLUMN.metadata]?.length ?? 0);
  return cache.add(toTask(row, ownerId), characters);
}

/** The sum of the counts that the filter includes. */
function sumOf(byPriority: readonly number[], { priority }: TaskFilter): number {
  return byPriority.reduce(
    (sum, count, rank) => (priority === undefined || PRIORITIES[rank] === priority ? sum + count : sum),
    0,
  );
}

/** The pinned or the unpinned part of an owner's list. */
interface Part {
  where: string;
  parameters: SQLInputValue[];
}

/** Times are given when some live tasks are expired, or snoozed, then and must be left out. */
function partOf(
  filter: TaskFilter,
  owner: number,
  state: typeof PINNED | typeof LIVE,
  { expiredAt, hiddenAt }: { expiredAt: number | null; hiddenAt: number | null },
): Part {
  const index = state === PINNED ? 'tasks_pinned' : 'tasks_by_id';
  let where = `FROM tasks INDEXED BY ${index} WHERE owner = ? AND state = ${state}`;
  const parameters: SQLInputValue[] = [owner];
  if (filter.priority !== undefined) where += ` AND priority = ${PRIORITY_RANK[filter.priority]}`;
  if (expiredAt !== null) {
    where += ' AND expires_at > ?';
    parameters.push(expiredAt);
  }
  if (hiddenAt !== null) {
    where += ` AND ${AWAKE}`;
    parameters.push(owner, hiddenAt);
  }
  return { where, parameters };
}
