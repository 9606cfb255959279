// How a submission travels from the adapter that took it in to the store.
import type { Claim, CreateOutcome, TaskOrder } from './task-store.ts';

/** Tasks that one sender hands over at once. Plain data: it may cross a process boundary as JSON. */
export interface Submission {
  ownerId: string;
  /** Id of the ingestion adapter that took it in: `rest`, `webhook`, … */
  adapter: string;
  /** 1..500; ids are chosen here, so that a submission carried out twice makes its tasks once. */
  orders: readonly TaskOrder[];
  claim?: Claim;
  /** When it was taken in, in milliseconds. */
  at: number;
  /** Of the request that brought it, for the logs of whoever carries it out. */
  requestId: string;
}

/** What the sender may be told. Either way the submission is durable. */
export type SubmitResult =
  /** Carried out already. */
  | { kind: 'stored'; outcome: CreateOutcome }
  /** Kept by the queue, to be carried out soon. */
  | { kind: 'queued' };

export interface IngestQueue {
  /**
   * Resolves once the submission is durable: answer the sender 2xx only then. Rejects with SERVICE_UNAVAILABLE when it
   * could not be made durable; the sender should retry.
   */
  submit(submission: Submission): Promise<SubmitResult>;
  /** Rejects when the queue does not answer. */
  check(): Promise<void>;
  close(): Promise<void>;
}
