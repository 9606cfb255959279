// Copies records out of and into SQLite. A batch is added in one transaction of the group commit.
import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import { GONE, LIVE } from '#core/domain/task-state.ts';
import type { Task } from '#core/domain/task.ts';
import { isTransferred, recordsOf, type TransferRecord } from '#core/domain/transfer.ts';
import type { Clock } from '#core/ports/clock.ts';
import type { Transfer } from '#core/ports/transfer.ts';
import { KEYS, keyRow, toKey, toUser, USERS, userRow } from './account-store.ts';
import { ADAPTER_DATA } from './adapter-store.ts';
import { prepareArrays } from './database.ts';
import { orConflict, reading } from './faults.ts';
import type { GroupCommit } from './disk/group-commit.ts';
import { FOLLOW_UPS, followUpRow, toFollowUps } from './follow-up-store.ts';
import { INTAKES, toIntake, createIntakeWriter } from './intake-store.ts';
import type { Owners } from './owners.ts';
import { PUSH, toPush } from './push-rows.ts';
import { createPushWriter, SECRETS } from './push-store.ts';
import { REJECTED, rejectedRow, toRejected } from './rejected-store.ts';
import { prepareRows, prepareWrite, type Table } from './table-sql.ts';
import type { TaskEvents } from './tasks/task-events.ts';
import { toWebhook, WEBHOOKS, webhookRow } from './webhook-store.ts';
import {
  bytesOf,
  taskFields,
  TASK_COLUMNS,
  TASKS,
  COLUMN,
  toTask,
  type TaskFields,
  type TaskRow,
} from './tasks/task-rows.ts';

const BATCH = 500;

interface Parts {
  db: DatabaseSync;
  group: GroupCommit;
  owners: Owners;
  events: TaskEvents;
  clock: Clock;
}

export function createSqliteTransfer({ db, group, owners, events, clock }: Parts): Transfer {
  const readAll = createReadAll(db, owners);
  const addTask = createAddTask(db, owners, clock);
  const intakes = createIntakeWriter(db);
  const insertInto = <Row extends Record<keyof Row, SQLInputValue>>({ insert }: Table<Row>, key = 'id') =>
    prepareWrite<Row>(db, `${insert} ON CONFLICT (${key}) DO NOTHING`);
  const addUser = insertInto(USERS);
  const addKey = insertInto(KEYS);
  const addRejected = insertInto(REJECTED);
  const addSecret = insertInto(SECRETS);
  const push = createPushWriter(db);
  const addWebhook = insertInto(WEBHOOKS);
  const addFollowUps = insertInto(FOLLOW_UPS, 'owner_id');
  const addAdapterData = insertInto(ADAPTER_DATA, 'adapter, kind, key');

  function add(records: readonly TransferRecord[]): void {
    for (const user of recordsOf(records, 'user')) addUser(userRow(user));
    for (const key of recordsOf(records, 'key')) addKey(keyRow(key));
    for (const task of recordsOf(records, 'task')) addTask(task);
    for (const one of recordsOf(records, 'rejected')) addRejected(rejectedRow(one));
    for (const intake of recordsOf(records, 'intake')) intakes.add(intake);
    for (const one of recordsOf(records, 'adapter')) addAdapterData(one);
    for (const one of recordsOf(records, 'push')) if (push.get(one.ownerId) === null) push.write(one);
    for (const secret of recordsOf(records, 'secret')) addSecret(secret);
    for (const webhook of recordsOf(records, 'webhook')) addWebhook(webhookRow(webhook));
    for (const one of recordsOf(records, 'followUps')) addFollowUps(followUpRow(one));
    events.reactionsChange();
  }

  return {
    async *exportAll(at) {
      for await (const records of readAll()) yield records.filter((record) => isTransferred(record, at));
    },
    importAll: (records) => group.write(() => orConflict(() => add(records))),
  };
}

