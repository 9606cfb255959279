// Work in its lanes. It is added in the transaction of the change that causes it, so nothing has to be moved.
import type { DatabaseSync } from 'node:sqlite';
import { BEHIND, NO_REST_IS_SO_LONG_MS, type Work } from '#core/domain/work.ts';
import type { HeldLane, WorkStore } from '#core/ports/work-store.ts';
import { WORK_TTL_MS } from '#core/ports/work-store.ts';
import { prepareArrays } from './database.ts';
import { reading } from './faults.ts';
import type { GroupCommit } from './disk/group-commit.ts';
import { prepareRows } from './table-sql.ts';
import { createAddWork, prepareWaiting, WORK, type WorkLanes } from './work-rows.ts';

/** Rows that one transaction gives up or removes. */
const BATCH = 500;
/** Rows that are looked at for the first of each key, beyond those that are wanted. */
const LOOK_BEYOND = 64;

type Lanes = Pick<WorkStore, 'takeLanes' | 'holdLane' | 'leaveLane' | 'wakeLane'>;

function createLanes(db: DatabaseSync, group: GroupCommit, woken: WorkLanes): Lanes {
  const find = prepareRows<HeldLane>(
    db,
    'SELECT id, kind, owner_id AS ownerId, failures FROM work_lanes INDEXED BY work_lanes_due ' +
      'WHERE due_at IS NOT NULL AND due_at <= ?1 AND held_until <= ?1 ' +
      `AND rest_until NOT BETWEEN ?1 + 1 AND ?1 + ${NO_REST_IS_SO_LONG_MS} ORDER BY due_at LIMIT +?2`,
  );
  const take = db.prepare('UPDATE work_lanes SET holder = ?, held_until = ? WHERE id = ?');
  const hold = db.prepare('UPDATE work_lanes SET held_until = ? WHERE id = ? AND holder = ?');
  const leave = db.prepare(
    'UPDATE work_lanes SET due_at = ?, rest_until = ?, failures = ?, holder = NULL, held_until = 0 ' +
      'WHERE id = ? AND holder = ?',
  );
  const wake = db.prepare('UPDATE work_lanes SET due_at = ?, rest_until = 0 WHERE id = ?');
  const earliest = prepareArrays<readonly [dueAt: number | null]>(
    db,
    'SELECT min(due_at) FROM work INDEXED BY work_due WHERE lane = ? AND due_at IS NOT NULL',
  );
  const retryNow = db.prepare(
    `UPDATE work SET due_at = ?1 WHERE lane = ?2 AND attempts > 0 AND due_at > ?1 AND due_at < ${BEHIND}`,
  );
  const freeBehind = db.prepare(`UPDATE work SET due_at = ? WHERE lane = ? AND due_at = ${BEHIND}`);

  return {
    async takeLanes(holder, now, leaseMs, limit) {
      // A server at rest writes nothing.
      const due = await reading(() => find.all(now, limit).length > 0);
      if (!due) return [];
      return group.write(() => {
        const lanes = find.all(now, limit);
        for (const { id } of lanes) take.run(holder, now + leaseMs, id);
        return lanes.map((lane) => ({ ...lane }));
      });
    },
    holdLane: (holder, lane, now, leaseMs) =>
      group.write(() => hold.run(now + leaseMs, lane, holder).changes > 0),
    leaveLane: (holder, lane, now, { restUntil, failures }) =>
      group.write(() => {
        const [dueAt = null] = earliest.get(lane) ?? [];
        // What is left behind others has none before it any more.
        if (dueAt === BEHIND) freeBehind.run(now, lane);
        leave.run(dueAt === BEHIND ? now : dueAt, restUntil, failures, lane, holder);
      }),
    wakeLane: (lane, now) =>
      group.write(() => {
        retryNow.run(now, lane);
        wake.run(now, lane);
        woken.note(lane);
      }),
  };
}

type Steps = Pick<WorkStore, 'next' | 'progress'>;

