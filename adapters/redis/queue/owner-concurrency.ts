// Fairness between owners within one worker process: it carries out a limited number of submissions of one
// owner at a time. Further ones of that owner wait here when they can begin in a moment, and otherwise go
// back into the queue with a delay, so that they occupy no place that other owners could use.

/** Carry out and call `done`, or put back for this many milliseconds (0: at once, for another process). */
export type Slot = { granted: true; done(): void } | { granted: false; delayMs: number };

/** A submission that waits here occupies a place in the worker: for no longer than this. */
const MAX_WAIT_MS = 20;
const MIN_DELAY_MS = 100;
const MAX_DELAY_MS = 5000;
/** Weight of the latest duration in the average. */
const LATEST_WEIGHT = 0.2;

interface Owner {
  active: number;
  /** First come, first served. */
  waiting: ((slot: Slot) => void)[];
  /** Average time to carry out a submission, in milliseconds. */
  averageMs: number;
  /** When those put back so far will probably be done. */
  backlogUntil: number;
}

export type OwnerConcurrency = ReturnType<typeof createOwnerConcurrency>;

/** `limit`: submissions of one owner at a time. */
export function createOwnerConcurrency(limit: number, now: () => number = () => performance.now()) {
  const owners = new Map<string, Owner>();
  const idle = Promise.withResolvers<void>();
  let active = 0;
  let closed = false;

  function grant(ownerId: string, owner: Owner): Slot {
    const begun = now();
    owner.active++;
    active++;
    return {
      granted: true,
      done() {
        owner.active--;
        active--;
        if (closed && active === 0) idle.resolve();
        owner.averageMs += LATEST_WEIGHT * (now() - begun - owner.averageMs);
        const next = owner.waiting.shift();
        if (next !== undefined) next(grant(ownerId, owner));
        else if (owner.active === 0) owners.delete(ownerId);
      },
    };
  }

  // Delays grow as fast as slots become free, so that submissions return about in their order.
  function putBack(owner: Owner): Slot {
    const time = now();
    const share = owner.averageMs / limit;
    owner.backlogUntil = Math.max(owner.backlogUntil, time + MIN_DELAY_MS) + share;
    return { granted: false, delayMs: Math.min(Math.ceil(owner.backlogUntil - time), MAX_DELAY_MS) };
  }

  function waitHere(owner: Owner): Promise<Slot> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        owner.waiting.splice(owner.waiting.indexOf(take), 1);
        resolve(putBack(owner));
      }, MAX_WAIT_MS);
      function take(slot: Slot): void {
        clearTimeout(timer);
        resolve(slot);
      }
      owner.waiting.push(take);
    });
  }

  return {
    take(ownerId: string): Slot | Promise<Slot> {
      if (closed) return { granted: false, delayMs: 0 };
      let owner = owners.get(ownerId);
      if (owner === undefined) {
        owner = { active: 0, waiting: [], averageMs: 0, backlogUntil: 0 };
        owners.set(ownerId, owner);
      }
      if (owner.active < limit) return grant(ownerId, owner);
      const expectedMs = ((owner.waiting.length + 1) * owner.averageMs) / limit;
      return expectedMs <= MAX_WAIT_MS ? waitHere(owner) : putBack(owner);
    },

    /** Puts back those that wait, and all that come later. */
    close(): void {
      closed = true;
      for (const owner of owners.values())
        for (const take of owner.waiting.splice(0)) take({ granted: false, delayMs: 0 });
      if (active === 0) idle.resolve();
    },

    /** After {@link close}: resolves when every granted submission is done. */
    finished: () => idle.promise,
  };
}
