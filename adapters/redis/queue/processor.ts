// Carries out one job: it is done, retried or rejected. A job leaves the queue only after the submission or
// its rejection is stored, so that a crash at any moment costs a repetition, never a submission.
import { DelayedError, WaitingError, type Job } from 'bullmq';
import { submissionOf, type Submission } from '#core/domain/submission.ts';
import { ERROR_TABLE, QinboxError, type ErrorCode } from '#core/errors.ts';
import type { Log } from '#core/ports/log.ts';
import type { SubmissionHandler } from '#core/ports/submission-queue.ts';
import type { OwnerConcurrency } from './owner-concurrency.ts';

export interface RetryPolicy {
  /** How often a submission is tried before it is rejected. */
  attempts: number;
  /** Before the second attempt; doubled for each further one. */
  backoffMs: number;
  maxBackoffMs: number;
}

/** A submission whose workers died this often is taken for the cause, and rejected. */
const MAX_TAKEOVERS = 10;
/** Average wait for a store that is away, as a multiple of the first backoff: 3 seconds by default. */
const OUTAGE_BACKOFFS = 3;

interface ProcessorOptions {
  handler: SubmissionHandler;
  owners: OwnerConcurrency;
  policy: RetryPolicy;
  log: Pick<Log, 'warn'> | undefined;
}

export type SubmissionJob = Job<Submission, void>;

export function createProcessor({ handler, owners, policy, log }: ProcessorOptions) {
  return async (job: SubmissionJob, token?: string): Promise<void> => {
    const slot = await owners.take(job.data.ownerId);
    if (slot.granted)
      try {
        return await carryOut(job, token);
      } finally {
        slot.done();
      }
    if (slot.delayMs === 0) {
      await job.moveToWait(token);
      throw new WaitingError();
    }
    return delay(job, token, slot.delayMs);
  };

  async function carryOut(job: SubmissionJob, token: string | undefined): Promise<void> {
    const submission = submissionOf(job.data);
    const { adapter, requestId } = submission;
    const attempts = job.attemptsMade + 1;
    const jitter = 0.5 + Math.random();
    try {
      await attempt(job, submission);
    } catch (fault) {
      // While the store is away no submission is at fault: it waits, and no attempt is counted.
      if (codeOf(fault) === 'SERVICE_UNAVAILABLE') {
        log?.warn({ adapter, requestId }, 'a submission waits until the store is back');
        return delay(job, token, OUTAGE_BACKOFFS * policy.backoffMs * jitter);
      }
      // Another worker holds the claim, or died with it: no failure of this submission, and the lease ends.
      if (codeOf(fault) === 'IDEMPOTENCY_IN_PROGRESS')
        return delay(job, token, Math.max(policy.backoffMs * jitter, retryAfterMs(fault)));
      const isLast = attempts >= policy.attempts || job.stalledCounter > MAX_TAKEOVERS;
      if (!isLast && !isPermanent(fault)) {
        log?.warn(
          { err: fault, adapter, requestId, attempts },
          'a submission failed and will be tried again',
        );
        throw fault instanceof Error ? fault : new Error('not an error was thrown', { cause: fault });
      }
      await handler.reject(submission, fault, attempts);
      log?.warn({ err: fault, adapter, requestId, attempts }, 'a submission was rejected');
    }
  }

  async function attempt(job: SubmissionJob, submission: Submission): Promise<void> {
    if (job.stalledCounter > MAX_TAKEOVERS)
      throw new QinboxError('INTERNAL_ERROR', 'Its workers ended before they were done with it.');
    const outcome = await handler.carryOut(submission);
    // Its sender was told that it is taken, because the store did not answer then.
    if (outcome.kind === 'fingerprint-mismatch') throw new QinboxError('IDEMPOTENCY_KEY_REUSED');
    if (outcome.kind === 'in-progress')
      throw new QinboxError('IDEMPOTENCY_IN_PROGRESS', undefined, {
        retryAfterSeconds: outcome.retryAfterMs / 1000,
      });
  }
}

/** Puts the job back without counting an attempt, as BullMQ wants it done. */
async function delay(job: SubmissionJob, token: string | undefined, ms: number): Promise<never> {
  await job.moveToDelayed(Date.now() + Math.ceil(ms), token);
  throw new DelayedError();
}

/** Wait before the next attempt: exponential, with jitter, and not before the fault says. */
export function backoff(policy: RetryPolicy, attemptsMade: number, fault: unknown): number {
  const full = Math.min(policy.backoffMs * 2 ** (attemptsMade - 1), policy.maxBackoffMs);
  const jittered = full * (0.5 + Math.random() / 2);
  return Math.max(1, Math.round(Math.max(jittered, retryAfterMs(fault))));
}

/** Faults that say when another attempt is worth it. */
const NAMES_TIME: ReadonlySet<ErrorCode> = new Set([
  'RATE_LIMITED',
  'QUOTA_EXCEEDED',
  'IDEMPOTENCY_IN_PROGRESS',
]);

function retryAfterMs(fault: unknown): number {
  if (!(fault instanceof QinboxError)) return 0;
  const { code, retryAfterSeconds = 0 } = fault;
  return NAMES_TIME.has(code) ? retryAfterSeconds * 1000 : 0;
}

function codeOf(fault: unknown): ErrorCode | undefined {
  return fault instanceof QinboxError ? fault.code : undefined;
}

function isPermanent(fault: unknown): boolean {
  return fault instanceof QinboxError && ERROR_TABLE[fault.code].queue === 'reject';
}
