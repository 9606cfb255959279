// How a submission travels from the adapter that took it in to the store.
import type { Claim, CreateOutcome, TaskOrder } from './task-store.ts';

/** Tasks that one sender hands over at once. Plain data: it crosses process boundaries as JSON. */
export interface Submission {
  ownerId: string;
  /** Id of the ingestion adapter that took it in: `rest`, `webhook`, … */
  adapter: string;
  /** Up to 500; ids are chosen here, so that a submission carried out twice makes its tasks once. */
  orders: readonly TaskOrder[];
  /** Dedupe keys whose tasks are over, before the orders are carried out. Up to 500; at least one order or key. */
  closes?: readonly string[];
  claim?: Claim;
  /** Id of the delivery to an intake that it came with, so that what becomes of it can be noted there. */
  delivery?: string;
  /** When it was taken in, in milliseconds. */
  at: number;
  /** Id of its rejection, when it is tried again after that. */
  retryOf?: string;
  /** Of the request that brought it, for the logs of whoever carries it out. */
  requestId: string;
}

/** What the sender may be told. Either way the submission is durable. */
export type SubmitResult =
  /** Carried out already. */
  | { kind: 'stored'; outcome: CreateOutcome }
  /** Kept by the queue, to be carried out soon. */
  | { kind: 'queued' };

/** How a queue's worker does its work. Both may run in any process that has the worker's role. */
export interface SubmissionHandler {
  /** Makes the submission durable. Doing it twice has the effect once. A fault that may pass is thrown, and it is tried again. */
  carryOut(submission: Submission): Promise<CreateOutcome>;
  /** Keeps a submission that is not tried again, with the fault of the last try and how often it was tried. */
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

export interface IngestQueue {
  /**
   * Resolves once the submission is durable: answer the sender 2xx only then. Rejects with SERVICE_UNAVAILABLE, soon,
   * when it could not be made durable; the sender should retry. A submission whose claim is in the queue already is not added again.
   */
  submit(submission: Submission): Promise<SubmitResult>;
  /**
   * Begins to carry out what is submitted, in this process. Submissions of one owner are carried out about in the order
   * of their arrival; a flood of one owner or of one adapter does not hold up the others. `stop` lets what is under way finish.
   */
  work(handler: SubmissionHandler): { stop(): Promise<void> };
  /** One for each adapter that ever submitted. */
  states(): Promise<QueueState[]>;
  /** Rejects when the queue does not answer. */
  check(): Promise<void>;
  /** Lets go of everything. Twice is fine. */
  close(): Promise<void>;
}
