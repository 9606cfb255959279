// The id of a job in Redis.
import { fingerprintOf } from '#core/domain/hash.ts';
import type { Submission } from '#core/domain/submission.ts';

/**
 * Of the claim, or of the first task's id, so equal for a redelivery; where it makes no task, of what it
 * resolves and its request. A retry of a rejection has another.
 */
export function jobId({ claim, inserts, ownerId, requestId, resolves = [], retryOf }: Submission): string {
  const [first] = inserts;
  const own = first === undefined ? [ownerId, requestId, ...resolves] : [first.id];
  const identity = claim === undefined ? own : [claim.scope, claim.key];
  if (retryOf !== undefined) identity.push(retryOf);
  return fingerprintOf(identity);
}
