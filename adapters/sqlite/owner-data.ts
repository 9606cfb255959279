// All that is stored of one owner: tasks added from a file, and everything removed, in small transactions.
import type { DatabaseSync } from 'node:sqlite';
import { PINNED } from '#core/domain/task-state.ts';
import type { Task } from '#core/domain/task.ts';
import { QinboxError } from '#core/errors.ts';
import type { Clock } from '#core/ports/clock.ts';
import type { AddedTask, OwnerData } from '#core/ports/owner-data.ts';
import type { Quota } from '#core/ports/task-store.ts';
import { prepareArrays } from './database.ts';
import { reading } from './faults.ts';
import type { GroupCommit } from './disk/group-commit.ts';
import type { Owners } from './owners.ts';
import { createQuotaGuard } from './quota.ts';
import type { TaskCache } from './tasks/task-cache.ts';
import type { TaskEvents } from './tasks/task-events.ts';
import { createAddTask } from './transfer.ts';

interface Parts {
  db: DatabaseSync;
  group: GroupCommit;
  owners: Owners;
  cache: TaskCache;
  events: TaskEvents;
  clock: Clock;
  quota: Quota;
}

/** Rows that one transaction removes: a few milliseconds. */
const REMOVED_AT_ONCE = 500;
/** Rows that are looked through at once where no index tells the owner's: a millisecond or two. */
const SCANNED_AT_ONCE = 500;
/** A submission may have a MiB, all of which is read to find its owner. */
const SUBMISSIONS_AT_ONCE = 10;

export function createSqliteOwnerData(parts: Parts): OwnerData {
  const addTask = createAdd(parts);
  return {
    addTasks: (ownerId, tasks) => parts.group.write(() => tasks.map((task) => addTask({ ...task, ownerId }))),
    erase: createErase(parts),
  };
}

/** Only inside a transaction. */
function createAdd({ db, owners, cache, clock, quota }: Parts): (task: Task) => AddedTask {
  const add = createAddTask(db, owners, clock);
  const guard = createQuotaGuard(db, owners, clock, quota);
  const find = prepareArrays(db, 'SELECT 1 FROM tasks INDEXED BY tasks_by_id WHERE owner = ? AND id = ?');
  // No index is by the id alone, which each new task would pay for: one look for each owner.
  const findElsewhere = prepareArrays(
    db,
    'SELECT 1 FROM owners CROSS JOIN tasks INDEXED BY tasks_by_id ON owner = owners.seq ' +
      'WHERE owner <> ? AND tasks.id = ? LIMIT 1',
  );
  const findVisibleHolder = prepareArrays(
    db,
    'SELECT 1 FROM tasks INDEXED BY tasks_dedupe ' +
      `WHERE owner = ? AND dedupe_key = ? AND dedupe_key IS NOT NULL AND state > 0 AND (state = ${PINNED} OR expires_at > ?)`,
  );

  return (task) => {
    const owner = owners.ensure(task.ownerId);
    if (find.get(owner, task.id) !== undefined) return 'there';
    if (findElsewhere.get(owner, task.id) !== undefined) return 'taken';
    const isHeld =
      task.dedupeKey !== null && findVisibleHolder.get(owner, task.dedupeKey, clock.now()) !== undefined;
    cache.forget(task.id);
    const refusal = guard.create(owner, 1, false, () => {
      add(isHeld ? { ...task, dedupeKey: null } : task);
      return { created: 1, answer: null };
    });
    return refusal instanceof QinboxError ? 'full' : 'added';
  };
}

/** The tables whose rows name their owner, in the order in which they are emptied. */
const OWNED: readonly (readonly [table: string, column: string])[] = [
  ['deliveries', 'owner_id'],
  ['intakes', 'owner_id'],
  ['push', 'owner_id'],
  ['push_held', 'owner_id'],
  ['webhooks', 'owner_id'],
  ['follow_ups', 'owner_id'],
  ['work', 'owner_id'],
  ['adapter_data', 'owner_id'],
  ['sessions', 'user_id'],
  ['api_keys', 'user_id'],
];
/** Those that have no row ids; each has few rows of an owner. */
const OWNED_BY_KEY: readonly (readonly [table: string, column: string])[] = [
  ['push_endpoints', 'owner_id'],
  ['push_shown', 'owner_id'],
  ['work_lanes', 'owner_id'],
  ['signin_links', 'user_id'],
];

