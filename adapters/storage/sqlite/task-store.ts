// The port of tasks over SQLite: writes go through the group commit, reads run at once on the same connection, between
// transactions, so that they see what was committed and nothing else.
import type { DatabaseSync } from 'node:sqlite';
import { QinboxError } from '#core/errors.ts';
import { UNDO_WINDOW_MS } from '#core/contract/index.ts';
import { isVisible, repeatTask } from '#core/domain/task.ts';
import type { Clock } from '#core/ports/clock.ts';
import type {
  CreateCommand,
  CreateOutcome,
  TaskChange,
  TaskOrder,
  TaskOutcome,
  TaskStore,
} from '#core/ports/task-store.ts';
import { createClaims } from './claims.ts';
import { prepareQuery } from './database.ts';
import { reading } from './faults.ts';
import type { GroupCommit } from './group-commit.ts';
import { toStatistics, type Owners } from './owners.ts';
import { TASK_COLUMNS, toTask } from './rows.ts';
import { createTaskList, EMPTY_PAGE } from './task-list.ts';
import { createTaskWriter } from './task-writer.ts';

/** Most rows that one sweep touches, so that its transaction stays short. */
const MAX_SWEEP_ROWS = 500;

export function createSqliteTaskStore(
  db: DatabaseSync,
  group: GroupCommit,
  owners: Owners,
  clock: Clock,
): TaskStore {
  const writer = createTaskWriter(db, owners, clock);
  const claims = createClaims(db);
  const list = createTaskList(db, owners);
  const findOne = prepareQuery(
    db,
    `SELECT ${TASK_COLUMNS} FROM tasks INDEXED BY tasks_by_id WHERE id = ? AND owner = ?`,
  );
  const findRestorable = prepareQuery(
    db,
    `SELECT ${TASK_COLUMNS} FROM tasks INDEXED BY tasks_restorable ` +
      'WHERE owner = ? AND acknowledged_at IS NOT NULL AND acknowledged_at > ? ' +
      'ORDER BY acknowledged_at DESC, id DESC LIMIT ?',
  );

  function apply(owner: number, ownerId: string, { id, draft }: TaskOrder, at: number): TaskOutcome {
    if (draft.dedupeKey !== null) {
      const done = appliedBefore(owner, ownerId, id) ?? claims.repeated(id);
      if (done !== null) return done;
      const row = writer.findLive(owner, draft.dedupeKey);
      if (row !== undefined) {
        const change = writer.change(owner, ownerId, row, (task) => repeatTask(task, draft, at));
        if (change !== null) {
          const outcome = { task: change.after, created: false };
          claims.keepRepeated(id, outcome, at);
          return outcome;
        }
        // Past its time and not yet swept: it stays to be swept, but gives up its key.
        writer.releaseDedupeKey(row);
      }
    }
    const task = writer.insert(owner, ownerId, id, draft, at);
    if (task !== null) return { task, created: true };
    const made = appliedBefore(owner, ownerId, id);
    if (made === null) throw new QinboxError('CONFLICT', 'This task id is in use.');
    return made;
  }

  function appliedBefore(owner: number, ownerId: string, id: string): TaskOutcome | null {
    const row = writer.find(owner, id);
    return row === undefined ? null : { task: toTask(row, ownerId), created: true };
  }

  function create({ ownerId, orders, claim, at }: CreateCommand): CreateOutcome {
    if (claim !== undefined) {
      const answer = claims.answered(claim, at);
      if (answer !== null) return answer;
    }
    const owner = owners.enrol(ownerId);
    const outcomes = orders.map((order) => apply(owner, ownerId, order, at));
    if (claim !== undefined) claims.keep(claim, outcomes, at);
    return { kind: 'done', outcomes };
  }

  return {
    create: (command) => group.write(() => create(command)),

    change: (ownerId, ids, rule) =>
      group.write(() => {
        const owner = owners.find(ownerId);
        if (owner === null) return [];
        const changes: TaskChange[] = [];
        for (const id of ids) {
          const row = writer.find(owner, id);
          const change = row === undefined ? null : writer.change(owner, ownerId, row, rule);
          if (change !== null) changes.push(change);
        }
        return changes;
      }),

    changeByDedupeKey: (ownerId, dedupeKey, rule) =>
      group.write(() => {
        const owner = owners.find(ownerId);
        const row = owner === null ? undefined : writer.findLive(owner, dedupeKey);
        return owner === null || row === undefined ? null : writer.change(owner, ownerId, row, rule);
      }),

    get: (ownerId, id, now) =>
      reading(() => {
        const owner = owners.find(ownerId);
        const row = owner === null ? undefined : findOne.get(id, owner);
        if (row === undefined) return null;
        const task = toTask(row, ownerId);
        return isVisible(task, now) ? task : null;
      }),

    list: (ownerId, filter, limit, offset, now) => reading(() => list(ownerId, filter, limit, offset, now)),

    statistics: (ownerId, now) =>
      reading(() => {
        const owner = owners.find(ownerId);
        if (owner === null) return EMPTY_PAGE.statistics;
        return toStatistics(owners.read(owner), owners.overdue(owner, now));
      }),

    // Two counters: changes, and tasks that are out of sight because of their time, swept or not. A sweep moves tasks
    // from one part of the second sum to the other and so leaves the text, and every client's ETag, as it was.
    revision: (ownerId, now) =>
      reading(() => {
        const owner = owners.find(ownerId);
        if (owner === null) return '0.0';
        const { changes, swept } = owners.read(owner);
        const [low, normal, high] = owners.overdue(owner, now);
        return `${changes}.${swept + low + normal + high}`;
      }),

    listRestorable: (ownerId, now, limit) =>
      reading(() => {
        const owner = owners.find(ownerId);
        if (owner === null) return [];
        return findRestorable.all(owner, now - UNDO_WINDOW_MS, limit).map((row) => toTask(row, ownerId));
      }),

    sweep: (now, limit) =>
      group.write(() => {
        const most = Math.min(limit, MAX_SWEEP_ROWS);
        const expired = writer.takeExpired(now, most);
        let left = most - expired.length;
        if (left > 0) left -= writer.purge(now, left);
        if (left > 0) left -= claims.purge(now, left);
        return { expired, more: left === 0 };
      }),
  };
}
