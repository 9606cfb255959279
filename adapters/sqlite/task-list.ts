// Reads pages of an owner's live tasks, unfiltered, by priority or by pin: the total comes from the owner's counts and the page
// from an index in the order of the list. What looks at each live task is a search (task-search.ts).
import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import type { Priority } from '#core/contract/index.ts';
import { createByteBudget, type ByteBudget } from '#core/domain/page.ts';
import type { Task } from '#core/domain/task.ts';
import type { TaskFilter, TaskPage, TaskQuery } from '#core/ports/task-store.ts';
import { prepareQuery, type Query, type Row } from './database.ts';
import { toStatistics, type Owners } from './owners.ts';
import type { TaskCache } from './task-cache.ts';
import { LIVE, PINNED, PRIORITY_NUMBER, TASK_BYTES, TASK_COLUMNS, toTask } from './rows.ts';

export type ListTasks = (query: TaskQuery) => TaskPage;

/** What a list reads when there is nothing. */
export const EMPTY_PAGE: TaskPage = {
  tasks: [],
  total: 0,
  statistics: { total: 0, high: 0, normal: 0, low: 0, pinned: 0 },
};

export function createTaskList(db: DatabaseSync, owners: Owners, kept: TaskCache): ListTasks {
  // One statement for each shape of filter, made when first needed; there are fewer than 50 shapes.
  const prepared = new Map<string, Query>();
  const prepare = (sql: string): Query => {
    let query = prepared.get(sql);
    if (query === undefined) prepared.set(sql, (query = prepareQuery(db, sql)));
    return query;
  };

  // Which tasks in which version and how large, first; of their rows, those that fit are read, when some of them are new.
  function readPage(
    ownerId: string,
    { where, parameters }: Part,
    limit: number,
    offset: number,
    filling: ByteBudget,
  ): Task[] {
    if (limit <= 0 || filling.isFull()) return [];
    const order = 'ORDER BY id DESC LIMIT ? OFFSET ?';
    const rows = prepare(`SELECT id, version, ${TASK_BYTES} ${where} ${order}`).all(
      ...parameters,
      limit,
      offset,
    );
    const fitting = rows.filter((row) => filling.takes(row[2] as number));
    const known = fitting.map(([id, version]) => kept.get(id as string, version as number));
    if (known.every((task) => task !== undefined)) return known;
    return prepare(`SELECT ${TASK_COLUMNS} ${where} ${order}`)
      .all(...parameters, fitting.length, offset)
      .map((row) => takeRow(kept, row, ownerId));
  }

  return ({ ownerId, filter, limit, offset, now }) => {
    const owner = owners.find(ownerId);
    if (owner === null) return EMPTY_PAGE;
    const counts = owners.read(owner);
    const overdue = owners.overdue(owner, now);
    const statistics = toStatistics(counts, overdue);

    // Pinned ones come first: the list is two parts, each read in the order of an index of its own.
    const pinned = partOf(filter, owner, PINNED, null);
    const live = partOf(filter, owner, LIVE, overdue[0] + overdue[1] + overdue[2] > 0 ? now : null);
    const pinnedTotal = filter.pinned === false ? 0 : sumOf(counts.pinned, filter);
    const filling = createByteBudget();
    const first = readPage(ownerId, pinned, Math.min(limit, pinnedTotal - offset), offset, filling);
    const liveOffset = Math.max(0, offset - pinnedTotal);
    if (filter.pinned === true) return { tasks: first, total: pinnedTotal, statistics };
    // Knowing how many there are, the read ends with the last of them and not at the end of what is past its time.
    const liveTotal = sumOf(counts.unpinned, filter) - sumOf(overdue, filter);
    const most = Math.min(limit - first.length, liveTotal - liveOffset);
    const rest = readPage(ownerId, live, most, liveOffset, filling);
    return { tasks: [...first, ...rest], total: pinnedTotal + liveTotal, statistics };
  };
}

/** The task in a row of {@link TASK_COLUMNS}: the kept one when it is in this version, else read and kept. */
export function takeRow(kept: TaskCache, row: Row, ownerId: string): Task {
  return kept.get(row[2] as string, row[12] as number) ?? kept.keep(toTask(row, ownerId), weightOf(row));
}

/** Characters of what is long in a row: content, tags, metadata. */
function weightOf(row: Row): number {
  return [row[3], row[6], row[7]].reduce<number>(
    (sum, text) => sum + (typeof text === 'string' ? text.length : 0),
    0,
  );
}

/** The numbers of the priorities that the filter lets through, added up. */
function sumOf(byPriority: readonly number[], filter: TaskFilter): number {
  let sum = 0;
  for (const [name, priority] of Object.entries(PRIORITY_NUMBER) as [Priority, number][])
    if (filter.priority === undefined || filter.priority === name) sum += byPriority[priority] as number;
  return sum;
}

/** The pinned or the live part of an owner's list, as far as the filter lets it through. */
interface Part {
  where: string;
  parameters: SQLInputValue[];
}

/** `now` is given when some live tasks are past their time and must be left out. */
function partOf(
  filter: TaskFilter,
  owner: number,
  state: typeof PINNED | typeof LIVE,
  now: number | null,
): Part {
  const index = state === PINNED ? 'tasks_pinned' : 'tasks_by_id';
  let where = `FROM tasks INDEXED BY ${index} WHERE owner = ? AND state = ${state}`;
  const parameters: SQLInputValue[] = [owner];
  if (filter.priority !== undefined) where += ` AND priority = ${PRIORITY_NUMBER[filter.priority]}`;
  if (now !== null) {
    where += ' AND expires_at > ?';
    parameters.push(now);
  }
  return { where, parameters };
}
