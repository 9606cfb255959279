// Holds owners to the quota without transactions. Below four fifths of it, usage is counted at most once a
// second, and this process adds its own writes to the count. Above, it runs one owner's writes one after
// another, each after a new count. Several processes exceed the quota by at most what they write within one
// round trip, unless one owner adds a fifth of it within a second. Documents of an older Qinbox have no bytes
// until they change; they are gone after seven days, except for pinned ones.
import { LRUCache } from 'lru-cache';
import { quotaExceeded } from '#core/errors.ts';
import type { Clock } from '#core/ports/clock.ts';
import type { Quota } from '#core/ports/task-store.ts';
import type { VersionedCollection } from './server/collection.ts';
import { createKeyedMutex } from './promises.ts';
import { countByBucket } from './tasks/task-counts.ts';
import type { TaskDocument } from './tasks/task-documents.ts';

/** Live tasks, and bytes of all stored ones. */
export interface Usage {
  tasks: number;
  bytes: number;
}

export interface QuotaGuard {
  /**
   * Runs a write if the quota has space, else rejects with QUOTA_EXCEEDED. It adds at most `most`, and
   * exactly what `exactly` answers, which is called near the quota only.
   */
  within<T>(ownerId: string, most: Usage, exactly: () => Promise<Usage>, write: () => Promise<T>): Promise<T>;
  /** Rejects as {@link within} would. */
  check(ownerId: string, most: Usage, exactly: () => Promise<Usage>): Promise<void>;
}

/** How long a count is valid, far below the quota. */
const COUNT_TTL_MS = 1000;
/** The part of the quota that may be in use without a new count. */
const FAR = 0.8;
const MAX_CACHED_OWNERS = 10_000;

interface Count extends Usage {
  /** By the monotonic clock. */
  validUntil: number;
}

export function createQuotaGuard(
  tasks: VersionedCollection<TaskDocument>,
  clock: Clock,
  quota: Quota,
): QuotaGuard {
  const inTurn = createKeyedMutex();
  const counting = new Map<string, Promise<Count>>();
  const cached = new LRUCache<string, Count>({ max: MAX_CACHED_OWNERS });
  /** Writes far below the quota that no count sees yet, by owner. */
  const inFlight = new Map<string, Set<Promise<unknown>>>();
  const hasQuota = Number.isFinite(quota.tasks) || Number.isFinite(quota.bytes);

  async function count(ownerId: string): Promise<Count> {
    const validUntil = performance.now() + COUNT_TTL_MS;
    const [live, bytes] = await Promise.all([
      countByBucket(tasks, ownerId, clock.now()),
      tasks.sum({ owner: ownerId }, 'bytes', 'usage'),
    ]);
    const usage = {
      tasks: [...live.values()].reduce((sum, each) => sum + each, 0),
      bytes: Number(bytes),
      validUntil,
    };
    cached.set(ownerId, usage);
    return usage;
  }

  /** Simultaneous callers share one count. */
  function sharedCount(ownerId: string): Promise<Count> {
    let shared = counting.get(ownerId);
    if (shared === undefined) {
      shared = count(ownerId).finally(() => counting.delete(ownerId));
      counting.set(ownerId, shared);
    }
    return shared;
  }

  /** Whether usage with `most` is far below the quota. With `reserves`, `most` is then added to it. */
  async function isFar(ownerId: string, most: Usage, reserves: boolean): Promise<boolean> {
    const known = cached.get(ownerId);
    const isValid = known !== undefined && performance.now() < known.validUntil;
    const usage = isValid ? known : await sharedCount(ownerId);
    if (usage.tasks + most.tasks > quota.tasks * FAR || usage.bytes + most.bytes > quota.bytes * FAR)
      return false;
    if (reserves) add(usage, most);
    return true;
  }

  async function refuseExcess(ownerId: string, exactly: () => Promise<Usage>): Promise<Usage> {
    const [usage, more] = await Promise.all([count(ownerId), exactly()]);
    if (more.tasks > 0 && usage.tasks + more.tasks > quota.tasks) throw quotaExceeded('tasks', quota.tasks);
    if (more.bytes > 0 && usage.bytes + more.bytes > quota.bytes) throw quotaExceeded('bytes', quota.bytes);
    return usage;
  }

  async function track<T>(ownerId: string, write: Promise<T>): Promise<T> {
    const writes = inFlight.get(ownerId) ?? new Set();
    inFlight.set(ownerId, writes.add(write));
    try {
      return await write;
    } finally {
      writes.delete(write);
      if (writes.size === 0) inFlight.delete(ownerId);
    }
  }

  return {
    async within(ownerId, most, exactly, write) {
      if (!hasQuota) return write();
      if (await isFar(ownerId, most, true)) return track(ownerId, write());
      return inTurn(ownerId, async () => {
        await Promise.allSettled([...(inFlight.get(ownerId) ?? [])]);
        add(await refuseExcess(ownerId, exactly), most);
        return write();
      });
    },
    async check(ownerId, most, exactly) {
      if (!hasQuota || (await isFar(ownerId, most, false))) return;
      await refuseExcess(ownerId, exactly);
    },
  };
}

function add(usage: Usage, more: Usage): void {
  usage.tasks += more.tasks;
  usage.bytes += more.bytes;
}
