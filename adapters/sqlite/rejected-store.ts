// Submissions that could not become tasks, in SQLite.
import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import { takeWithinBytes } from '#core/domain/page.ts';
import { submissionOf } from '#core/domain/submission.ts';
import { REJECTED_TTL_MS, type RejectedSubmission } from '#core/domain/rejected-submission.ts';
import type { RejectedStore } from '#core/ports/rejected-store.ts';
import { prepareQuery, type Row } from './database.ts';
import { reading } from './faults.ts';
import type { GroupCommit } from './group-commit.ts';

/** What {@link toRejected} reads, in its order. */
export const REJECTED_COLUMNS = 'id, submission, code, reason, attempts, rejected_at';

export function createSqliteRejectedStore(db: DatabaseSync, group: GroupCommit): RejectedStore {
  const put = db.prepare(`INSERT OR REPLACE INTO rejected (${REJECTED_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?)`);
  const latest = (columns: string) =>
    prepareQuery(
      db,
      `SELECT ${columns} FROM rejected WHERE rejected_at > ? ORDER BY rejected_at DESC, id DESC LIMIT ?`,
    );
  const latestBytes = latest('octet_length(submission)');
  const latestOnes = latest(REJECTED_COLUMNS);
  const one = prepareQuery(db, `SELECT ${REJECTED_COLUMNS} FROM rejected WHERE id = ? AND rejected_at > ?`);
  const countAll = prepareQuery(db, 'SELECT count(*) FROM rejected WHERE rejected_at > ?');
  const drop = db.prepare('DELETE FROM rejected WHERE id = ?');
  const dropOld = db.prepare('DELETE FROM rejected WHERE rejected_at <= ?');

  return {
    add: (rejected) => group.write(() => void put.run(...rejectedValues(rejected))),
    list: (now, limit) =>
      reading(() => {
        const since = now - REJECTED_TTL_MS;
        const fitting = takeWithinBytes(latestBytes.all(since, limit), ([bytes]) => bytes as number);
        return latestOnes.all(since, fitting.length).map(toRejected);
      }),
    get: (id, now) =>
      reading(() => {
        const row = one.get(id, now - REJECTED_TTL_MS);
        return row === undefined ? null : toRejected(row);
      }),
    count: (now) => reading(() => countAll.get(now - REJECTED_TTL_MS)?.[0] as number),
    remove: (id) => group.write(() => drop.run(id).changes > 0),
    purge: (now) => group.write(() => void dropOld.run(now - REJECTED_TTL_MS)),
  };
}

/** Its values in the order of {@link REJECTED_COLUMNS}. */
export function rejectedValues(rejected: RejectedSubmission): SQLInputValue[] {
  const { id, submission, code, reason, attempts, rejectedAt } = rejected;
  return [id, JSON.stringify(submission), code, reason, attempts, rejectedAt];
}

/** The submission in a row. */
export function toRejected(row: Row): RejectedSubmission {
  return {
    id: row[0] as string,
    submission: submissionOf(JSON.parse(row[1] as string) as object),
    code: row[2] as string,
    reason: row[3] as string,
    attempts: row[4] as number,
    rejectedAt: row[5] as number,
  };
}
