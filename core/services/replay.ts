// Doing each delivery once: the claim that repeats of it share, and what a queue's answer to it means. For all who hand in
// what senders may send again.
import { MAX_KEY_CHARACTERS } from '../contract/index.ts';
import { fingerprintOf } from '../domain/hash.ts';
import { QinboxError } from '../errors.ts';
import type { FinalOutcome } from '../ports/claim-answer.ts';
import type { CreateOutcome } from '../ports/task-store.ts';
import type { Claim } from '../domain/submission.ts';

/** The claim of a delivery, as a field of its submission; none when nothing tells repeats. A key that is too long is told by its fingerprint. */
export function replayClaim(scope: string, replayKey: string | null): { claim?: Claim } {
  if (replayKey === null) return {};
  const key = replayKey.length <= MAX_KEY_CHARACTERS ? replayKey : fingerprintOf(replayKey);
  return { claim: { scope, key, fingerprint: null } };
}

/** An outcome that is final. Throws SERVICE_UNAVAILABLE, with `underWay`, while another is at work on the same delivery. */
export function finalOutcome(outcome: CreateOutcome, underWay?: string): FinalOutcome {
  if (outcome.kind === 'fingerprint-mismatch') throw new QinboxError('IDEMPOTENCY_KEY_REUSED');
  if (outcome.kind === 'in-progress')
    throw new QinboxError('SERVICE_UNAVAILABLE', underWay, {
      retryAfterSeconds: Math.max(1, Math.ceil(outcome.retryAfterMs / 1000)),
    });
  return outcome;
}
