// What the inbox needs from wherever its tasks are: the server, or the demo in memory.
import type { CreateTask, EditTask, Task } from '#core/contract/index.ts';
import type { FetchedPage, Filter } from '../model/page.ts';

/** An acknowledged task that can still be taken back. */
export interface Restorable {
  task: Task;
  acknowledgedAt: string;
  restorableUntil: string;
}

export interface TaskBackend {
  list(filter: Filter, limit: number, signal: AbortSignal): Promise<FetchedPage>;
  create(input: CreateTask): Promise<Task>;
  edit(id: string, changes: EditTask): Promise<Task>;
  pin(id: string, pinned: boolean): Promise<Task>;
  extend(id: string, minutes: number): Promise<Task>;
  /** Returns once they are gone; those that were gone already count as well. */
  acknowledge(ids: readonly string[]): Promise<void>;
  /** The tasks that are back; those whose ten minutes are over are not among them. */
  restore(ids: readonly string[]): Promise<readonly Task[]>;
  /** The latest first. */
  recentlyAcknowledged(signal: AbortSignal): Promise<readonly Restorable[]>;
  /** What to say when it fails and no better text is known. */
  texts: { fetch: string; create: string; update: string; delete: string; pin: string };
}
