// Work as rows, and adding it to the transaction of the change that causes it.
import type { DatabaseSync } from 'node:sqlite';
import { createAddedWork } from '#core/added-work.ts';
import {
  BEHIND,
  isTooMuch,
  MOST_OVER,
  OVER_AT_ONCE,
  type NewWork,
  type Waiting,
  type Work,
} from '#core/domain/work.ts';
import { createWorkSignal, type WorkSignal } from '#core/work-signal.ts';
import { prepareRows, prepareWrite, tableOf } from './table-sql.ts';

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

/** The lanes that this process gives work. */
export interface WorkLanes extends Pick<WorkSignal, 'on'> {
  /** Only inside a transaction. */
  note(lane: string): void;
  /** What was noted is durable. */
  synced: () => void;
  /** Those that were noted, and are durable, since the last call. */
  take(): string[];
}

export function createWorkLanes(): WorkLanes {
  const signal = createWorkSignal();
  const noted = new Set<string>();
  const durable = new Set<string>();
  return {
    on: signal.on,
    note: (lane) => void noted.add(lane),
    synced() {
      if (noted.size === 0) return;
      for (const lane of noted) durable.add(lane);
      noted.clear();
      signal.tell();
    },
    take() {
      const taken = [...durable];
      durable.clear();
      return taken;
    },
  };
}

/** What waits in a lane. */
export function prepareWaiting(db: DatabaseSync): (lane: string) => Waiting {
  const count = prepareRows<Waiting>(
    db,
    'SELECT count(*) AS count, ifnull(sum(octet_length(payload)), 0) AS bytes FROM work INDEXED BY work_due ' +
      'WHERE lane = ? AND due_at IS NOT NULL',
  );
  return (lane) => ({ count: 0, bytes: 0, ...count.get(lane) });
}

/** Adds work and makes its lanes due. Only inside a transaction. */
export type AddWork = (work: readonly NewWork[]) => void;

export function createAddWork(db: DatabaseSync, lanes: WorkLanes): AddWork {
  const insert = prepareWrite<Work>(db, `${WORK.insert} ON CONFLICT (lane, id) DO NOTHING`);
  const makeDue = db.prepare(
    'INSERT INTO work_lanes (id, kind, owner_id, due_at) VALUES (?, ?, ?, ?) ' +
      'ON CONFLICT (id) DO UPDATE SET due_at = excluded.due_at WHERE due_at IS NULL OR due_at > excluded.due_at',
  );
  const makeSooner = db.prepare(
    `UPDATE work SET due_at = ?1 WHERE lane = ?2 AND id = ?3 AND attempts = 0 AND due_at > ?1 AND due_at < ${BEHIND}`,
  );
  const endRest = db.prepare('UPDATE work_lanes SET rest_until = 0 WHERE id = ? AND rest_until > 0');
  const removeOver = db.prepare(
    'DELETE FROM work WHERE rowid IN (SELECT rowid FROM work INDEXED BY work_latest WHERE lane = ? AND key = ? ' +
      `AND ended_at IS NOT NULL ORDER BY created_at DESC, rowid DESC LIMIT ${2 * OVER_AT_ONCE} OFFSET ${MOST_OVER})`,
  );
  const waiting = prepareWaiting(db);
  const added = createAddedWork();
  const addedOver = createAddedWork({ count: OVER_AT_ONCE, bytes: Infinity });
  return (work) => {
    const grown = new Set<string>();
    for (const one of work) {
      const { lane, id, key, kind, ownerId, dueAt, payload } = one;
      if (one.sooner !== true) {
        const isNew = insert(one) > 0;
        if (one.endedAt !== null && isNew && addedOver.note(lane, payload)) removeOver.run(lane, key);
        if (one.endedAt === null && isNew && added.note(lane, payload)) grown.add(lane);
      } else if (makeSooner.run(dueAt, lane, id).changes === 0) continue;
      if (dueAt !== null) makeDue.run(lane, kind, ownerId, dueAt);
      lanes.note(lane);
    }
    for (const lane of grown) if (isTooMuch(waiting(lane))) endRest.run(lane);
  };
}
