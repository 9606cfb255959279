// What the inbox reads from wherever its tasks are: the server, or the demo in memory. What is done to them goes through an outbox.
import type { Task } from '#core/contract/index.ts';
import type { FetchedPage, Filter } from '../model/page.ts';

/** An acknowledged task that can still be taken back. */
export interface Restorable {
  task: Task;
  acknowledgedAt: string;
  restorableUntil: string;
}

export interface TaskBackend {
  list(filter: Filter, limit: number, signal: AbortSignal): Promise<FetchedPage>;
  /** The latest first. */
  recentlyAcknowledged(signal: AbortSignal): Promise<readonly Restorable[]>;
}
