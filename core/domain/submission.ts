// A submission: tasks that one sender sends at once, on their way from the adapter to the store.
import type { TaskDraft } from './task.ts';

/** One task to make. Its id was chosen beforehand, so that doing it twice makes it once. */
export interface TaskInsert {
  id: string;
  draft: TaskDraft;
}

/** A promise to do something once: an Idempotency-Key of a caller, or a delivery id of an intake. */
export interface Claim {
  /** Whose key it is: `key:<id>`, `user:<id>`, `intake:<id>`. */
  scope: string;
  /** 1..255 characters. */
  key: string;
  /** Hash of the request; null when a repeat need not be the same (delivery ids). */
  fingerprint: string | null;
}

/** Tasks that one sender hands over at once. Plain data: it crosses process boundaries as JSON. */
export interface Submission {
  ownerId: string;
  /** Id of the ingestion adapter that took it in: `rest`, `webhook`, … */
  adapter: string;
  /** Up to 500; ids are chosen here, so that a submission carried out twice makes its tasks once. */
  inserts: readonly TaskInsert[];
  /** Dedupe keys whose tasks are over, before the inserts are carried out. Up to 500; at least one order or key. */
  resolves?: readonly string[];
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

/** A submission as a queue or a store has it. The first versions named inserts `orders`, and resolved keys `closes`. */
export function submissionOf(stored: object): Submission {
  const { orders, closes, ...submission } = stored as Submission & {
    orders?: Submission['inserts'];
    closes?: Submission['resolves'];
  };
  return {
    ...submission,
    inserts: submission.inserts ?? orders ?? [],
    ...(closes === undefined ? {} : { resolves: closes }),
  };
}
