// Moving what a store keeps, over SQLite. A batch is added in one transaction of the group commit.
import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import { QinboxError } from '#core/errors.ts';
import type { Task } from '#core/domain/task.ts';
import { isTransferred, recordsOf, type TransferRecord } from '#core/domain/transfer.ts';
import type { Transfer } from '#core/ports/transfer.ts';
import { KEY_COLUMNS, keyValues, toKey, toUser, USER_COLUMNS, userValues } from './account-rows.ts';
import { prepareQuery, type Row } from './database.ts';
import { isConstraintFault, reading } from './faults.ts';
import type { GroupCommit } from './group-commit.ts';
import { ADAPTER_COLUMNS, adapterValues, INTAKE_COLUMNS, toAdapterRecord, toIntake } from './intake-rows.ts';
import { createIntakeWriter } from './intake-store.ts';
import type { Owners } from './owners.ts';
import { REJECTED_COLUMNS, rejectedValues, toRejected } from './rejected-store.ts';
import {
  bytesOf,
  GONE,
  metadataColumn,
  PRIORITY_NUMBER,
  purgeColumn,
  silentColumn,
  stateOf,
  tagsColumn,
  TASK_COLUMNS,
  toTask,
} from './rows.ts';

const BATCH = 500;

export function createSqliteTransfer(db: DatabaseSync, group: GroupCommit, owners: Owners): Transfer {
  const pages = (columns: readonly string[] | string, table: string) =>
    prepareQuery(
      db,
      `SELECT ${[columns].flat().join(', ')}, rowid FROM ${table} WHERE rowid > ? ORDER BY rowid LIMIT ${BATCH}`,
    );
  const insertInto = (table: string, columns: readonly string[] | string) => {
    const names = [columns].flat().join(', ');
    const marks = names.split(',').map(() => '?');
    return db.prepare(
      `INSERT INTO ${table} (${names}) VALUES (${marks.join(', ')}) ON CONFLICT (id) DO NOTHING`,
    );
  };

  const users = pages(USER_COLUMNS, 'users');
  const keys = pages(KEY_COLUMNS, 'api_keys');
  const tasks = pages(`${TASK_COLUMNS}, owner`, 'tasks');
  const rejected = pages(REJECTED_COLUMNS, 'rejected');
  const intakes = pages(INTAKE_COLUMNS, 'intakes');
  const adapterData = pages(ADAPTER_COLUMNS, 'adapter_data');
  const OWNER_COLUMN = TASK_COLUMNS.split(',').length;

  const addUser = insertInto('users', USER_COLUMNS);
  const addKey = insertInto('api_keys', KEY_COLUMNS);
  const addRejected = insertInto('rejected', REJECTED_COLUMNS);
  const intakeWriter = createIntakeWriter(db);
  const addAdapterData = db.prepare(
    `INSERT INTO adapter_data (${ADAPTER_COLUMNS.join(', ')}) VALUES (?, ?, ?, ?, ?, ?) ` +
      'ON CONFLICT (adapter, kind, key) DO NOTHING',
  );
  const endSilence = db.prepare(
    'UPDATE tasks INDEXED BY tasks_silent SET silent_until = NULL ' +
      'WHERE owner = ? AND dedupe_key = ? AND silent_until IS NOT NULL AND acknowledged_at < ?',
  );
  const findHolder = prepareQuery(
    db,
    'SELECT 1 FROM tasks INDEXED BY tasks_silent WHERE owner = ?1 AND dedupe_key = ?2 AND silent_until IS NOT NULL ' +
      'UNION ALL SELECT 1 FROM tasks INDEXED BY tasks_dedupe ' +
      'WHERE owner = ?1 AND dedupe_key = ?2 AND dedupe_key IS NOT NULL AND state > 0',
  );
  const findTask = prepareQuery(db, 'SELECT 1 FROM tasks INDEXED BY tasks_by_id WHERE owner = ? AND id = ?');
  const addRow = db.prepare(
    'INSERT INTO tasks (state, id, content, priority, source, tags, metadata, pinned, created_at, updated_at, expires_at, ' +
      'version, dedupe_key, occurrences, last_occurred_at, acknowledged_at, purge_at, owner, reopens, silent_until) ' +
      'VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
  );

  async function* read(
    query: ReturnType<typeof pages>,
    toRecord: (row: Row) => TransferRecord,
  ): AsyncGenerator<TransferRecord[]> {
    for (let last: unknown = 0; ;) {
      const rows = await reading(() => query.all(last as number));
      yield rows.map(toRecord);
      if (rows.length < BATCH) return;
      last = rows.at(-1)?.at(-1);
    }
  }

  /** Until when the task will hold its dedupe key in silence: not at all beside a live one, or one that was silenced later. */
  function silentUntil(owner: number, task: Task): number | null {
    const until = silentColumn(task);
    if (task.dedupeKey === null || (until === null && task.acknowledgedAt !== null)) return null;
    endSilence.run(owner, task.dedupeKey, task.acknowledgedAt ?? Number.MAX_SAFE_INTEGER);
    return until === null || findHolder.get(owner, task.dedupeKey) !== undefined ? null : until;
  }

  function addTask(task: Task): void {
    const owner = owners.enrol(task.ownerId);
    if (findTask.get(owner, task.id) !== undefined) return;
    const state = stateOf(task);
    const priority = PRIORITY_NUMBER[task.priority];
    const [tags, metadata] = [tagsColumn(task.tags), metadataColumn(task.metadata)];
    const values: SQLInputValue[] = [
      state,
      task.id,
      task.content,
      priority,
      task.source,
      tags,
      metadata,
      Number(task.pinned),
      task.createdAt,
      task.updatedAt,
      task.expiresAt,
      task.version,
      task.dedupeKey,
      task.occurrences,
      task.lastOccurredAt,
      task.acknowledgedAt,
      purgeColumn(task, state),
      owner,
      Number(task.reopens),
      silentUntil(owner, task),
    ];
    addRow.run(...values);
    owners.weigh(owner, bytesOf(task.content, tags, metadata));
    if (state !== GONE) owners.count(owner, state, priority, 1);
    owners.changed(owner);
  }

  function add(records: readonly TransferRecord[]): void {
    try {
      for (const user of recordsOf(records, 'user')) addUser.run(...userValues(user));
      for (const key of recordsOf(records, 'key')) addKey.run(...keyValues(key));
      for (const task of recordsOf(records, 'task')) addTask(task);
      for (const one of recordsOf(records, 'rejected')) addRejected.run(...rejectedValues(one));
      for (const intake of recordsOf(records, 'intake')) intakeWriter.add(intake);
      for (const one of recordsOf(records, 'adapter')) addAdapterData.run(...adapterValues(one));
    } catch (error) {
      throw isConstraintFault(error) ? new QinboxError('CONFLICT', undefined, { cause: error }) : error;
    }
  }

  async function* readAll(): AsyncGenerator<TransferRecord[]> {
    yield* read(users, (row) => ({ kind: 'user', record: toUser(row) }));
    yield* read(keys, (row) => ({ kind: 'key', record: toKey(row) }));
    yield* read(tasks, (row) => ({
      kind: 'task',
      record: toTask(row, owners.idOf(row[OWNER_COLUMN] as number)),
    }));
    yield* read(rejected, (row) => ({ kind: 'rejected', record: toRejected(row) }));
    yield* read(intakes, (row) => ({ kind: 'intake', record: toIntake(row) }));
    yield* read(adapterData, (row) => ({ kind: 'adapter', record: toAdapterRecord(row) }));
  }

  return {
    async *exportAll(at) {
      for await (const records of readAll()) yield records.filter((record) => isTransferred(record, at));
    },
    importAll: (records) => group.write(() => add(records)),
  };
}
