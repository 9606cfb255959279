// Holds owners to the quota without transactions. An owner who is far below it is counted once a second at most, and what this process
// adds meanwhile is added to that count. From four fifths of it on, each write of this process waits for those before it and for a
// count of its own. So over several processes the quota is exceeded by what comes in within one round trip at the most, unless one
// owner makes a fifth of it within one second in several processes at once.
//
// Documents that an older Qinbox wrote have no bytes until they change; they are gone after seven days, but for pinned ones.
import { quotaExceeded } from '#core/errors.ts';
import type { Clock } from '#core/ports/clock.ts';
import type { Quota } from '#core/ports/task-store.ts';
import type { Table } from './documents.ts';
import type { TaskDocument } from './task-documents.ts';
import { createTurns } from './turns.ts';

/** Live tasks, and bytes of all that is kept. */
export interface Usage {
  tasks: number;
  bytes: number;
}

export interface Room {
  /**
   * Does the work if the owner has room for what it adds, `most` at the most; `exactly` is asked near the quota. Rejects with
   * QUOTA_EXCEEDED, having done nothing.
   */
  within<T>(ownerId: string, most: Usage, exactly: () => Promise<Usage>, work: () => Promise<T>): Promise<T>;
  /** Rejects as {@link within} would. */
  check(ownerId: string, most: Usage, exactly: () => Promise<Usage>): Promise<void>;
}

/** How long a count is believed, far below the quota. */
const KNOWN_MS = 1000;
/** How much of the quota may be in use, as far as is known, not to count again. */
const FAR = 0.8;
const MAX_KNOWN = 10_000;

interface Known extends Usage {
  /** By the monotonic clock. */
  until: number;
}

export function createRoom(tasks: Table<TaskDocument>, clock: Clock, quota: Quota): Room {
  const inTurn = createTurns();
  const counts = new Map<string, Promise<Known>>();
  const known = new Map<string, Known>();
  /** Writes far below the quota that have not ended; a count does not see them yet. */
  const underWay = new Map<string, Set<Promise<unknown>>>();
  const hasQuota = Number.isFinite(quota.tasks) || Number.isFinite(quota.bytes);

  async function countAnew(ownerId: string): Promise<Known> {
    const until = performance.now() + KNOWN_MS;
    const [live, bytes] = await Promise.all([
      tasks.count({ owner: ownerId, visibleUntil: { $gt: new Date(clock.now()) } }),
      tasks.sum({ owner: ownerId }, null, 'bytes'),
    ]);
    if (known.size >= MAX_KNOWN) known.clear();
    const usage = { tasks: live, bytes: Number(bytes.get(null) ?? 0), until };
    known.set(ownerId, usage);
    return usage;
  }

  async function follow<T>(ownerId: string, work: Promise<T>): Promise<T> {
    const mine = underWay.get(ownerId) ?? new Set();
    underWay.set(ownerId, mine.add(work));
    try {
      return await work;
    } finally {
      mine.delete(work);
      if (mine.size === 0) underWay.delete(ownerId);
    }
  }

  /** Those who ask at the same time share one count. */
  function count(ownerId: string): Promise<Known> {
    let counting = counts.get(ownerId);
    if (counting === undefined) {
      counting = countAnew(ownerId).finally(() => counts.delete(ownerId));
      counts.set(ownerId, counting);
    }
    return counting;
  }

  function isFar(usage: Usage, most: Usage): boolean {
    return usage.tasks + most.tasks <= quota.tasks * FAR && usage.bytes + most.bytes <= quota.bytes * FAR;
  }

  /** Whether the owner is far below the quota with this, which is then taken to be there soon if it is to be made. */
  async function isFarWith(ownerId: string, most: Usage, isToBeMade: boolean): Promise<boolean> {
    const before = known.get(ownerId);
    const usage = before !== undefined && performance.now() < before.until ? before : await count(ownerId);
    if (!isFar(usage, most)) return false;
    if (isToBeMade) add(usage, most);
    return true;
  }

  async function refuseOver(ownerId: string, exactly: () => Promise<Usage>): Promise<Known> {
    const [usage, more] = await Promise.all([countAnew(ownerId), exactly()]);
    if (more.tasks > 0 && usage.tasks + more.tasks > quota.tasks) throw quotaExceeded('tasks', quota.tasks);
    if (more.bytes > 0 && usage.bytes + more.bytes > quota.bytes) throw quotaExceeded('bytes', quota.bytes);
    return usage;
  }

  return {
    async within(ownerId, most, exactly, work) {
      if (!hasQuota) return work();
      if (await isFarWith(ownerId, most, true)) return follow(ownerId, work());
      return inTurn(ownerId, async () => {
        await Promise.allSettled([...(underWay.get(ownerId) ?? [])]);
        add(await refuseOver(ownerId, exactly), most);
        return work();
      });
    },
    async check(ownerId, most, exactly) {
      if (!hasQuota || (await isFarWith(ownerId, most, false))) return;
      await refuseOver(ownerId, exactly);
    },
  };
}

function add(usage: Usage, more: Usage): void {
  usage.tasks += more.tasks;
  usage.bytes += more.bytes;
}
