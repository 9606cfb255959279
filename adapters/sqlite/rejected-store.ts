// Rejected submissions.
import type { DatabaseSync } from 'node:sqlite';
import { takeWithinBytes } from '#core/domain/page.ts';
import { REJECTED_TTL_MS, type RejectedSubmission, submissionOf } from '#core/domain/submission.ts';
import type { RejectedStore } from '#core/ports/rejected-store.ts';
import { reading } from './faults.ts';
import type { GroupCommit } from './disk/group-commit.ts';
import { prepareRows, prepareWrite, tableOf } from './table-sql.ts';

/** `submission` is JSON. */
export type RejectedRow = Omit<RejectedSubmission, 'submission'> & { submission: string };

export const REJECTED = tableOf<RejectedRow>('rejected', [
  'id',
  'submission',
  'code',
  'reason',
  'attempts',
  'rejectedAt',
]);

export function createSqliteRejectedStore(db: DatabaseSync, group: GroupCommit): RejectedStore {
  const put = prepareWrite<RejectedRow>(db, REJECTED.insert.replace('INSERT', 'INSERT OR REPLACE'));
  const latest = 'FROM rejected WHERE rejected_at > ? ORDER BY rejected_at DESC, id DESC LIMIT +?';
  const latestBytes = prepareRows<{ bytes: number }>(
    db,
    `SELECT octet_length(submission) AS bytes ${latest}`,
  );
  const latestRows = prepareRows<RejectedRow>(db, `SELECT ${REJECTED.columns} ${latest}`);
  const find = prepareRows<RejectedRow>(
    db,
    `SELECT ${REJECTED.columns} FROM rejected WHERE id = ? AND rejected_at > ?`,
  );
  const count = prepareRows<{ count: number }>(
    db,
    'SELECT count(*) AS count FROM rejected WHERE rejected_at > ?',
  );
  const remove = db.prepare('DELETE FROM rejected WHERE id = ?');
  const purge = db.prepare('DELETE FROM rejected WHERE rejected_at <= ?');

  return {
    add: (rejected) => group.write(() => void put(rejectedRow(rejected))),
    list: (now, limit) =>
      reading(() => {
        const since = now - REJECTED_TTL_MS;
        const fitting = takeWithinBytes(latestBytes.all(since, limit), ({ bytes }) => bytes);
        return latestRows.all(since, fitting.length).map(toRejected);
      }),
    get: (id, now) =>
      reading(() => {
        const row = find.get(id, now - REJECTED_TTL_MS);
        return row === undefined ? null : toRejected(row);
      }),
    count: (now) => reading(() => count.get(now - REJECTED_TTL_MS)?.count ?? 0),
    remove: (id) => group.write(() => remove.run(id).changes > 0),
    purge: (now) => group.write(() => void purge.run(now - REJECTED_TTL_MS)),
  };
}

export function rejectedRow(rejected: RejectedSubmission): RejectedRow {
  return { ...rejected, submission: JSON.stringify(rejected.submission) };
}

export function toRejected(row: RejectedRow): RejectedSubmission {
  return { ...row, submission: submissionOf(JSON.parse(row.submission) as object) };
}