/** The steps of a lane's holder. */
function createSteps(db: DatabaseSync, group: GroupCommit): Steps {
  const findDue = prepareArrays<readonly [id: string, key: string]>(
    db,
    'SELECT id, key FROM work INDEXED BY work_due WHERE lane = ? AND due_at IS NOT NULL AND due_at <= ? ' +
      'ORDER BY due_at LIMIT +?',
  );
  const findFirst = prepareArrays<readonly [id: string]>(
    db,
    'SELECT id FROM work INDEXED BY work_order WHERE lane = ? AND key = ? AND due_at IS NOT NULL ' +
      'ORDER BY sequence, id LIMIT 1',
  );
  const find = prepareRows<Work>(db, `SELECT ${WORK.columns} FROM work WHERE lane = ? AND id = ?`);
  const setDue = db.prepare('UPDATE work SET due_at = ? WHERE lane = ? AND id = ?');
  const store = db.prepare(
    'UPDATE work SET due_at = ?, status = ?, attempts = ?, last_attempt_at = ?, ended_at = ?, result = ? ' +
      'WHERE lane = ? AND id = ?',
  );
  const findBehind = prepareArrays<readonly [id: string]>(
    db,
    `SELECT id FROM work INDEXED BY work_order WHERE lane = ? AND key = ? AND due_at = ${BEHIND} ` +
      'ORDER BY sequence, id LIMIT 1',
  );

  function look(lane: string, now: number, limit: number, except: ReadonlySet<string>) {
    const due = findDue.all(lane, now, limit + LOOK_BEYOND);
    const firsts = due.filter(([id, key]) => findFirst.get(lane, key)?.[0] === id);
    const first = new Set(firsts.map(([id]) => id));
    return {
      firsts: firsts.filter(([, key]) => !except.has(key)).slice(0, limit),
      behind: due.filter(([id]) => !first.has(id)).map(([id]) => id),
    };
  }

  return {
    async next(lane, now, limit, except) {
      for (;;) {
        const { firsts, behind } = await reading(() => look(lane, now, limit, except));
        if (behind.length > 0)
          await group.write(() => {
            for (const id of look(lane, now, limit, except).behind) setDue.run(BEHIND, lane, id);
          });
        // Behind what waits for others, there may be more that is due.
        if (firsts.length < limit && behind.length > 0) continue;
        return reading(() => firsts.map(([id]) => find.get(lane, id)).filter((one) => one !== undefined));
      }
    },
    progress: ({ lane, id, key }, progress) =>
      group.write(() => {
        const { dueAt, status, attempts, lastAttemptAt, endedAt, result } = progress;
        store.run(dueAt, status, attempts, lastAttemptAt, endedAt, result, lane, id);
        if (endedAt === null) return;
        const [behind] = findBehind.get(lane, key) ?? [];
        if (behind !== undefined) setDue.run(endedAt, lane, behind);
      }),
  };
}

interface Parts {
  db: DatabaseSync;
  group: GroupCommit;
  lanes: WorkLanes;
  /** No other process does work on this file; what one before it held is free. */
  isAlone: boolean;
}

export function createSqliteWorkStore({ db, group, lanes, isAlone }: Parts): WorkStore {
  const addWork = createAddWork(db, lanes);
  const latest = prepareRows<Work>(
    db,
    `SELECT ${WORK.columns} FROM work INDEXED BY work_latest WHERE lane = ? AND owner_id = ? ` +
      'ORDER BY created_at DESC, sequence DESC LIMIT +?',
  );
  const find = prepareRows<Work>(
    db,
    `SELECT ${WORK.columns} FROM work WHERE lane = ? AND id = ? AND owner_id = ?`,
  );
  const waiting = prepareWaiting(db);
  const removeWaiting = db.prepare(
    'DELETE FROM work WHERE rowid IN (SELECT rowid FROM work INDEXED BY work_latest ' +
      `WHERE lane = ? AND due_at IS NOT NULL ORDER BY created_at DESC, rowid DESC LIMIT ${BATCH} OFFSET +?)`,
  );
  const end = db.prepare(
    "UPDATE work SET status = 'failed', due_at = NULL, ended_at = ?, result = ? WHERE rowid IN " +
      '(SELECT rowid FROM work INDEXED BY work_due WHERE lane = ? AND due_at IS NOT NULL)',
  );
  const removeWork = db.prepare(
    `DELETE FROM work WHERE rowid IN (SELECT rowid FROM work WHERE lane = ? LIMIT ${BATCH})`,
  );
  const removeLane = db.prepare('DELETE FROM work_lanes WHERE id = ?');
  const trim = db.prepare(
    'DELETE FROM work WHERE rowid IN (SELECT rowid FROM work INDEXED BY work_ended ' +
      `WHERE lane = ? AND ended_at IS NOT NULL ORDER BY ended_at DESC, rowid DESC LIMIT ${BATCH} OFFSET +?)`,
  );
  const purge = db.prepare(
    'DELETE FROM work WHERE rowid IN (SELECT rowid FROM work INDEXED BY work_purge ' +
      `WHERE ended_at IS NOT NULL AND ended_at <= ? LIMIT ${BATCH})`,
  );
  if (isAlone) db.exec('UPDATE work_lanes SET holder = NULL, held_until = 0 WHERE held_until > 0');

  /** One transaction after another until one changed less than a batch. */
  async function inBatches(change: () => { changes: number | bigint }): Promise<void> {
    while ((await group.write(() => Number(change().changes))) === BATCH);
  }

  return {
    ...createLanes(db, group, lanes),
    ...createSteps(db, group),
    add: (work) => group.write(() => addWork(work)),
    moveOwn: () => Promise.resolve({ lanes: lanes.take(), more: false }),
    moveOn: () => Promise.resolve(false),
    waiting: (lane) => reading(() => waiting(lane)),
    endLane: (lane, at, { result, most }) =>
      group.write(() => {
        if (removeWaiting.run(lane, most).changes === BATCH) return true;
        end.run(at, result, lane);
        return false;
      }),
    async removeLane(lane) {
      await inBatches(() => removeWork.run(lane));
      await group.write(() => void removeLane.run(lane));
    },
    list: (ownerId, lane, limit) =>
      reading(() => latest.all(lane, ownerId, limit).map((row) => ({ ...row }))),
    get: (ownerId, lane, id) =>
      reading(() => {
        const row = find.get(lane, id, ownerId);
        return row === undefined ? null : { ...row };
      }),
    trim: (lane, most) => inBatches(() => trim.run(lane, most)),
    purge: (now) => inBatches(() => purge.run(now - WORK_TTL_MS)),
  };
}
