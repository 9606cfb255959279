// The port of intakes and their deliveries over SQLite. Every query names the owner; a token is found by the key of its table.
import type { DatabaseSync } from 'node:sqlite';
import { QinboxError } from '#core/errors.ts';
import { isTokenGood, type IntakeRecord } from '#core/domain/intake.ts';
import { DELIVERY_TTL_MS, MAX_DELIVERIES, type IntakeStore } from '#core/ports/intake-store.ts';
import { prepareQuery } from './database.ts';
import { isConstraintFault, reading } from './faults.ts';
import type { GroupCommit } from './group-commit.ts';
import {
  DELIVERY_COLUMNS,
  deliveryValues,
  INTAKE_COLUMNS,
  intakeValues,
  toDelivery,
  toIntake,
} from './intake-rows.ts';
import { createLastUses } from './last-uses.ts';

/** Most rows that one transaction of the purge removes: each may carry 64 KiB. */
const PURGE_BATCH = 500;

/** An intake store that may hold back the last uses of intakes. */
export interface SqliteIntakeStore extends IntakeStore {
  /** Stores what was held back. */
  flush(): void;
}

/** Adds intakes with their tokens. Only inside a transaction. */
export function createIntakeWriter(db: DatabaseSync) {
  const marks = (columns: readonly string[]) => columns.map(() => '?').join(', ');
  const insert = db.prepare(
    `INSERT INTO intakes (${INTAKE_COLUMNS.join(', ')}) VALUES (${marks(INTAKE_COLUMNS)}) ON CONFLICT (id) DO NOTHING`,
  );
  const update = db.prepare(
    'UPDATE intakes SET id = ?, owner_id = ?, record = ?, last_used_at = ?, revoked_at = ? WHERE id = ?1',
  );
  const insertToken = db.prepare('INSERT INTO intake_tokens (hash, intake_id) VALUES (?, ?)');
  const dropTokens = db.prepare('DELETE FROM intake_tokens WHERE intake_id = ?');

  function keepTokens({ id, tokens }: IntakeRecord): void {
    dropTokens.run(id);
    for (const { hash } of tokens) insertToken.run(hash, id);
  }

  return {
    /** False when there is one with this id. */
    add(intake: IntakeRecord): boolean {
      if (insert.run(...intakeValues(intake)).changes === 0) return false;
      keepTokens(intake);
      return true;
    },
    replace(intake: IntakeRecord): void {
      update.run(...intakeValues(intake));
      keepTokens(intake);
    },
  };
}

export function createSqliteIntakeStore(db: DatabaseSync, group: GroupCommit): SqliteIntakeStore {
  const writer = createIntakeWriter(db);
  const uses = createLastUses(db, group, 'intakes');
  const intake = INTAKE_COLUMNS.join(', ');
  const delivery = DELIVERY_COLUMNS.join(', ');

  const one = prepareQuery(
    db,
    `SELECT ${intake} FROM intakes WHERE id = ? AND owner_id = ? AND revoked_at IS NULL`,
  );
  const active = prepareQuery(
    db,
    `SELECT ${intake} FROM intakes WHERE owner_id = ? AND revoked_at IS NULL ORDER BY id DESC`,
  );
  const countActive = prepareQuery(
    db,
    'SELECT count(*) FROM intakes WHERE owner_id = ? AND revoked_at IS NULL',
  );
  const byToken = prepareQuery(
    db,
    `SELECT ${intake} FROM intakes WHERE id = (SELECT intake_id FROM intake_tokens WHERE hash = ?) AND revoked_at IS NULL`,
  );
  const dropRevoked = db.prepare('DELETE FROM intakes WHERE revoked_at <= ?');

  const putDelivery = db.prepare(
    `INSERT OR REPLACE INTO deliveries (${delivery}) VALUES (${DELIVERY_COLUMNS.map(() => '?').join(', ')})`,
  );
  const trim = db.prepare(
    'DELETE FROM deliveries WHERE intake_id = ?1 AND id <= ' +
      `(SELECT id FROM deliveries WHERE intake_id = ?1 ORDER BY id DESC LIMIT 1 OFFSET ${MAX_DELIVERIES})`,
  );
  const latest = prepareQuery(
    db,
    `SELECT ${delivery} FROM deliveries WHERE intake_id = ? AND owner_id = ? ORDER BY id DESC LIMIT ?`,
  );
  const oneDelivery = prepareQuery(
    db,
    `SELECT ${delivery} FROM deliveries WHERE id = ? AND intake_id = ? AND owner_id = ?`,
  );
  const setVerdict = db.prepare('UPDATE deliveries SET verdict = ? WHERE id = ?');
  const setReason = db.prepare('UPDATE deliveries SET reason = ? WHERE id = ?');
  const setTaskIds = db.prepare('UPDATE deliveries SET task_ids = ? WHERE id = ?');
  const dropOld = db.prepare(
    'DELETE FROM deliveries WHERE rowid IN (SELECT rowid FROM deliveries WHERE at <= ? LIMIT ?)',
  );

  /** Another intake with one of the tokens is a conflict and not a fault of the store. */
  function unique<T>(write: () => T): T {
    try {
      return write();
    } catch (error) {
      throw isConstraintFault(error) ? new QinboxError('CONFLICT', undefined, { cause: error }) : error;
    }
  }

  return {
    flush: () => uses.flush(),

    create: (record, limit) =>
      group.write(() => {
        if ((countActive.get(record.ownerId)?.[0] as number) >= limit) return false;
        if (!unique(() => writer.add(record))) throw new QinboxError('CONFLICT');
        return true;
      }),
    get: (ownerId, id) =>
      reading(() => {
        const row = one.get(id, ownerId);
        return row === undefined ? null : toIntake(row);
      }),
    list: (ownerId) => reading(() => active.all(ownerId).map(toIntake)),
    change: (ownerId, id, rule) =>
      group.write(() => {
        const row = one.get(id, ownerId);
        if (row === undefined) return null;
        const before = toIntake(row);
        const after = rule(before);
        if (after !== before) unique(() => writer.replace(after));
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

    addDeliveries: (records) =>
      group.write(() => {
        for (const record of records) putDelivery.run(...deliveryValues(record));
        for (const intakeId of new Set(records.map((record) => record.intakeId))) trim.run(intakeId);
      }),
    listDeliveries: (ownerId, intakeId, limit) =>
      reading(() => latest.all(intakeId, ownerId, Math.min(limit, MAX_DELIVERIES)).map(toDelivery)),
    getDelivery: (ownerId, intakeId, id) =>
      reading(() => {
        const row = oneDelivery.get(id, intakeId, ownerId);
        return row === undefined ? null : toDelivery(row);
      }),
    changeDelivery: (id, { verdict, reason, taskIds }) =>
      group.write(() => {
        if (verdict !== undefined) setVerdict.run(verdict, id);
        if (reason !== undefined) setReason.run(reason, id);
        if (taskIds !== undefined) setTaskIds.run(JSON.stringify(taskIds), id);
      }),
    async purge(now) {
      const end = now - DELIVERY_TTL_MS;
      const batch = () => group.write(() => Number(dropOld.run(end, PURGE_BATCH).changes));
      while ((await batch()) === PURGE_BATCH);
      await group.write(() => void dropRevoked.run(end));
    },
  };
}
