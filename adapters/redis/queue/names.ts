// Names of the queue's keys and jobs in Redis.
import { fingerprintOf } from '#core/domain/hash.ts';
import type { Submission } from '#core/domain/submission.ts';

/** One queue for each adapter; in braces, so that all of its keys are on one shard of a Redis Cluster. */
export function queueName(adapter: string): string {
  return `{${encodeURIComponent(adapter)}}`;
}

/** The set of the adapters that ever submitted. */
export function adaptersKey(prefix: string): string {
  return `${prefix}:adapters`;
}

/** Of the claim or the first task's id, so equal for a redelivery. A retry of a rejection has another. */
export function jobId({ claim, inserts, retryOf }: Submission): string {
  const identity = claim === undefined ? [inserts[0]?.id] : [claim.scope, claim.key];
  if (retryOf !== undefined) identity.push(retryOf);
  return fingerprintOf(identity);
}
