// Reading tasks, from the server or from the demo. Changes go through an outbox.
import type { Task } from '#core/contract/index.ts';
import type { FetchedPage, Filter } from '../model/page.ts';

/** An acknowledged task that can still be taken back. */
export interface Restorable {
  task: Task;
  acknowledgedAt: string;
  restorableUntil: string;
}

export interface TaskReader {
  list(filter: Filter, limit: number, signal: AbortSignal): Promise<FetchedPage>;
  /** The latest first. */
  recentlyAcknowledged(signal: AbortSignal): Promise<readonly Restorable[]>;
}