function createErase({ db, group, owners, events }: Parts): OwnerData['erase'] {
  const scan = createScan(db, group);
  const findCount = (table: string, column: string) =>
    prepareArrays(db, `SELECT 1 FROM ${table} WHERE ${column} = ? LIMIT 1`);
  const removeTasks = db.prepare(
    'DELETE FROM tasks WHERE seq IN (SELECT seq FROM tasks INDEXED BY tasks_by_id WHERE owner = ? LIMIT +?)',
  );
  // Processes that run have cached the number of the owner: it must never be another's.
  const clearCounts = db.prepare(
    "UPDATE owners SET id = 'removed ' || seq, changes = 0, swept = 0, low = 0, normal = 0, high = 0, " +
      'pinned_low = 0, pinned_normal = 0, pinned_high = 0, bytes = 0 WHERE seq = ?',
  );
  const removeUser = db.prepare('DELETE FROM users WHERE id = ?');
  const owned = OWNED.map(([table, column]) => ({
    find: findCount(table, column),
    remove: db.prepare(
      `DELETE FROM ${table} WHERE rowid IN (SELECT rowid FROM ${table} WHERE ${column} = ? LIMIT +?)`,
    ),
  }));
  const byKey = OWNED_BY_KEY.map(([table, column]) => db.prepare(`DELETE FROM ${table} WHERE ${column} = ?`));

  async function whileSome(remove: () => number): Promise<void> {
    while ((await group.write(remove)) === REMOVED_AT_ONCE);
  }

  return async (ownerId) => {
    // Before the keys and intakes that say whose the claims are.
    await scan(
      'claims',
      "(substr(scope, -length(?1) - 1) = ':' || ?1 OR scope IN (SELECT 'key:' || id FROM api_keys " +
        "WHERE user_id = ?1 UNION SELECT 'intake:' || id FROM intakes WHERE owner_id = ?1) " +
        // Those of keys and intakes that are stored no more: whose they were is not known, and nobody can
        // repeat them.
        "OR scope LIKE 'key:%' AND NOT EXISTS (SELECT 1 FROM api_keys WHERE id = substr(scope, 5)) " +
        "OR scope LIKE 'intake:%' AND NOT EXISTS (SELECT 1 FROM intakes WHERE id = substr(scope, 8)))",
      ownerId,
    );
    await scan('applied_orders', "json_extract(answer, '$.task.ownerId') = ?1", ownerId);
    await scan('rejected', "json_extract(submission, '$.ownerId') = ?1", ownerId, SUBMISSIONS_AT_ONCE);
    const owner = await reading(() => owners.find(ownerId));
    if (owner !== null) {
      await whileSome(() => Number(removeTasks.run(owner, REMOVED_AT_ONCE).changes));
      await group.write(() => void clearCounts.run(owner));
    }
    for (const { find, remove } of owned)
      if (await reading(() => find.get(ownerId) !== undefined))
        await whileSome(() => Number(remove.run(ownerId, REMOVED_AT_ONCE).changes));
    await group.write(() => {
      for (const remove of byKey) remove.run(ownerId);
      removeUser.run(ownerId);
      events.reactionsChange();
    });
  };
}

/** Removes what matches from a table, a part of it at a time, so that nobody waits for all of it. */
function createScan(db: DatabaseSync, group: GroupCommit) {
  return async (
    table: string,
    condition: string,
    ownerId: string,
    atOnce = SCANNED_AT_ONCE,
  ): Promise<void> => {
    const range = `${condition} AND rowid > ?2 AND rowid <= ?3`;
    const findEnd = prepareArrays<readonly [end: number | null]>(
      db,
      `SELECT max(rowid) FROM (SELECT rowid FROM ${table} WHERE rowid > ? ORDER BY rowid LIMIT ${atOnce})`,
    );
    const find = prepareArrays(db, `SELECT 1 FROM ${table} WHERE ${range} LIMIT 1`);
    const remove = db.prepare(`DELETE FROM ${table} WHERE ${range}`);
    for (let after = 0; ;) {
      const end = await reading(() => findEnd.get(after)?.[0] ?? null);
      if (end === null) return;
      const start = after;
      if (await reading(() => find.get(ownerId, start, end) !== undefined))
        await group.write(() => void remove.run(ownerId, start, end));
      after = end;
      await new Promise((resolve) => setImmediate(resolve));
    }
  };
}
