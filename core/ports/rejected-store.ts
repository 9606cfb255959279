// Submissions that could not become tasks: stored for 24 hours with the reason, to be retried or discarded.
import type { RejectedSubmission } from '../domain/submission.ts';

/** Throws SERVICE_UNAVAILABLE when storage does not answer; writes are durable when they resolve. */
export interface RejectedStore {
  /** Stores it; one with the same id is replaced. */
  add(rejected: RejectedSubmission): Promise<void>;
  /** Those of the last 24 hours, the latest first, at most `limit` and what `MAX_TASKS_BYTES` hold. */
  list(now: number, limit: number): Promise<RejectedSubmission[]>;
  get(id: string, now: number): Promise<RejectedSubmission | null>;
  /** How many there are. */
  count(now: number): Promise<number>;
  /** Whether it was there. Atomic: of many removals, one answers true. */
  remove(id: string): Promise<boolean>;
  /** Removes those rejected 24 hours or more before `now`. */
  purge(now: number): Promise<void>;
}
