// What becomes of one job: done, tried again later, or rejected and kept. A job leaves the queue only after the submission is
// stored or its rejection is, so that a crash at any moment costs a repetition, never a submission.
import { DelayedError, WaitingError, type Job } from 'bullmq';
import { ERROR_TABLE, QinboxError, type ErrorCode } from '#core/errors.ts';
import type { SubmissionHandler } from '#core/ports/submission-queue.ts';
import { submissionOf, type Submission } from '#core/domain/submission.ts';
import type { QueueLog } from './connections.ts';
import type { Turns } from './owner-concurrency.ts';

export interface RetryPolicy {
  /** How often a submission is tried before it is rejected. */
  attempts: number;
  /** Before the second try; doubled for each further one. */
  backoffMs: number;
  maxBackoffMs: number;
}

/** A submission that took its worker down this often is taken for the cause, and rejected. */
const MAX_TAKEOVERS = 10;

/** How long a submission waits for a store that is away, on average, in first backoffs: 3 seconds by default. */
const OUTAGE_BACKOFFS = 3;

interface Parts {
  handler: SubmissionHandler;
  turns: Turns;
  policy: RetryPolicy;
  log: QueueLog | undefined;
}

export type SubmissionJob = Job<Submission, void>;

export function createProcessor({ handler, turns, policy, log }: Parts) {
  return async (job: SubmissionJob, token?: string): Promise<void> => {
    const turn = await turns.take(job.data.ownerId);
    if (turn.granted)
      try {
        return await carryOut(job, token);
      } finally {
        turn.done();
      }
    if (turn.delayMs === 0) {
      await job.moveToWait(token);
      throw new WaitingError();
    }
    await job.moveToDelayed(Date.now() + turn.delayMs, token);
    throw new DelayedError();
  };

  async function carryOut(job: SubmissionJob, token: string | undefined): Promise<void> {
    const submission = submissionOf(job.data);
    const attempts = job.attemptsMade + 1;
    try {
      if (job.stalledCounter > MAX_TAKEOVERS)
        throw new QinboxError('INTERNAL_ERROR', 'Its workers ended before they were done with it.');
      const outcome = await handler.carryOut(submission);
      if (outcome.kind === 'in-progress')
        throw new QinboxError('IDEMPOTENCY_IN_PROGRESS', undefined, {
          retryAfterSeconds: outcome.retryAfterMs / 1000,
        });
    } catch (fault) {
      const { adapter, requestId } = submission;
      // While the store is away nobody's submission is at fault, however long that takes: it waits, and no try is counted.
      if (isOutage(fault)) {
        log?.warn({ adapter, requestId }, 'a submission waits until the store is back');
        await job.moveToDelayed(
          Date.now() + OUTAGE_BACKOFFS * policy.backoffMs * (0.5 + Math.random()),
          token,
        );
        throw new DelayedError();
      }
      // Another worker is at work on the same claim, or was until it ended: that is no failure of this submission, and its lease ends.
      if (isUnderWay(fault)) {
        const waitMs = Math.max(policy.backoffMs * (0.5 + Math.random()), askedForMs(fault));
        await job.moveToDelayed(Date.now() + Math.ceil(waitMs), token);
        throw new DelayedError();
      }
      const last = attempts >= policy.attempts || job.stalledCounter > MAX_TAKEOVERS;
      if (!last && !isHopeless(fault)) {
        log?.warn(
          { err: fault, adapter, requestId, attempts },
          'a submission failed and will be tried again',
        );
        throw asError(fault);
      }
      await handler.reject(submission, fault, attempts);
      log?.warn({ err: fault, adapter, requestId, attempts }, 'a submission was rejected');
    }
  }
}

/** How long to wait after this many failed tries: exponential, with jitter, and not before the fault says. */
export function backoff(policy: RetryPolicy, attemptsMade: number, fault: unknown): number {
  const full = Math.min(policy.backoffMs * 2 ** (attemptsMade - 1), policy.maxBackoffMs);
  const jittered = full * (0.5 + Math.random() / 2);
  return Math.max(1, Math.round(Math.max(jittered, askedForMs(fault))));
}

/** Faults that say when it is worth another try. */
const ASKS_FOR_TIME: ReadonlySet<ErrorCode> = new Set([
  'RATE_LIMITED',
  'QUOTA_EXCEEDED',
  'IDEMPOTENCY_IN_PROGRESS',
]);

function askedForMs(fault: unknown): number {
  if (!(fault instanceof QinboxError)) return 0;
  const { code, retryAfterSeconds = 0 } = fault;
  return ASKS_FOR_TIME.has(code) ? retryAfterSeconds * 1000 : 0;
}

function isOutage(fault: unknown): boolean {
  return fault instanceof QinboxError && fault.code === 'SERVICE_UNAVAILABLE';
}

function isUnderWay(fault: unknown): boolean {
  return fault instanceof QinboxError && fault.code === 'IDEMPOTENCY_IN_PROGRESS';
}

function isHopeless(fault: unknown): boolean {
  return fault instanceof QinboxError && ERROR_TABLE[fault.code].queue === 'reject';
}

function asError(fault: unknown): Error {
  return fault instanceof Error ? fault : new Error('not an error was thrown', { cause: fault });
}
