// Work as rows, and adding it to the transaction of the change that causes it.
import type { DatabaseSync } from 'node:sqlite';
import { BEHIND, type NewWork, type Work } from '#core/domain/work.ts';
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
export type AddWork = (work: readonly NewWork[]) => void;

export function createAddWork(db: DatabaseSync): AddWork {
  const insert = prepareWrite<Work>(db, `${WORK.insert} ON CONFLICT (lane, id) DO NOTHING`);
  const makeDue = db.prepare(
    'INSERT INTO work_lanes (id, kind, owner_id, due_at) VALUES (?, ?, ?, ?) ' +
      'ON CONFLICT (id) DO UPDATE SET due_at = excluded.due_at WHERE due_at IS NULL OR due_at > excluded.due_at',
  );
  const makeSooner = db.prepare(
    `UPDATE work SET due_at = ?1 WHERE lane = ?2 AND id = ?3 AND attempts = 0 AND due_at > ?1 AND due_at < ${BEHIND}`,
  );
  return (work) => {
    for (const one of work) {
      const { lane, id, kind, ownerId, dueAt } = one;
      if (one.sooner !== true) insert(one);
      else if (makeSooner.run(dueAt, lane, id).changes === 0) continue;
      if (dueAt !== null) makeDue.run(lane, kind, ownerId, dueAt);
    }
  };
}
