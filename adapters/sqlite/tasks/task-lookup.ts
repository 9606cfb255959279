// Finds single tasks by the indexes that writes need.
import type { DatabaseSync } from 'node:sqlite';
import { prepareArrays } from '../database.ts';
import { TASK_COLUMNS, type TaskRow } from './task-rows.ts';

export type TaskLookup = ReturnType<typeof createTaskLookup>;

export function createTaskLookup(db: DatabaseSync) {
  const select = (where: string) =>
    prepareArrays<TaskRow>(db, `SELECT ${TASK_COLUMNS} FROM tasks INDEXED BY ${where}`);
  const byId = select('tasks_by_id WHERE owner = ? AND id = ?');
  const live = select(
    'tasks_dedupe WHERE owner = ? AND dedupe_key = ? AND dedupe_key IS NOT NULL AND state > 0',
  );
  const suppressing = select('tasks_silent WHERE owner = ? AND dedupe_key = ? AND silent_until IS NOT NULL');
  return {
    /** The owner's task in any state. */
    find: (owner: number, id: string) => byId.get(owner, id),
    /** The live task with this dedupe key, expired or not. */
    findLive: (owner: number, dedupeKey: string) => live.get(owner, dedupeKey),
    /** The acknowledged task that suppresses repeats of this dedupe key, expired or not. */
    findSuppressing: (owner: number, dedupeKey: string) => suppressing.get(owner, dedupeKey),
  };
}
