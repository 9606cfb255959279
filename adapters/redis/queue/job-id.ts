// The id of a job in Redis.
import { fingerprintOf } from '#core/domain/hash.ts';
import { identityOf, type Submission } from '#core/domain/submission.ts';

/** The same for a redelivery of one submission, and for no other. A retry of a rejection has another. */
export function jobId(submission: Submission): string {
  const { retryOf } = submission;
  return fingerprintOf([...identityOf(submission), ...(retryOf === undefined ? [] : [retryOf])]);
}
