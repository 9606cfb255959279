// Counts an owner's snoozed tasks. Most owners have none, and few of the others change them between two
// reads: the counts are cached until the owner's next change, or the next waking.
import type { DatabaseSync } from 'node:sqlite';
import { LRUCache } from 'lru-cache';
import { PINNED } from '#core/domain/task-state.ts';
import { prepareArrays } from '../database.ts';

/** A number for each priority, by its rank. */
export type ByPriority = readonly [low: number, normal: number, high: number];

/** How many tasks sleep, by priority and pin. */
export interface Asleep {
  unpinned: ByPriority;
  pinned: ByPriority;
  total: number;
}

/** The condition that a task is awake at `?`. For indexes that have no `wake_at`: it reads no rows. */
export const AWAKE =
  'seq NOT IN (SELECT seq FROM tasks INDEXED BY tasks_asleep WHERE owner = ? AND wake_at IS NOT NULL AND wake_at > ?)';

const NONE_ASLEEP: Asleep = { unpinned: [0, 0, 0], pinned: [0, 0, 0], total: 0 };

interface Cached {
  /** What the owner's counter of changes was. */
  changes: number;
  /** The times for which it is true: from the first, before the second. */
  from: number;
  until: number;
  asleep: Asleep;
}

/** Those of the owner at `now`, whose counts have so many `changes`. */
export type CountAsleep = (owner: number, changes: number, now: number) => Asleep;

export function createCountAsleep(db: DatabaseSync): CountAsleep {
  const cache = new LRUCache<number, Cached>({ max: 10_000 });
  const find = prepareArrays<readonly [state: number, priority: number, count: number, next: number]>(
    db,
    'SELECT state, priority, count(*), min(wake_at) FROM tasks INDEXED BY tasks_asleep ' +
      'WHERE owner = ? AND wake_at IS NOT NULL AND wake_at > ? GROUP BY state, priority',
  );

  function count(owner: number, now: number): { asleep: Asleep; until: number } {
    const unpinned: [number, number, number] = [0, 0, 0];
    const pinned: [number, number, number] = [0, 0, 0];
    let total = 0;
    let until = Infinity;
    for (const [state, priority, many, next] of find.all(owner, now)) {
      (state === PINNED ? pinned : unpinned)[priority] = many;
      total += many;
      until = Math.min(until, next);
    }
    return { asleep: total === 0 ? NONE_ASLEEP : { unpinned, pinned, total }, until };
  }

  return (owner, changes, now) => {
    const cached = cache.get(owner);
    if (cached?.changes === changes && cached.from <= now && now < cached.until) return cached.asleep;
    const { asleep, until } = count(owner, now);
    cache.set(owner, { changes, from: now, until, asleep });
    return asleep;
  };
}
