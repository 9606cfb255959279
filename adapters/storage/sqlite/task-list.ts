// Reads pages of an owner's live tasks. Unfiltered, by priority or by pin, the total comes from the owner's counts and
// the page from an index in the order of the list; other filters look at each live task of the owner.
import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import type { Priority } from '#core/contract/index.ts';
import type { Task } from '#core/domain/task.ts';
import type { TaskFilter, TaskPage } from '#core/ports/task-store.ts';
import { prepareQuery, type Query, type Row } from './database.ts';
import { toStatistics, type Counts, type Owners } from './owners.ts';
import { createTaskCache } from './task-cache.ts';
import { LIVE, PINNED, PRIORITY_NUMBER, TASK_COLUMNS, toTask } from './rows.ts';

export type ListTasks = (
  ownerId: string,
  filter: TaskFilter,
  limit: number,
  offset: number,
  now: number,
) => TaskPage;

/** What a list reads when there is nothing. */
export const EMPTY_PAGE: TaskPage = {
  tasks: [],
  total: 0,
  statistics: { total: 0, high: 0, normal: 0, low: 0, pinned: 0 },
};

export function createTaskList(db: DatabaseSync, owners: Owners): ListTasks {
  // One statement for each shape of filter, made when first needed; there are fewer than 200 shapes.
  const prepared = new Map<string, Query>();
  const prepare = (sql: string): Query => {
    let query = prepared.get(sql);
    if (query === undefined) prepared.set(sql, (query = prepareQuery(db, sql)));
    return query;
  };

  const kept = createTaskCache();

  // Which tasks in which version, first; their rows are only read when most of them are new.
  function readPage(ownerId: string, where: string, parameters: SQLInputValue[]): Task[] {
    const order = 'ORDER BY state DESC, id DESC LIMIT ? OFFSET ?';
    const known = prepare(`SELECT id, version ${where} ${order}`)
      .all(...parameters)
      .map(([id, version]) => kept.get(id as string, version as number));
    if (known.every((task) => task !== undefined)) return known;
    return prepare(`SELECT ${TASK_COLUMNS} ${where} ${order}`)
      .all(...parameters)
      .map(
        (row) =>
          kept.get(row[2] as string, row[12] as number) ?? kept.keep(toTask(row, ownerId), weightOf(row)),
      );
  }

  return (ownerId, filter, limit, offset, now) => {
    const owner = owners.find(ownerId);
    if (owner === null) return EMPTY_PAGE;
    const counts = owners.read(owner);
    const overdue = owners.overdue(owner, now);
    const statistics = toStatistics(counts, overdue);
    const { where, parameters } = conditions(filter, owner, overdue[0] + overdue[1] + overdue[2] > 0, now);
    const counted = isCounted(filter) ? countOf(filter, counts, overdue) : null;
    // Knowing how many there are, the search ends with the last of them and not at the end of what is past its time.
    const most = counted === null ? limit : Math.max(0, Math.min(limit, counted - offset));
    const tasks = most === 0 ? [] : readPage(ownerId, where, [...parameters, most, offset]);
    if (counted !== null) return { tasks, total: counted, statistics };
    const isLastPage = tasks.length < limit && (tasks.length > 0 || offset === 0);
    const total = isLastPage
      ? offset + tasks.length
      : (prepare(`SELECT count(*) ${where}`).get(...parameters)?.[0] as number);
    return { tasks, total, statistics };
  };
}

/** Characters of what is long in a row: content, tags, metadata. */
function weightOf(row: Row): number {
  return [row[3], row[6], row[7]].reduce<number>(
    (sum, text) => sum + (typeof text === 'string' ? text.length : 0),
    0,
  );
}

function isCounted(filter: TaskFilter): boolean {
  return filter.source === undefined && filter.tag === undefined && filter.text === undefined;
}

function countOf(filter: TaskFilter, counts: Counts, overdue: readonly number[]): number {
  let total = 0;
  for (const [name, priority] of Object.entries(PRIORITY_NUMBER) as [Priority, number][]) {
    if (filter.priority !== undefined && filter.priority !== name) continue;
    if (filter.pinned !== true)
      total += (counts.unpinned[priority] as number) - (overdue[priority] as number);
    if (filter.pinned !== false) total += counts.pinned[priority] as number;
  }
  return total;
}

function conditions(filter: TaskFilter, owner: number, someOverdue: boolean, now: number) {
  // Normal priority has no index of its own (most tasks are, and each index costs at every create).
  const byPriority = filter.priority !== undefined && filter.priority !== 'normal';
  // `state > 0` and `priority <> 1` repeat what partial indexes say of themselves.
  let where = `FROM tasks INDEXED BY ${byPriority ? 'tasks_list_priority' : 'tasks_list'} WHERE owner = ? AND state > 0`;
  const parameters: SQLInputValue[] = [owner];
  if (filter.priority !== undefined) {
    where += ` AND priority = ${PRIORITY_NUMBER[filter.priority]}${byPriority ? ' AND priority <> 1' : ''}`;
  }
  if (filter.pinned !== undefined) where += ` AND state = ${filter.pinned ? PINNED : LIVE}`;
  if (someOverdue && filter.pinned !== true) {
    where += ` AND (state = ${PINNED} OR expires_at > ?)`;
    parameters.push(now);
  }
  if (filter.source !== undefined) {
    where += ' AND source = ?';
    parameters.push(filter.source);
  }
  if (filter.tag !== undefined) {
    where += ' AND EXISTS (SELECT 1 FROM json_each(tags) WHERE value = ?)';
    parameters.push(filter.tag);
  }
  if (filter.text !== undefined) {
    // instr and not LIKE: nothing to escape, and it looks beyond a NUL.
    where +=
      ' AND (instr(lower(content), ?) > 0 OR EXISTS (SELECT 1 FROM json_each(tags) WHERE instr(lower(value), ?) > 0))';
    const text = lowerAscii(filter.text);
    parameters.push(text, text);
  }
  return { where, parameters };
}

/** As SQLite's lower(): ASCII letters only. */
function lowerAscii(text: string): string {
  return text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}
