// Fairness between owners within one worker process: of one way in it carries out a limited number of
// submissions at a time, and of these a limited number of one owner. Further ones of that owner wait here
// when they can begin in a moment, and otherwise go back into the queue with a delay, so that they occupy no
// place that other owners could use. Where a way in has several queues, each takes as many jobs as the
// process carries out of all of them, for the others may be empty; what is too many waits here for its turn.

/** Carry out and call `done`, or put back for this many milliseconds (0: at once, for another process). */
export type Slot = { granted: true; done(): void } | { granted: false; delayMs: number };

/** A submission that waits for others of its owner occupies a place in the worker: no longer than this. */
const MAX_WAIT_MS = 20;
const MIN_DELAY_MS = 100;
const MAX_DELAY_MS = 5000;
/** Weight of the latest duration in the average. */
const LATEST_WEIGHT = 0.2;

interface Owner {
  /** Those that wait for their turn included. */
  active: number;
  /** First come, first served. */
  waiting: ((slot: Slot | Promise<Slot>) => void)[];
  /** Average time to carry out a submission, in milliseconds. */
  averageMs: number;
  /** When those put back so far will probably be done. */
  backlogUntil: number;
}

export type OwnerConcurrency = ReturnType<typeof createOwnerConcurrency>;

/** `limit`: submissions of one owner at a time; `total`: of all. */
export function createOwnerConcurrency(
  limit: number,
  total: number,
  now: () => number = () => performance.now(),
) {
  const owners = new Map<string, Owner>();
  /** What has a place of its owner's, and waits for one of the process. First come, first served. */
  const turns: ((begins: boolean) => void)[] = [];
  const idle = Promise.withResolvers<void>();
  let active = 0;
  let closed = false;

  function grant(ownerId: string, owner: Owner): Slot | Promise<Slot> {
    owner.active++;
    const since = now();
    if (active < total) return begin(ownerId, owner, since);
    return new Promise((resolve) => {
      turns.push((begins) => {
        if (begins) return resolve(begin(ownerId, owner, since));
        owner.active--;
        resolve({ granted: false, delayMs: 0 });
      });
    });
  }

  function begin(ownerId: string, owner: Owner, since: number): Slot {
    active++;
    return {
      granted: true,
      done() {
        owner.active--;
        active--;
        if (closed && active === 0) idle.resolve();
        owner.averageMs += LATEST_WEIGHT * (now() - since - owner.averageMs);
        // Before the owner's next, which would otherwise be ahead of those that wait longer.
        turns.shift()?.(true);
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
      function take(slot: Slot | Promise<Slot>): void {
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
      for (const turn of turns.splice(0)) turn(false);
      if (active === 0) idle.resolve();
    },

    /** After {@link close}: resolves when every granted submission is done. */
    finished: () => idle.promise,
  };
}
