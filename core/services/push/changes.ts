// Changes of tasks that are not decided on yet: of each task the latest, one owner's after the other.
import type { Task } from '#core/domain/task.ts';
import type { PushTicket } from './tickets.ts';

/** The latest of a task that is not decided on yet. */
export interface PushChange {
  task: Task;
  shows: boolean;
  /** A device that shows it already shows it anew, without a sound. */
  isAgain: boolean;
  /** Who was at it before died, maybe in the middle. */
  isUnsure: boolean;
  /** The stored pushes that this is; none for a repeat, of which it is not known here. */
  tickets: readonly PushTicket[];
}

type Decide = (ownerId: string, changes: readonly PushChange[]) => Promise<void>;

/** Adds a change. Those that the same call makes are decided on together. */
export function createPushChanges(
  decide: Decide,
  onError: (error: unknown) => void,
): (change: PushChange) => void {
  /** By the owner, then by the task. */
  const waiting = new Map<string, Map<string, PushChange>>();

  async function work(ownerId: string, changes: Map<string, PushChange>): Promise<void> {
    while (changes.size > 0) {
      const all = [...changes.values()];
      const tickets = all.flatMap((change) => change.tickets);
      changes.clear();
      try {
        await decide(ownerId, all);
      } catch (error) {
        onError(error);
        for (const ticket of tickets) ticket.lose();
      }
      for (const ticket of tickets) ticket.release();
    }
    waiting.delete(ownerId);
  }

  return (change) => {
    const { ownerId, id } = change.task;
    const changes = waiting.get(ownerId);
    const before = changes?.get(id);
    const latest: PushChange = {
      ...change,
      // What a device has not heard of yet is new to it.
      isAgain: change.isAgain && before?.isAgain !== false,
      isUnsure: change.isUnsure || before?.isUnsure === true,
      tickets: [...(before?.tickets ?? []), ...change.tickets],
    };
    if (changes !== undefined) return void changes.set(id, latest);
    const first = new Map([[id, latest]]);
    waiting.set(ownerId, first);
    // After all that the same call has changed.
    setImmediate(() => void work(ownerId, first));
  };
}
