// Housekeeping of tasks and claims: finds what is due, and takes it once it was told of. One process at a
// time sweeps a file.
import type { DatabaseSync } from 'node:sqlite';
import { GONE, LIVE, PINNED } from '#core/domain/task-state.ts';
import { PRIORITY_RANK, type Task } from '#core/domain/task.ts';
import type { TaskStore } from '#core/ports/task-store.ts';
import type { Claims } from '../claims.ts';
import { prepareArrays } from '../database.ts';
import { reading } from '../faults.ts';
import type { GroupCommit } from '../disk/group-commit.ts';
import type { Owners } from '../owners.ts';
import type { TaskEvents } from './task-events.ts';
import { COLUMN, purgeColumn, TASK_BYTES, TASK_COLUMNS, toTask, type TaskRow } from './task-rows.ts';

/** A task as it was found. */
interface Found {
  seq: number;
  owner: number;
  task: Task;
}

interface FoundDue {
  expired: readonly Found[];
  woken: readonly Found[];
}

/** Most rows that one sweep touches, so that its transaction stays short. */
const MAX_ROWS = 500;
/** One that has expired as well does not come back. */
const DUE_TO_WAKE = `wake_at IS NOT NULL AND wake_at <= ?1 AND (state = ${PINNED} OR (state = ${LIVE} AND expires_at > ?1))`;

interface Parts {
  db: DatabaseSync;
  group: GroupCommit;
  owners: Owners;
  claims: Claims;
  events: TaskEvents;
}

export function createTaskSweep({ db, group, owners, claims, events }: Parts): TaskStore['sweep'] {
  const findDue = prepareArrays<readonly [isDue: number]>(
    db,
    `SELECT EXISTS (SELECT 1 FROM tasks INDEXED BY tasks_expiry WHERE state = ${LIVE} AND expires_at <= ?1) ` +
      `OR EXISTS (SELECT 1 FROM tasks INDEXED BY tasks_wake WHERE ${DUE_TO_WAKE}) ` +
      `OR EXISTS (SELECT 1 FROM tasks INDEXED BY tasks_purge WHERE state = ${GONE} AND purge_at <= ?1)`,
  );
  const findExpired = prepareArrays<TaskRow>(
    db,
    `SELECT ${TASK_COLUMNS} FROM tasks INDEXED BY tasks_expiry ` +
      `WHERE state = ${LIVE} AND expires_at <= ? ORDER BY expires_at LIMIT +?`,
  );
  const findWoken = prepareArrays<TaskRow>(
    db,
    `SELECT ${TASK_COLUMNS} FROM tasks INDEXED BY tasks_wake WHERE ${DUE_TO_WAKE} ORDER BY wake_at LIMIT +?2`,
  );
  // Of one that was not changed since it was found.
  const noteWaking = db.prepare('UPDATE tasks SET wake_at = NULL WHERE seq = ? AND id = ? AND version = ?');
  const sweepOne = db.prepare(
    `UPDATE tasks SET state = ${GONE}, purge_at = ?, wake_at = NULL WHERE seq = ? AND id = ? AND version = ? AND state = ${LIVE}`,
  );
  const purgeRows = prepareArrays<readonly [owner: number, bytes: number]>(
    db,
    'DELETE FROM tasks WHERE seq IN ' +
      `(SELECT seq FROM tasks INDEXED BY tasks_purge WHERE state = ${GONE} AND purge_at <= ? ORDER BY purge_at LIMIT +?) ` +
      `RETURNING owner, ${TASK_BYTES}`,
  );

  function found(row: TaskRow): Found {
    const owner = row[COLUMN.owner];
    return { seq: row[COLUMN.seq], owner, task: toTask(row, owners.idOf(owner)) };
  }

  function takeExpired({ seq, owner, task }: Found, now: number): void {
    if (sweepOne.run(purgeColumn(task, GONE), seq, task.id, task.version).changes === 0) return;
    owners.swept(owner, PRIORITY_RANK[task.priority]);
    events.note({ type: 'task.expired', before: task, task, at: now });
  }

  function purge(now: number, limit: number): number {
    const purged = purgeRows.all(now, limit);
    for (const [owner, bytes] of purged) owners.addBytes(owner, -bytes);
    return purged.length;
  }

  /** Whether a sweep would change anything: a server at rest writes nothing to its disk. */
  const isDue = (now: number): boolean => findDue.get(now)?.[0] === 1 || claims.isDue(now);

  function find(now: number, limit: number): FoundDue {
    const expired = findExpired.all(now, limit).map(found);
    const left = limit - expired.length;
    return { expired, woken: left > 0 ? findWoken.all(now, left).map(found) : [] };
  }

  /** Whether it reached the limit. Runs inside a transaction of the group commit. */
  function take({ expired, woken }: FoundDue, now: number, limit: number): boolean {
    for (const one of expired) takeExpired(one, now);
    // Nothing that a read shows changes.
    for (const { seq, task } of woken) noteWaking.run(seq, task.id, task.version);
    let left = limit - expired.length - woken.length;
    if (left > 0) left -= purge(now, left);
    if (left > 0) left -= claims.purge(now, left);
    return left === 0;
  }

  const sweep: TaskStore['sweep'] = async (now, limit, tell) => {
    const most = Math.min(limit, MAX_ROWS);
    const due = await reading(() => (isDue(now) ? find(now, most) : null));
    if (due === null) return { more: false };
    const expired = due.expired.map(({ task }) => task);
    const woken = due.woken.map(({ task }) => task);
    if (expired.length + woken.length > 0) await tell({ expired, woken });
    return { more: await group.write(() => take(due, now, most)) };
  };

  let last: Promise<unknown> = Promise.resolve();
  return (...args) => {
    // One after another: what one has told of, the next does not find.
    const mine = last.then(() => sweep(...args));
    last = mine.catch(() => {});
    return mine;
  };
}
