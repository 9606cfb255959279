// Reads ranges of an owner's live tasks in the order of their ids.
import type { DatabaseSync } from 'node:sqlite';
import { takeWithinBytes } from '#core/domain/page.ts';
import { PINNED } from '#core/domain/task-state.ts';
import type { Task } from '#core/domain/task.ts';
import type { TaskRange } from '#core/ports/task-store.ts';
import { prepareArrays } from '../database.ts';
import type { TaskCache } from './task-cache.ts';
import { taskOf } from './task-list.ts';
import { TASK_BYTES, TASK_COLUMNS, type TaskRow } from './task-rows.ts';

/** Below and above every id. */
const FIRST = '';
const LAST = '\u{10FFFF}';

/** `owner` is its number in the tables. */
export type ListById = (owner: number, range: TaskRange) => Task[];

export function createTaskRange(db: DatabaseSync, cache: TaskCache): ListById {
  const inOrder = (order: 'ASC' | 'DESC') => {
    const range =
      'FROM tasks INDEXED BY tasks_by_id WHERE owner = ? AND id > ? AND id < ? AND state > 0 ' +
      `AND (state = ${PINNED} OR expires_at > ?) AND (wake_at IS NULL OR wake_at <= ?) ORDER BY id ${order} LIMIT +?`;
    return {
      bytes: prepareArrays<readonly [bytes: number]>(db, `SELECT ${TASK_BYTES} ${range}`),
      rows: prepareArrays<TaskRow>(db, `SELECT ${TASK_COLUMNS} ${range}`),
    };
  };
  const statements = { ascending: inOrder('ASC'), descending: inOrder('DESC') };

  return (owner, { ownerId, after = FIRST, before = LAST, order, limit, now, asleep }) => {
    const { bytes, rows } = statements[order];
    const wokenAt = asleep === true ? Number.MAX_SAFE_INTEGER : now;
    const fitting = takeWithinBytes(bytes.all(owner, after, before, now, wokenAt, limit), ([size]) => size);
    return rows
      .all(owner, after, before, now, wokenAt, fitting.length)
      .map((row) => taskOf(cache, row, ownerId));
  };
}
