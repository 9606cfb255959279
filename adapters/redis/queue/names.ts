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

/**
 * The same for a submission and its redelivery: made of the claim, or else of the id of its first task. A
 * retry after a rejection has another id, since the first job may not have left the queue yet.
 */
export function jobId({ claim, inserts, retryOf }: Submission): string {
  const identity = claim === undefined ? [inserts[0]?.id] : [claim.scope, claim.key];
  if (retryOf !== undefined) identity.push(retryOf);
  return fingerprintOf(identity);
}
