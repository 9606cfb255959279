// Promises to do something once (Idempotency-Keys, delivery ids). A claim is made first, with the ids that its tasks will
// have; then they are made; then the claim is completed with what was answered. Whoever comes back after a cut anywhere in
// between goes on with the ids of the first attempt, and so makes nothing twice and leaves nothing out.
import { randomUUID } from 'node:crypto';
import { CLAIM_TTL_MS } from '#core/contract/index.ts';
import { storedAnswer, replayOf } from '#core/ports/claim-answer.ts';
import { fingerprintOf } from '#core/domain/hash.ts';
import type { Clock } from '#core/ports/clock.ts';
import type { CreateOutcome } from '#core/ports/task-store.ts';
import type { Claim } from '#core/domain/submission.ts';
import type { Documents, Kept } from './documents.ts';

interface ClaimDocument extends Kept {
  fingerprint: string | null;
  /** The ids of the tasks, chosen by whoever claimed first. */
  ids: string[];
  /** When the first attempt was submitted: what it closes is closed as of then, whoever completes it. Absent in old ones. */
  at?: Date;
  /** Who works on it, and until when nobody else may. */
  holder: string;
  leaseUntil: Date;
  /** `keptAnswer` once it is fulfilled, else null. */
  answer: string | null;
  purgeAt: Date;
}

/** How long a process that claimed something is believed to be at work on it. */
export const CLAIM_LEASE_MS = 10_000;
/** When to ask again after this very process said that it is at work on it. */
const RETRY_MS = 1000;

/** What was done for a claim. */
export type Done = Extract<CreateOutcome, { kind: 'done' }>;

export interface HeldClaim {
  kind: 'held';
  document: ClaimDocument;
  claim: Claim;
}

export interface Claims {
  /** Claims, or says why not. `ids` are those of this attempt's tasks; those to use are in the answer. */
  hold(claim: Claim, ids: readonly string[], at: number): Promise<HeldClaim | CreateOutcome>;
  /** Notes the outcomes, and answers them; or those of another process that was told to take over and was quicker. */
  complete(held: HeldClaim, done: Done, at: number): Promise<CreateOutcome>;
  /** Forgets the claim when this attempt was the first and did nothing: a later one may be another request. */
  abandon(held: HeldClaim): Promise<void>;
  /** Lets this process take the claim up again, after an attempt that failed. */
  release(held: HeldClaim): void;
}

export function createClaims(documents: Documents, clock: Clock): Claims {
  const claims = documents.table<ClaimDocument>('claims');
  const me = randomUUID();
  const atWork = new Set<string>();

  async function hold(claim: Claim, ids: readonly string[], at: number): Promise<HeldClaim | CreateOutcome> {
    const fresh = {
      fingerprint: claim.fingerprint,
      ids: [...ids],
      at: new Date(at),
      holder: me,
      leaseUntil: new Date(clock.now() + CLAIM_LEASE_MS),
      answer: null,
      purgeAt: new Date(at + CLAIM_TTL_MS),
    };
    const first = { _id: claimId(claim), v: 1, ...fresh };
    for (;;) {
      if (await claims.insert(first)) return { kind: 'held', document: first, claim };
      const before = await claims.read(first._id);
      if (before === null) continue;
      const isOver = before.purgeAt.getTime() <= at;
      const answer = isOver ? null : answerOf(before, claim);
      if (answer !== null) return answer;
      const next = isOver
        ? fresh
        : { ...fresh, fingerprint: before.fingerprint, ids: before.ids, at: before.at ?? fresh.at };
      if (await claims.swap(before, next))
        return { kind: 'held', document: { _id: first._id, v: before.v + 1, ...next }, claim };
    }
  }

  /** What to answer for a claim that was made before; null when its work is to be taken over. */
  function answerOf(before: ClaimDocument, claim: Claim): CreateOutcome | null {
    if (before.fingerprint !== null && claim.fingerprint !== null && before.fingerprint !== claim.fingerprint)
      return { kind: 'fingerprint-mismatch' };
    if (before.answer !== null) return replayOf(before.answer);
    const retryAfterMs = before.leaseUntil.getTime() - clock.now();
    // Longer than a lease is: the clock was ahead when it was written, and is right now.
    const isOver = retryAfterMs <= 0 || retryAfterMs > CLAIM_LEASE_MS;
    // This process claimed it, and its attempt failed: nobody is at work.
    if (isOver || before.holder === me) return null;
    return { kind: 'in-progress', retryAfterMs };
  }

  return {
    async hold(claim, ids, at) {
      const id = claimId(claim);
      if (atWork.has(id)) {
        const before = await claims.read(id);
        const answer = before === null || before.purgeAt.getTime() <= at ? null : answerOf(before, claim);
        if (answer !== null) return answer;
        if (atWork.has(id)) return { kind: 'in-progress', retryAfterMs: RETRY_MS };
      }
      atWork.add(id);
      let held: HeldClaim | CreateOutcome | undefined;
      try {
        held = await hold(claim, ids, at);
        return held;
      } finally {
        if (held?.kind !== 'held') atWork.delete(id);
      }
    },
    async complete({ document, claim }, done, at) {
      const answer = storedAnswer(claim, done.outcomes);
      for (let before = document; ;) {
        const purge = new Date(at + CLAIM_TTL_MS);
        if (await claims.swap(before, { ...before, answer, purgeAt: purge })) return done;
        const now = await claims.read(before._id);
        if (now === null) return done;
        if (now.answer !== null) return answerOf(now, claim) ?? done;
        before = now;
      }
    },
    async abandon({ document }) {
      if (document.v === 1) await claims.swap(document, null);
    },
    release({ document }) {
      atWork.delete(document._id);
    },
  };
}

function claimId({ scope, key }: Claim): string {
  return fingerprintOf([scope, key]);
}
