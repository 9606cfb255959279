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
  /** Makes the submission durable, with one effect however often it is done. A fault is tried again. */
  carryOut(submission: Submission): Promise<SubmissionOutcome>;
  /** Stores a submission that is not tried again, with its last fault and the number of attempts. */
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
  /**
   * Of the queues that the adapter has, those that did not answer in time, and one more while it is not known
   * which it has. What is in them is in none of the other figures: these are whole where it is 0.
   */
  unanswered: number;
}

/** What holds the submissions that wait, and how much it can hold. */
export interface QueueMemory {
  usedBytes: number;
  /** 0 where nobody set one. */
  limitBytes: number;
}

export interface SubmissionQueue {
  /**
   * Resolves once the submission is durable: answer the sender 2xx only then. Rejects with
   * SERVICE_UNAVAILABLE, soon, when it could not be made durable, or when the queue is full. A submission
   * whose claim is in the queue already is not added again.
   */
  submit(submission: Submission): Promise<SubmitResult>;
  /**
   * The submission with the same claim that is in the queue, or is being carried out; null when none is, as
   * always where nothing waits. Rejects with SERVICE_UNAVAILABLE, soon, when the queue does not answer.
   */
  waiting(submission: Submission): Promise<Submission | null>;
  /**
   * Begins to carry out submissions in this process: those of one owner about in the order of their arrival;
   * a flood of one owner or adapter does not hold up the others. `stop` lets those in flight finish.
   */
  work(handler: SubmissionHandler): { stop(): Promise<void> };
  /**
   * One for each adapter that ever submitted, as far as that can be told: a part of the queue that does not
   * answer is counted as `unanswered`, and waited for once. Rejects with SERVICE_UNAVAILABLE when none does.
   */
  states(): Promise<QueueState[]>;
  /** Null where nothing waits in a queue. */
  memory(): Promise<QueueMemory | null>;
  /** Rejects when the queue does not answer, or takes no submissions, with what to do. */
  check(): Promise<void>;
  /** Lets go of everything. Twice is fine. */
  close(): Promise<void>;
}
