// Intakes. Every query names the owner; a token is found by the key of its table.
import type { DatabaseSync } from 'node:sqlite';
import {
  intakeOf,
  isTokenGood,
  type DeliveryRecord,
  type IntakeRecord,
  type StoredRequest,
} from '#core/domain/intake.ts';
import { QinboxError } from '#core/errors.ts';
import type { LastUses } from '#core/last-uses.ts';
import {
  DELIVERY_TTL_MS,
  MAX_DELIVERIES,
  STORED_REVOKED_INTAKES,
  type IntakeStore,
} from '#core/ports/intake-store.ts';
import { orConflict, reading } from './faults.ts';
import type { GroupCommit } from './disk/group-commit.ts';
import { prepareRows, prepareWrite, tableOf } from './table-sql.ts';

/** `record` is JSON of the intake without its last use. */
type IntakeRow = Pick<IntakeRecord, 'id' | 'ownerId' | 'lastUsedAt' | 'revokedAt'> & {
  record: string;
};

export const INTAKES = tableOf<IntakeRow>('intakes', ['id', 'ownerId', 'record', 'lastUsedAt', 'revokedAt']);

function intakeRow({ lastUsedAt, ...record }: IntakeRecord): IntakeRow {
  const { id, ownerId, revokedAt } = record;
  return { id, ownerId, record: JSON.stringify(record), lastUsedAt, revokedAt };
}

export function toIntake({ record, lastUsedAt }: IntakeRow): IntakeRecord {
  return { ...intakeOf(record), lastUsedAt };
}

/** These three are JSON. */
type DeliveryRow = Omit<DeliveryRecord, 'taskIds' | 'notes' | 'request'> & {
  taskIds: string;
  notes: string;
  request: string | null;
};

const DELIVERIES = tableOf<DeliveryRow>('deliveries', [
  'id',
  'intakeId',
  'ownerId',
  'at',
  'verdict',
  'reason',
  'event',
  'taskIds',
  'notes',
  'request',
]);

function deliveryRow(delivery: DeliveryRecord): DeliveryRow {
  return {
    ...delivery,
    taskIds: JSON.stringify(delivery.taskIds),
    notes: JSON.stringify(delivery.notes),
    request: delivery.request === null ? null : JSON.stringify(delivery.request),
  };
}

function toDelivery(row: DeliveryRow): DeliveryRecord {
  return {
    ...row,
    taskIds: JSON.parse(row.taskIds) as string[],
    notes: JSON.parse(row.notes) as Record<string, string>,
    request: row.request === null ? null : (JSON.parse(row.request) as StoredRequest),
  };
}

type Deliveries = Pick<IntakeStore, 'addDeliveries' | 'listDeliveries' | 'getDelivery' | 'changeDelivery'>;

function createDeliveries(db: DatabaseSync, group: GroupCommit): Deliveries {
  const { columns, insert } = DELIVERIES;
  const put = prepareWrite<DeliveryRow>(db, insert.replace('INSERT', 'INSERT OR REPLACE'));
  const isRevoked = prepareRows(db, 'SELECT 1 FROM intakes WHERE id = ? AND revoked_at IS NOT NULL');
  const trim = db.prepare(
    'DELETE FROM deliveries WHERE intake_id = ?1 AND id <= ' +
      `(SELECT id FROM deliveries WHERE intake_id = ?1 ORDER BY id DESC LIMIT 1 OFFSET ${MAX_DELIVERIES})`,
  );
  const latest = prepareRows<DeliveryRow>(
    db,
    `SELECT ${columns} FROM deliveries WHERE intake_id = ? AND owner_id = ? ORDER BY id DESC LIMIT +?`,
  );
  const find = prepareRows<DeliveryRow>(
    db,
    `SELECT ${columns} FROM deliveries WHERE id = ? AND intake_id = ? AND owner_id = ?`,
  );
  const setVerdict = db.prepare('UPDATE deliveries SET verdict = ? WHERE id = ?');
  const setReason = db.prepare('UPDATE deliveries SET reason = ? WHERE id = ?');
  const setTaskIds = db.prepare('UPDATE deliveries SET task_ids = ? WHERE id = ?');

  return {
    addDeliveries: (records) =>
      group.write(() => {
        for (const record of records)
          if (isRevoked.get(record.intakeId) === undefined) put(deliveryRow(record));
        for (const intakeId of new Set(records.map((record) => record.intakeId))) trim.run(intakeId);
      }),
    listDeliveries: (ownerId, intakeId, limit) =>
      reading(() => latest.all(intakeId, ownerId, Math.min(limit, MAX_DELIVERIES)).map(toDelivery)),
    getDelivery: (ownerId, intakeId, id) =>
      reading(() => {
        const row = find.get(id, intakeId, ownerId);
        return row === undefined ? null : toDelivery(row);
      }),
    changeDelivery: (id, { verdict, reason, taskIds }) =>
      group.write(() => {
        if (verdict !== undefined) setVerdict.run(verdict, id);
        if (reason !== undefined) setReason.run(reason, id);
        if (taskIds !== undefined) setTaskIds.run(JSON.stringify(taskIds), id);
      }),
  };
}

