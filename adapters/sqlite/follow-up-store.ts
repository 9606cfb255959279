// What owners want done about tasks that nobody acknowledges.
import type { DatabaseSync } from 'node:sqlite';
import { noFollowUps, type FollowUps } from '#core/domain/follow-ups.ts';
import type { FollowUpStore } from '#core/ports/follow-up-store.ts';
import { reading } from './faults.ts';
import type { GroupCommit } from './disk/group-commit.ts';
import { prepareRows, prepareWrite, tableOf } from './table-sql.ts';
import type { TaskEvents } from './tasks/task-events.ts';

interface FollowUpRow {
  ownerId: string;
  record: string;
}

export const FOLLOW_UPS = tableOf<FollowUpRow>('follow_ups', ['ownerId', 'record']);

export function followUpRow(followUps: FollowUps): FollowUpRow {
  return { ownerId: followUps.ownerId, record: JSON.stringify(followUps) };
}

export function toFollowUps({ record }: Pick<FollowUpRow, 'record'>): FollowUps {
  return JSON.parse(record) as FollowUps;
}

export function createSqliteFollowUpStore(
  db: DatabaseSync,
  group: GroupCommit,
  events: TaskEvents,
): FollowUpStore {
  const find = prepareRows<FollowUpRow>(db, 'SELECT record FROM follow_ups WHERE owner_id = ?');
  const put = prepareWrite<FollowUpRow>(
    db,
    `${FOLLOW_UPS.insert} ON CONFLICT (owner_id) DO UPDATE SET record = excluded.record`,
  );

  function get(ownerId: string): FollowUps | null {
    const row = find.get(ownerId);
    return row === undefined ? null : toFollowUps(row);
  }

  return {
    get: (ownerId) => reading(() => get(ownerId)),
    change: (ownerId, rule) =>
      group.write(() => {
        const before = get(ownerId) ?? noFollowUps(ownerId);
        const after = rule(before);
        if (after !== before) {
          put(followUpRow(after));
          events.reactionsChange();
        }
        return after;
      }),
  };
}
