// Applies a submission with a claim (Idempotency-Key, delivery id) once. The claim is stored first, with the
// ids of its tasks; then the tasks are created; then the claim gets the answer. After a cut in between, the
// next attempt goes on with the ids of the first, so it creates nothing twice and omits nothing.
import { randomUUID } from 'node:crypto';
import { CLAIM_TTL_MS } from '#core/contract/index.ts';
import { fingerprintOf } from '#core/domain/hash.ts';
import type { Clock } from '#core/ports/clock.ts';
import {
  readAnswer,
  storedAnswer,
  type ClaimAnswer,
  type SubmissionOutcome,
} from '#core/domain/submission-outcome.ts';
import type { Claim } from '#core/domain/submission.ts';
import type { Database, Versioned } from './server/collection.ts';

interface ClaimDocument extends Versioned {
  /** Absent in documents of old versions, which are gone after a day. */
  owner?: string;
  fingerprint: string | null;
  /** The ids of the tasks, chosen by the first attempt. */
  ids: string[];
  /** When the first attempt was submitted: keys are resolved as of then. Absent in old documents. */
  at?: Date;
  /** The process that works on it, and until when no other may. */
  holder: string;
  leaseUntil: Date;
  /** `storedAnswer` once it is completed, else null. */
  answer: string | null;
  purgeAt: Date;
}

/** How long no other process may take over a claim. */
export const CLAIM_LEASE_MS = 10_000;
/** When to ask again after another request of this process works on the claim. */
const RETRY_MS = 1000;

export type Done = Extract<SubmissionOutcome, { kind: 'done' }>;

export interface HeldClaim {
  kind: 'held';
  document: ClaimDocument;
  claim: Claim;
}

export interface Claims {
  /** The answer to the claim; null when it may be taken. */
  read(claim: Claim, at: number): Promise<ClaimAnswer | null>;
  /** Takes the claim, or answers why not. The ids to use are those of the held claim, not of this attempt. */
  hold(claim: Claim, ownerId: string, ids: readonly string[], at: number): Promise<HeldClaim | ClaimAnswer>;
  /** Stores the outcomes and answers them; or those of another process that took over and was quicker. */
  complete(held: HeldClaim, done: Done, at: number): Promise<Done | ClaimAnswer>;
  /** Removes the claim when this attempt was the first and did nothing: the next may be another request. */
  abandon(held: HeldClaim): Promise<void>;
  /** Lets this process hold the claim again, after an attempt that failed. */
  release(held: HeldClaim): void;
}

export function createClaims(database: Database, clock: Clock): Claims {
  const claims = database.collection<ClaimDocument>('claims');
  const me = randomUUID();
  /** Ids of the claims that this process works on. */
  const inFlight = new Set<string>();

  async function hold(
    claim: Claim,
    owner: string,
    ids: readonly string[],
    at: number,
  ): Promise<HeldClaim | ClaimAnswer> {
    const _id = claimId(claim);
    const fresh = {
      owner,
      fingerprint: claim.fingerprint,
      ids: [...ids],
      at: new Date(at),
      holder: me,
      leaseUntil: new Date(clock.now() + CLAIM_LEASE_MS),
      answer: null,
      purgeAt: new Date(at + CLAIM_TTL_MS),
    };
    for (;;) {
      const first = { _id, v: 1, ...fresh };
      if (await claims.insert(first)) return { kind: 'held', document: first, claim };
      const before = await claims.read(_id);
      if (before === null) continue;
      const isOver = before.purgeAt.getTime() <= at;
      const answer = isOver ? null : answerOf(before, claim);
      if (answer !== null) return answer;
      const { fingerprint, ids: firstIds, at: firstAt = fresh.at } = before;
      const next = isOver ? fresh : { ...fresh, fingerprint, ids: firstIds, at: firstAt };
      if (await claims.replace(before, next))
        return { kind: 'held', document: { _id, v: before.v + 1, ...next }, claim };
    }
  }

  /** The answer to a claim that exists; null when this process may take it over. */
  function answerOf(before: ClaimDocument, claim: Claim): ClaimAnswer | null {
    if (before.fingerprint !== null && claim.fingerprint !== null && before.fingerprint !== claim.fingerprint)
      return { kind: 'fingerprint-mismatch' };
    if (before.answer !== null) return readAnswer(before.answer);
    const retryAfterMs = before.leaseUntil.getTime() - clock.now();
    // More than a lease: it was written while the clock was ahead.
    const isOver = retryAfterMs <= 0 || retryAfterMs > CLAIM_LEASE_MS;
    // Held by this process and not in flight: its attempt failed.
    if (isOver || before.holder === me) return null;
    return { kind: 'in-progress', retryAfterMs };
  }

  async function read(claim: Claim, at: number): Promise<ClaimAnswer | null> {
    const id = claimId(claim);
    const before = await claims.read(id);
    const answer = before === null || before.purgeAt.getTime() <= at ? null : answerOf(before, claim);
    if (answer !== null) return answer;
    return inFlight.has(id) ? { kind: 'in-progress', retryAfterMs: RETRY_MS } : null;
  }

  return {
    read,
    async hold(claim, ownerId, ids, at) {
      const id = claimId(claim);
      if (inFlight.has(id)) {
        const answer = await read(claim, at);
        if (answer !== null) return answer;
      }
      inFlight.add(id);
      let held: HeldClaim | ClaimAnswer | undefined;
      try {
        held = await hold(claim, ownerId, ids, at);
        return held;
      } finally {
        if (held?.kind !== 'held') inFlight.delete(id);
      }
    },
    async complete({ document: { _id }, claim }, done, at) {
      const answer = storedAnswer(claim, done.outcomes);
      const fields = { answer, purgeAt: new Date(at + CLAIM_TTL_MS) };
      const { matchedCount } = await claims.run((collection) =>
        collection.updateOne({ _id, answer: null }, { $set: fields, $inc: { v: 1 } }),
      );
      const other = matchedCount === 1 ? null : await claims.read(_id);
      return (other === null ? null : answerOf(other, claim)) ?? done;
    },
    async abandon({ document }) {
      if (document.v === 1) await claims.replace(document, null);
    },
    release({ document }) {
      inFlight.delete(document._id);
    },
  };
}

function claimId({ scope, key }: Claim): string {
  return fingerprintOf([scope, key]);
}
