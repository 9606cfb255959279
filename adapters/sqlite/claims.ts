// Claims (Idempotency-Keys, delivery ids) with their outcomes, and inserts that repeated a stored task.
// Written in the transaction of the tasks.
import type { DatabaseSync } from 'node:sqlite';
import { CLAIM_TTL_MS } from '#core/contract/index.ts';
import {
  readAnswer,
  repeatedTaskId,
  storedAnswer,
  storedRepeat,
  type ClaimAnswer,
  type TaskOutcome,
} from '#core/domain/submission-outcome.ts';
import type { Claim } from '#core/domain/submission.ts';
import type { Task } from '#core/domain/task.ts';
import { prepareArrays } from './database.ts';
import { prepareRows } from './table-sql.ts';

export interface Claims {
  /** The answer to a claim that was fulfilled less than 24 hours before `at`; else null. */
  find(claim: Claim, at: number): ClaimAnswer | null;
  add(claim: Claim, outcomes: readonly TaskOutcome[], at: number): void;
  /** The id of the task that the insert repeated; else null. */
  repeatOf(insertId: string): string | null;
  /** `task`: after the repeat. */
  addRepeat(insertId: string, task: Task, at: number): void;
  /** Whether any are older than 24 hours, or more than are remembered. */
  isDue(now: number): boolean;
  /** Removes up to `limit` of these; how many there were. */
  purge(now: number, limit: number): number;
}

/**
 * Repeats that are remembered for 24 hours, the latest: some 25 MB. A submission of one process comes again
 * within seconds, if at all, and a sender may repeat thousands of alerts every minute.
 */
const MOST_REPEATS = 50_000;
const BEFORE_THE_LATEST = `(SELECT max(rowid) - ${MOST_REPEATS} FROM applied_orders)`;

export function createClaims(db: DatabaseSync): Claims {
  const find = prepareRows<{ fingerprint: string | null; answer: string }>(
    db,
    'SELECT fingerprint, answer FROM claims WHERE scope = ? AND key = ? AND expires_at > ?',
  );
  const add = db.prepare(
    'INSERT OR REPLACE INTO claims (scope, key, fingerprint, answer, expires_at) VALUES (?, ?, ?, ?, ?)',
  );
  const findDue = prepareArrays<readonly [isDue: number]>(
    db,
    'SELECT EXISTS (SELECT 1 FROM claims WHERE expires_at <= ?1) ' +
      'OR EXISTS (SELECT 1 FROM applied_orders WHERE forget_at <= ?1) ' +
      `OR EXISTS (SELECT 1 FROM applied_orders WHERE rowid <= ${BEFORE_THE_LATEST})`,
  );
  const purgeClaims = db.prepare(
    'DELETE FROM claims WHERE rowid IN (SELECT rowid FROM claims WHERE expires_at <= ? LIMIT +?)',
  );
  const findRepeat = prepareRows<{ answer: string }>(db, 'SELECT answer FROM applied_orders WHERE id = ?');
  const addRepeat = db.prepare('INSERT INTO applied_orders (id, answer, forget_at) VALUES (?, ?, ?)');
  const purgeRepeats = db.prepare(
    'DELETE FROM applied_orders WHERE rowid IN (SELECT rowid FROM applied_orders WHERE forget_at <= ? LIMIT +?)',
  );
  const purgeOlderRepeats = db.prepare(
    'DELETE FROM applied_orders WHERE rowid IN ' +
      `(SELECT rowid FROM applied_orders WHERE rowid <= ${BEFORE_THE_LATEST} LIMIT +?)`,
  );

  return {
    find(claim, at) {
      const row = find.get(claim.scope, claim.key, at);
      if (row === undefined) return null;
      const { fingerprint, answer } = row;
      if (fingerprint !== null && claim.fingerprint !== null && fingerprint !== claim.fingerprint)
        return { kind: 'fingerprint-mismatch' };
      return readAnswer(answer);
    },
    add(claim, outcomes, at) {
      const answer = storedAnswer(claim, outcomes);
      add.run(claim.scope, claim.key, claim.fingerprint, answer, at + CLAIM_TTL_MS);
    },
    repeatOf(insertId) {
      const row = findRepeat.get(insertId);
      return row === undefined ? null : repeatedTaskId(row.answer);
    },
    addRepeat(insertId, task, at) {
      addRepeat.run(insertId, storedRepeat(task), at + CLAIM_TTL_MS);
    },
    isDue: (now) => findDue.get(now)?.[0] === 1,
    purge(now, limit) {
      let left = limit - Number(purgeClaims.run(now, limit).changes);
      if (left > 0) left -= Number(purgeRepeats.run(now, left).changes);
      if (left > 0) left -= Number(purgeOlderRepeats.run(left).changes);
      return limit - left;
    },
  };
}
