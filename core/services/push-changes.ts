// Collects the changes of tasks that devices are to be told of: the latest of each task, by owner, until they
// are decided on. Of one owner, one decision at a time is under way.
import type { Task } from '../domain/task.ts';

/** The latest of a task that is not decided on yet. */
export interface Change {
  task: Task;
  shows: boolean;
  /** A device that shows it already shows it anew, without a sound. */
  isAgain: boolean;
}

interface Waiting {
  /** By the task. */
  changes: Map<string, Change>;
  /** All of them are decided on, and what is sent at once was tried. */
  ended: Promise<void>;
}

interface Parts {
  /** Decides on changes of one owner; what it answers is being sent. */
  decide: (ownerId: string, changes: readonly Change[]) => Promise<readonly Promise<unknown>[]>;
  onError: (error: unknown) => void;
}

export function createPushChanges({ decide, onError }: Parts) {
  const waiting = new Map<string, Waiting>();

  async function work(ownerId: string, changes: Map<string, Change>): Promise<void> {
    const sending: Promise<unknown>[] = [];
    while (changes.size > 0) {
      const all = [...changes.values()];
      changes.clear();
      try {
        for (const sent of await decide(ownerId, all)) sending.push(sent.catch(onError));
      } catch (error) {
        onError(error);
      }
    }
    waiting.delete(ownerId);
    await Promise.all(sending);
  }

  return {
    /** Resolves when it was decided on, and what is sent at once was tried once. */
    add(change: Change): Promise<void> {
      const { ownerId, id } = change.task;
      const known = waiting.get(ownerId);
      // What a device has not heard of yet is new to it.
      const isAgain = change.isAgain && known?.changes.get(id)?.isAgain !== false;
      if (known !== undefined) {
        known.changes.set(id, { ...change, isAgain });
        return known.ended;
      }
      const changes = new Map([[id, change]]);
      // After all that the same call has changed.
      const ended = new Promise<void>((resolve) => {
        setImmediate(() => resolve(work(ownerId, changes)));
      });
      waiting.set(ownerId, { changes, ended });
      return ended;
    },
  };
}
