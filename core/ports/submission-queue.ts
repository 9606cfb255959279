// How a submission travels from the adapter that took it in to the store.
import type { Submission } from '../domain/submission.ts';
import type { SubmissionOutcome } from '../domain/submission-outcome.ts';

/** What the sender may be told. Either way the submission is durable. */
export type SubmitResult =
  /** Carried out already. */
  | { kind: 'stored'; outcome: SubmissionOutcome }
  /** Kept by the queue, to be carried out soon. */
  | { kind: 'queued' };

/** How a queue's worker does its work. Both may run in any process that has the worker's role. */
export interface SubmissionHandler {
  /**
   * Makes the submission durable. Doing it twice has the effect once. A fault that may pass is thrown, and it
   * is tried again.
   */
  carryOut(submission: Submission): Promise<SubmissionOutcome>;
  /**
   * Keeps a submission that is not tried again, with the fault of the last try and how often it was tried.
   */
  reject(submission: Submission, fault: unknown, attempts: number): Promise<void>;
}

/** How one adapter's part of the queue stands. */
export interface QueueState {
  adapter: string;
  /** Submissions that wait, for the first or for another try. */
  waiting: number;
  /** Submissions that are being carried out. */
  active: number;
  /** How long the one that waits longest has waited, in milliseconds; 0 when none does. */
  oldestMs: number;
}

export interface SubmissionQueue {
  /**
   * Resolves once the submission is durable: answer the sender 2xx only then. Rejects with
   * SERVICE_UNAVAILABLE, soon, when it could not be made durable; the sender should retry. A submission whose
   * claim is in the queue already is not added again.
   */
  submit(submission: Submission): Promise<SubmitResult>;
  /**
   * Begins to carry out what is submitted, in this process. Submissions of one owner are carried out about in
   * the order of their arrival; a flood of one owner or of one adapter does not hold up the others. `stop`
   * lets what is under way finish.
   */
  work(handler: SubmissionHandler): { stop(): Promise<void> };
  /** One for each adapter that ever submitted. */
  states(): Promise<QueueState[]>;
  /** Rejects when the queue does not answer. */
  check(): Promise<void>;
  /** Lets go of everything. Twice is fine. */
  close(): Promise<void>;
}
