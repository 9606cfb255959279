// Which queues there are: those that are registered, in sets that may be on a server of a cluster which is
// away. What was read before is remembered; until then, those count that the settings of this process name.
import type { Redis } from 'ioredis';
import { withTimeLimit } from '#core/time-limit.ts';
import { readSets, type Partition } from './partitions.ts';

export interface QueueList {
  /** Which there are, as far as is known now. */
  known(): Known;
  /** Reads the sets. What cannot be read within the limit is as it was. */
  read(): Promise<Known & { faults: Error[] }>;
  /** Whether all were read once. */
  isWhole(): boolean;
}

interface Known {
  /** Registered ones. */
  listed: Partition[];
  /** Those that may be registered: the settings name them, and what is registered was not read yet. */
  assumed: Partition[];
}

/** `own`: the queues that the settings name. */
export function createQueueList(
  redis: Redis,
  prefix: string,
  own: readonly Partition[],
  limitMs: number,
): QueueList {
  /** What each set had when it was last read: that of the first queues, and that of the others. */
  const sets: [first?: Partition[], others?: Partition[]] = [];

  function known(): Known {
    const [first, others] = sets;
    const assumed = own.filter(({ number }) => (number === 0 ? first : others) === undefined);
    return { listed: [...(first ?? []), ...(others ?? [])], assumed };
  }

  async function read(): Promise<Known & { faults: Error[] }> {
    const faults: Error[] = [];
    const reads = readSets(redis, prefix).map(async (set, index) => {
      try {
        sets[index] = await withTimeLimit(limitMs, set);
      } catch (error) {
        faults.push(error as Error);
      }
    });
    await Promise.all(reads);
    return { ...known(), faults };
  }

  return { known, read, isWhole: () => sets[0] !== undefined && sets[1] !== undefined };
}
