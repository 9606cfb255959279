// Work as rows, and adding it to the transaction of the change that causes it.
import type { DatabaseSync } from 'node:sqlite';
import type { Work } from '#core/domain/work.ts';
import { prepareWrite, tableOf } from './table-sql.ts';

export const WORK = tableOf<Work>('work', [
  'lane',
  'id',
  'kind',
  'ownerId',
  'key',
  'sequence',
  'createdAt',
  'dueAt',
  'status',
  'attempts',
  'lastAttemptAt',
  'endedAt',
  'payload',
  'result',
]);

/** Adds work and makes its lanes due. Only inside a transaction. */
export type AddWork = (work: readonly Work[]) => void;

export function createAddWork(db: DatabaseSync): AddWork {
  const insert = prepareWrite<Work>(db, `${WORK.insert} ON CONFLICT (lane, id) DO NOTHING`);
  const makeDue = db.prepare(
    'INSERT INTO work_lanes (id, kind, owner_id, due_at) VALUES (?, ?, ?, ?) ' +
      'ON CONFLICT (id) DO UPDATE SET due_at = excluded.due_at WHERE due_at IS NULL OR due_at > excluded.due_at',
  );
  return (work) => {
    for (const one of work) {
      insert(one);
      makeDue.run(one.lane, one.kind, one.ownerId, one.dueAt);
    }
  };
}
