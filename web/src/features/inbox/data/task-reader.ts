// Reading tasks, from the server or from the demo. Changes go through an outbox.
import type { Answer } from '../../../lib/api/calls.ts';
import type { FetchedPage, Filter } from '../model/page.ts';

/** An acknowledged task that can still be taken back. */
export type Restorable = Answer<'GET /tasks/acknowledged'>['tasks'][number];

export interface TaskReader {
  list(filter: Filter, limit: number, signal: AbortSignal): Promise<FetchedPage>;
  /** The latest first. */
  recentlyAcknowledged(signal: AbortSignal): Promise<readonly Restorable[]>;
}