/** All records, in batches in the order of their rows. */
function createReadAll(db: DatabaseSync, owners: Owners): () => AsyncGenerator<TransferRecord[]> {
  const tasks = prepareArrays<TaskRow>(
    db,
    `SELECT ${TASK_COLUMNS} FROM tasks WHERE seq > ? ORDER BY seq LIMIT ${BATCH}`,
  );

  async function* batches<Row>(
    next: (last: number) => Row[],
    placeOf: (row: Row) => number,
  ): AsyncGenerator<Row[]> {
    for (let last = 0; ;) {
      const rows = await reading(() => next(last));
      yield rows;
      const end = rows.at(-1);
      if (rows.length < BATCH || end === undefined) return;
      last = placeOf(end);
    }
  }

  async function* read<Row extends object>(
    { name, columns }: Table<Row>,
    toRecord: (row: Row) => TransferRecord,
  ): AsyncGenerator<TransferRecord[]> {
    const query = prepareRows<Row & { place: number }>(
      db,
      `SELECT ${columns}, rowid AS place FROM ${name} WHERE rowid > ? ORDER BY rowid LIMIT ${BATCH}`,
    );
    for await (const rows of batches(
      (last) => query.all(last),
      (row) => row.place,
    ))
      yield rows.map(({ place: _place, ...row }) => toRecord(row as unknown as Row));
  }

  return async function* readAll() {
    yield* read(USERS, (row) => ({ kind: 'user', record: toUser(row) }));
    yield* read(KEYS, (row) => ({ kind: 'key', record: toKey(row) }));
    for await (const rows of batches(
      (last) => tasks.all(last),
      (row) => row[COLUMN.seq],
    ))
      yield rows.map((row) => ({
        kind: 'task' as const,
        record: toTask(row, owners.idOf(row[COLUMN.owner])),
      }));
    yield* read(REJECTED, (row) => ({ kind: 'rejected', record: toRejected(row) }));
    yield* read(INTAKES, (row) => ({ kind: 'intake', record: toIntake(row) }));
    yield* read(ADAPTER_DATA, (row) => ({ kind: 'adapter', record: row }));
    yield* read(PUSH, (row) => ({ kind: 'push', record: toPush(row) }));
    yield* read(SECRETS, (row) => ({ kind: 'secret', record: row }));
    yield* read(WEBHOOKS, (row) => ({ kind: 'webhook', record: toWebhook(row) }));
    yield* read(FOLLOW_UPS, (row) => ({ kind: 'followUps', record: toFollowUps(row) }));
  };
}

/**
 * Adds a task as it is, unless its owner has one with its id. Throws where a live task has its dedupe key.
 * Only inside a transaction.
 */
export function createAddTask(db: DatabaseSync, owners: Owners, clock: Clock): (task: Task) => void {
  const insert = prepareWrite<TaskFields>(db, TASKS.insert);
  const find = prepareArrays(db, 'SELECT 1 FROM tasks INDEXED BY tasks_by_id WHERE owner = ? AND id = ?');
  const endSuppression = db.prepare(
    'UPDATE tasks INDEXED BY tasks_silent SET silent_until = NULL ' +
      'WHERE owner = ? AND dedupe_key = ? AND silent_until IS NOT NULL AND acknowledged_at < ?',
  );
  const findHolder = prepareArrays(
    db,
    'SELECT 1 FROM tasks INDEXED BY tasks_silent WHERE owner = ?1 AND dedupe_key = ?2 AND silent_until IS NOT NULL ' +
      'UNION ALL SELECT 1 FROM tasks INDEXED BY tasks_dedupe ' +
      'WHERE owner = ?1 AND dedupe_key = ?2 AND dedupe_key IS NOT NULL AND state > 0',
  );

  const releaseExpired = db.prepare(
    'UPDATE tasks INDEXED BY tasks_dedupe SET dedupe_key = NULL ' +
      `WHERE owner = ? AND dedupe_key = ? AND dedupe_key IS NOT NULL AND state > 0 AND state = ${LIVE} AND expires_at <= ?`,
  );

  /** A live task, or one that suppresses repeats since later, keeps the dedupe key. */
  function silentUntil(
    owner: number,
    { dedupeKey, acknowledgedAt }: Task,
    until: number | null,
  ): number | null {
    if (dedupeKey === null || (until === null && acknowledgedAt !== null)) return null;
    endSuppression.run(owner, dedupeKey, acknowledgedAt ?? Number.MAX_SAFE_INTEGER);
    return until === null || findHolder.get(owner, dedupeKey) !== undefined ? null : until;
  }

  return (task) => {
    const owner = owners.ensure(task.ownerId);
    if (find.get(owner, task.id) !== undefined) return;
    const fields = taskFields(task);
    if (task.dedupeKey !== null) releaseExpired.run(owner, task.dedupeKey, clock.now());
    insert({ ...fields, owner, silentUntil: silentUntil(owner, task, fields.silentUntil) });
    owners.addBytes(owner, bytesOf(fields.content, fields.tags, fields.metadata));
    if (fields.state !== GONE) owners.count(owner, fields.state, fields.priority, 1);
    owners.changed(owner);
  };
}
