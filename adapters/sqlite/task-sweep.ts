// Housekeeping of tasks and claims.
import type { DatabaseSync } from 'node:sqlite';
import { GONE, LIVE } from '#core/domain/task-state.ts';
import { PRIORITY_RANK, type Task } from '#core/domain/task.ts';
import type { Claims } from './claims.ts';
import { prepareArrays } from './database.ts';
import type { Owners } from './owners.ts';
import type { TaskEvents } from './task-events.ts';
import { COLUMN, purgeColumn, TASK_BYTES, TASK_COLUMNS, toTask, type TaskRow } from './task-rows.ts';

interface Sweep {
  expired: Task[];
  woken: Task[];
  more: boolean;
}

/** Most rows that one sweep touches, so that its transaction stays short. */
const MAX_ROWS = 500;
const DUE_TO_WAKE = 'wake_at IS NOT NULL AND wake_at <= ?1';

export function createTaskSweep(db: DatabaseSync, owners: Owners, claims: Claims, events: TaskEvents) {
  const findDue = prepareArrays<readonly [isDue: number]>(
    db,
    `SELECT EXISTS (SELECT 1 FROM tasks INDEXED BY tasks_expiry WHERE state = ${LIVE} AND expires_at <= ?1) ` +
      `OR EXISTS (SELECT 1 FROM tasks INDEXED BY tasks_wake WHERE ${DUE_TO_WAKE}) ` +
      `OR EXISTS (SELECT 1 FROM tasks INDEXED BY tasks_purge WHERE state = ${GONE} AND purge_at <= ?1)`,
  );
  const findExpired = prepareArrays<TaskRow>(
    db,
    `SELECT ${TASK_COLUMNS} FROM tasks INDEXED BY tasks_expiry ` +
      `WHERE state = ${LIVE} AND expires_at <= ? ORDER BY expires_at LIMIT ?`,
  );
  const findWoken = prepareArrays<TaskRow>(
    db,
    `SELECT ${TASK_COLUMNS} FROM tasks INDEXED BY tasks_wake WHERE ${DUE_TO_WAKE} ORDER BY wake_at LIMIT ?2`,
  );
  const noteWaking = db.prepare('UPDATE tasks SET wake_at = NULL WHERE seq = ?');
  const sweepOne = db.prepare(`UPDATE tasks SET state = ${GONE}, purge_at = ? WHERE seq = ?`);
  const purgeRows = prepareArrays<readonly [owner: number, bytes: number]>(
    db,
    'DELETE FROM tasks WHERE seq IN ' +
      `(SELECT seq FROM tasks INDEXED BY tasks_purge WHERE state = ${GONE} AND purge_at <= ? ORDER BY purge_at LIMIT ?) ` +
      `RETURNING owner, ${TASK_BYTES}`,
  );

  function sweepExpired(now: number, limit: number): Task[] {
    return findExpired.all(now, limit).map((row) => {
      const task = toTask(row, owners.idOf(row[COLUMN.owner]));
      sweepOne.run(purgeColumn(task, GONE), row[COLUMN.seq]);
      owners.swept(row[COLUMN.owner], PRIORITY_RANK[task.priority]);
      events.note({ type: 'task.expired', before: task, task, at: now });
      return task;
    });
  }

  /** Of what has woken since the last sweep: nothing that a read shows changes. */
  function sweepWoken(now: number, limit: number): Task[] {
    return findWoken.all(now, limit).map((row) => {
      noteWaking.run(row[COLUMN.seq]);
      return toTask(row, owners.idOf(row[COLUMN.owner]));
    });
  }

  function purge(now: number, limit: number): number {
    const purged = purgeRows.all(now, limit);
    for (const [owner, bytes] of purged) owners.addBytes(owner, -bytes);
    return purged.length;
  }

  return {
    /** Whether a sweep would change anything: a server at rest writes nothing to its disk. */
    isDue: (now: number): boolean => findDue.get(now)?.[0] === 1 || claims.isDue(now),

    /**
     * Takes expired tasks out of the queue and answers them, and those that woke; removes what is past its
     * `purgeAt`. Runs inside a transaction of the group commit.
     */
    run(now: number, limit: number): Sweep {
      let left = Math.min(limit, MAX_ROWS);
      const expired = sweepExpired(now, left);
      left -= expired.length;
      const woken = left > 0 ? sweepWoken(now, left) : [];
      left -= woken.length;
      if (left > 0) left -= purge(now, left);
      if (left > 0) left -= claims.purge(now, left);
      return { expired, woken, more: left === 0 };
    },
  };
}
