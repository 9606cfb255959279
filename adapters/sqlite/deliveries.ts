// The latest deliveries to each intake.
import type { DatabaseSync } from 'node:sqlite';
import { MAX_DELIVERIES, type IntakeStore } from '#core/ports/intake-store.ts';
import { reading } from './faults.ts';
import type { GroupCommit } from './group-commit.ts';
import { DELIVERIES, deliveryRow, toDelivery, type DeliveryRow } from './intake-rows.ts';
import { prepareRows, prepareWrite } from './tables.ts';

type Deliveries = Pick<IntakeStore, 'addDeliveries' | 'listDeliveries' | 'getDelivery' | 'changeDelivery'>;

export function createDeliveries(db: DatabaseSync, group: GroupCommit): Deliveries {
  const { columns, insert } = DELIVERIES;
  const put = prepareWrite<DeliveryRow>(db, insert.replace('INSERT', 'INSERT OR REPLACE'));
  const trim = db.prepare(
    'DELETE FROM deliveries WHERE intake_id = ?1 AND id <= ' +
      `(SELECT id FROM deliveries WHERE intake_id = ?1 ORDER BY id DESC LIMIT 1 OFFSET ${MAX_DELIVERIES})`,
  );
  const latest = prepareRows<DeliveryRow>(
    db,
    `SELECT ${columns} FROM deliveries WHERE intake_id = ? AND owner_id = ? ORDER BY id DESC LIMIT ?`,
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
        for (const record of records) put(deliveryRow(record));
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
