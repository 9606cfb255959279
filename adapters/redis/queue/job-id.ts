// The id of a job in Redis.
import { fingerprintOf } from '#core/domain/hash.ts';
import type { Submission } from '#core/domain/submission.ts';

/** Of the claim or the first task's id, so equal for a redelivery. A retry of a rejection has another. */
export function jobId({ claim, inserts, retryOf }: Submission): string {
  const identity = claim === undefined ? [inserts[0]?.id] : [claim.scope, claim.key];
  if (retryOf !== undefined) identity.push(retryOf);
  return fingerprintOf(identity);
}