/** Most rows that one transaction of the purge removes: each may have 64 KiB. */
const PURGE_BATCH = 500;

/** Writes intakes with their tokens. Only inside a transaction. */
export function createIntakeWriter(db: DatabaseSync) {
  const insert = prepareWrite<IntakeRow>(db, `${INTAKES.insert} ON CONFLICT (id) DO NOTHING`);
  const update = prepareWrite<IntakeRow>(db, INTAKES.update);
  const insertToken = db.prepare('INSERT INTO intake_tokens (hash, intake_id) VALUES (?, ?)');
  const removeTokens = db.prepare('DELETE FROM intake_tokens WHERE intake_id = ?');

  function replaceTokens({ id, tokens }: IntakeRecord): void {
    removeTokens.run(id);
    for (const { hash } of tokens) insertToken.run(hash, id);
  }

  return {
    /** False when there is one with this id. */
    add(intake: IntakeRecord): boolean {
      if (insert(intakeRow(intake)) === 0) return false;
      replaceTokens(intake);
      return true;
    },
    replace(intake: IntakeRecord): void {
      update(intakeRow(intake));
      replaceTokens(intake);
    },
  };
}

export function createSqliteIntakeStore(db: DatabaseSync, group: GroupCommit, uses: LastUses): IntakeStore {
  const writer = createIntakeWriter(db);
  const select = (where: string) =>
    prepareRows<IntakeRow>(
      db,
      `SELECT ${INTAKES.columns} FROM intakes WHERE revoked_at IS NULL AND ${where}`,
    );
  const find = select('id = ? AND owner_id = ?');
  const active = select('owner_id = ? ORDER BY id DESC');
  const byToken = select('id = (SELECT intake_id FROM intake_tokens WHERE hash = ?)');
  const countActive = prepareRows<{ count: number }>(
    db,
    'SELECT count(*) AS count FROM intakes WHERE owner_id = ? AND revoked_at IS NULL',
  );
  const removeRevoked = db.prepare(
    'DELETE FROM intakes WHERE rowid IN (SELECT rowid FROM intakes INDEXED BY intakes_revoked_of_owner ' +
      'WHERE owner_id = ? AND revoked_at IS NOT NULL ORDER BY revoked_at DESC ' +
      `LIMIT ${PURGE_BATCH} OFFSET ${STORED_REVOKED_INTAKES})`,
  );
  const removeDeliveries = db.prepare('DELETE FROM deliveries WHERE intake_id = ?');
  const purgeRevoked = db.prepare('DELETE FROM intakes WHERE revoked_at <= ?');
  const purgeDeliveries = db.prepare(
    'DELETE FROM deliveries WHERE rowid IN (SELECT rowid FROM deliveries WHERE at <= ? LIMIT +?)',
  );

  return {
    ...createDeliveries(db, group),

    create: (intake, limit) =>
      group.write(() => {
        removeRevoked.run(intake.ownerId);
        if ((countActive.get(intake.ownerId)?.count ?? 0) >= limit) return false;
        if (!orConflict(() => writer.add(intake))) throw new QinboxError('CONFLICT');
        return true;
      }),
    get: (ownerId, id) =>
      reading(() => {
        const row = find.get(id, ownerId);
        return row === undefined ? null : toIntake(row);
      }),
    list: (ownerId) => reading(() => active.all(ownerId).map(toIntake)),
    change: (ownerId, id, rule) =>
      group.write(() => {
        const row = find.get(id, ownerId);
        if (row === undefined) return null;
        const before = toIntake(row);
        const after = rule(before);
        if (after !== before) orConflict(() => writer.replace(after));
        if (after.revokedAt !== null) removeDeliveries.run(id);
        return after;
      }),
    findByTokenHash: (hash, now) =>
      reading(() => {
        const row = byToken.get(hash);
        const found = row === undefined ? null : toIntake(row);
        return found !== null && isTokenGood(found.tokens, hash, now) ? found : null;
      }),
    touch(id, at) {
      uses.note(id, at);
      return Promise.resolve();
    },
    async purge(now) {
      const end = now - DELIVERY_TTL_MS;
      const batch = () => group.write(() => Number(purgeDeliveries.run(end, PURGE_BATCH).changes));
      while ((await batch()) === PURGE_BATCH);
      await group.write(() => void purgeRevoked.run(end));
    },
  };
}
