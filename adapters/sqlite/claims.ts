// What was done once and must not be done twice: claims (idempotency keys, delivery ids) with what was answered, and
// inserts that repeated a live task. Kept in the transaction of the tasks themselves, so that one is never without the
// other and a claim is never half made.
import type { DatabaseSync } from 'node:sqlite';
import { CLAIM_TTL_MS } from '#core/contract/index.ts';
import { storedAnswer, replayOf } from '#core/domain/submission-outcome.ts';
import type { SubmissionOutcome, TaskOutcome } from '#core/domain/submission-outcome.ts';
import type { Claim } from '#core/domain/submission.ts';
import { prepareQuery } from './database.ts';

export interface Claims {
  /** What to answer when the claim was made before and is not older than 24 hours at `at`; else null. */
  answered(claim: Claim, at: number): SubmissionOutcome | null;
  keep(claim: Claim, outcomes: readonly TaskOutcome[], at: number): void;
  /** What an order that repeated a live task was answered. */
  repeated(orderId: string): TaskOutcome | null;
  keepRepeated(orderId: string, outcome: TaskOutcome, at: number): void;
  /** Removes up to `limit` that are older than 24 hours; how many there were. */
  purge(now: number, limit: number): number;
}

export function createClaims(db: DatabaseSync): Claims {
  const find = prepareQuery(
    db,
    'SELECT fingerprint, answer FROM claims WHERE scope = ? AND key = ? AND expires_at > ?',
  );
  const put = db.prepare(
    'INSERT OR REPLACE INTO claims (scope, key, fingerprint, answer, expires_at) VALUES (?, ?, ?, ?, ?)',
  );
  const forget = db.prepare(
    'DELETE FROM claims WHERE rowid IN (SELECT rowid FROM claims WHERE expires_at <= ? LIMIT ?)',
  );
  const findRepeat = prepareQuery(db, 'SELECT answer FROM applied_orders WHERE id = ?');
  const putRepeat = db.prepare('INSERT INTO applied_orders (id, answer, forget_at) VALUES (?, ?, ?)');
  const forgetRepeats = db.prepare(
    'DELETE FROM applied_orders WHERE rowid IN (SELECT rowid FROM applied_orders WHERE forget_at <= ? LIMIT ?)',
  );

  return {
    answered(claim, at) {
      const row = find.get(claim.scope, claim.key, at);
      if (row === undefined) return null;
      const [fingerprint, answer] = row as [string | null, string];
      if (fingerprint !== null && claim.fingerprint !== null && fingerprint !== claim.fingerprint)
        return { kind: 'fingerprint-mismatch' };
      return replayOf(answer);
    },
    keep(claim, outcomes, at) {
      put.run(claim.scope, claim.key, claim.fingerprint, storedAnswer(claim, outcomes), at + CLAIM_TTL_MS);
    },
    repeated(orderId) {
      const row = findRepeat.get(orderId);
      return row === undefined ? null : (JSON.parse(row[0] as string) as TaskOutcome);
    },
    keepRepeated(orderId, outcome, at) {
      putRepeat.run(orderId, JSON.stringify(outcome), at + CLAIM_TTL_MS);
    },
    purge(now, limit) {
      const claims = Number(forget.run(now, limit).changes);
      return claims === limit ? claims : claims + Number(forgetRepeats.run(now, limit - claims).changes);
    },
  };
}
