// Which task has a dedupe key: one document for each key, whose `_id` is the owner and the key, so that two tasks can never
// have it. The document carries the task that is about to be made under it: whoever finds it without that task makes it in
// the stead of the one who was cut off. So nobody ever waits for anybody.
import { UNDO_WINDOW_MS } from '#core/contract/index.ts';
import { fingerprintOf } from '#core/domain/hash.ts';
import type { Clock } from '#core/ports/clock.ts';
import type { Documents, Kept, Table } from './documents.ts';
import type { TaskDocument } from './task-documents.ts';

export interface DedupeKey extends Kept {
  task: string;
  owner: string;
  /** The task to make, or null when the key was given to one that existed. */
  making: TaskDocument | null;
  /** When it was given to the task. */
  at: Date;
  /** When to look whether the task is still there. */
  checkAt: Date;
}

/**
 * How long after the key was given to it a missing task is one that was never made. Storage removes no task sooner than ten
 * minutes after it was acknowledged or expired, so within half of that a missing one cannot be one that came and went.
 */
const HELP_MS = UNDO_WINDOW_MS / 2;
/** How long after it was made a task may be gone at the soonest, so that its key is worth a look. */
const CHECK_MS = 60 * 60_000;

export interface DedupeKeys {
  read(ownerId: string, key: string): Promise<DedupeKey | null>;
  /** Gives the key to a task that is about to be made. False when another was quicker. */
  give(ownerId: string, key: string, before: DedupeKey | null, making: TaskDocument): Promise<boolean>;
  /** The task that has the key, made now if its maker was cut off; null when it is gone. */
  holderOf(key: DedupeKey): Promise<TaskDocument | null>;
  /** Gives the key back to a task that becomes live again, unless another live one has it. */
  reclaim(
    ownerId: string,
    key: string,
    taskId: string,
    isLive: (task: TaskDocument) => boolean,
  ): Promise<boolean>;
  /** Whether this task has the key now. */
  has(ownerId: string, key: string, taskId: string): Promise<boolean>;
  /** Removes keys of tasks that are gone; looks at `limit` of them at most. How many it looked at. */
  purge(now: number, limit: number): Promise<number>;
}

export function createDedupeKeys(documents: Documents, tasks: Table<TaskDocument>, clock: Clock): DedupeKeys {
  const keys = documents.table<DedupeKey>('dedupe_keys');

  function fields(owner: string, task: string, making: TaskDocument | null): Omit<DedupeKey, '_id' | 'v'> {
    const now = clock.now();
    return { owner, task, making, at: new Date(now), checkAt: new Date(now + CHECK_MS) };
  }
  async function store(
    owner: string,
    key: string,
    before: DedupeKey | null,
    after: Omit<DedupeKey, '_id' | 'v'>,
  ) {
    return before === null
      ? keys.insert({ _id: keyId(owner, key), v: 1, ...after })
      : keys.swap(before, after);
  }
  const read = (owner: string, key: string) => keys.read(keyId(owner, key));

  async function holderOf(key: DedupeKey): Promise<TaskDocument | null> {
    let task = await tasks.read(key.task);
    if (task === null && key.making !== null && Math.abs(clock.now() - key.at.getTime()) < HELP_MS) {
      await tasks.insert(key.making);
      task = await tasks.read(key.task);
    }
    // An id that belongs to another owner's task makes nothing here.
    return task?.owner === key.owner ? task : null;
  }

  return {
    read,
    holderOf,
    give: (owner, key, before, making) => store(owner, key, before, fields(owner, making._id, making)),
    async reclaim(owner, key, taskId, isLive) {
      for (;;) {
        const before = await read(owner, key);
        if (before !== null && before.task !== taskId) {
          const holder = await holderOf(before);
          if (holder !== null && isLive(holder)) return false;
        }
        if (await store(owner, key, before, fields(owner, taskId, null))) return true;
      }
    },
    async has(owner, key, taskId) {
      return (await read(owner, key))?.task === taskId;
    },
    async purge(now, limit) {
      const due = await keys.find({ checkAt: { $lte: new Date(now) } }, { sort: { checkAt: 1 }, limit });
      for (const key of due) {
        const task = await tasks.read(key.task);
        const checkAt = new Date(Math.max(task?.purgeAt?.getTime() ?? 0, now) + CHECK_MS);
        // The task it carries has long been made, so it need not be carried on.
        await keys.swap(key, task === null ? null : { ...key, making: null, checkAt });
      }
      return due.length;
    },
  };
}

function keyId(owner: string, key: string): string {
  return fingerprintOf([owner, key]);
}
