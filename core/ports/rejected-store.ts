// Submissions that could not become tasks: kept for 24 hours with the reason, to be tried again or discarded.
import type { Submission } from '../domain/submission.ts';

export interface RejectedSubmission {
  id: string;
  submission: Submission;
  /** Code and public text of the fault of the last try. */
  code: string;
  reason: string;
  attempts: number;
  /** In milliseconds. */
  rejectedAt: number;
}

/** How long a rejected submission is kept: 24 hours. */
export const REJECTED_TTL_MS = 24 * 60 * 60_000;

/** Every method throws SERVICE_UNAVAILABLE when storage does not answer; writes are durable when they resolve. */
export interface RejectedStore {
  /** Keeps it; one with the same id is replaced. */
  add(rejected: RejectedSubmission): Promise<void>;
  /** Those rejected less than 24 hours before `now`, the latest first, at most `limit` and what `MAX_TASKS_BYTES` hold. */
  list(now: number, limit: number): Promise<RejectedSubmission[]>;
  get(id: string, now: number): Promise<RejectedSubmission | null>;
  /** How many there are. */
  count(now: number): Promise<number>;
  /** Whether it was there. Atomic: of many who remove one, one is told true. */
  remove(id: string): Promise<boolean>;
  /** Removes those rejected 24 hours or more before `now`. */
  purge(now: number): Promise<void>;
}
