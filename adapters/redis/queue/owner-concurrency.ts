// Fairness between owners within one worker process: of one owner only so many submissions are carried out at a time. Others of
// that owner wait here when a turn will be free in a moment, and are put back into the queue for a while when it will not,
// so that they hold up nobody else.

/** What a submission is told: carry it out and call `done`, or come back after this many milliseconds (0: at once, elsewhere). */
export type Turn = { granted: true; done(): void } | { granted: false; delayMs: number };

/** Waiting for a turn costs a place in the worker: it is worth it for no longer than this. */
const PATIENCE_MS = 20;
const MIN_DELAY_MS = 100;
const MAX_DELAY_MS = 5000;
/** Weight of the latest duration in the average. */
const FRESHNESS = 0.2;

interface OwnerTurns {
  active: number;
  /** Those that wait here, first come, first served. */
  waiting: ((turn: Turn) => void)[];
  /** Average duration of a turn, in milliseconds. */
  averageMs: number;
  /** When those put back so far will probably have had their turns. */
  backlogUntil: number;
}

export type Turns = ReturnType<typeof createTurns>;

/** `limit` turns at a time for each owner. */
export function createTurns(limit: number, now: () => number = () => performance.now()) {
  const owners = new Map<string, OwnerTurns>();
  const idle = Promise.withResolvers<void>();
  let active = 0;
  let closed = false;

  function grant(ownerId: string, owner: OwnerTurns): Turn {
    const begun = now();
    owner.active++;
    active++;
    return {
      granted: true,
      done() {
        owner.active--;
        active--;
        if (closed && active === 0) idle.resolve();
        owner.averageMs += FRESHNESS * (now() - begun - owner.averageMs);
        const next = owner.waiting.shift();
        if (next !== undefined) next(grant(ownerId, owner));
        else if (owner.active === 0) owners.delete(ownerId);
      },
    };
  }

  // Those put back are told to return one after the other, at the pace at which turns become free: about in their order.
  function putBack(owner: OwnerTurns): Turn {
    const time = now();
    const share = owner.averageMs / limit;
    owner.backlogUntil = Math.max(owner.backlogUntil, time + MIN_DELAY_MS) + share;
    return { granted: false, delayMs: Math.min(Math.ceil(owner.backlogUntil - time), MAX_DELAY_MS) };
  }

  function waitHere(owner: OwnerTurns): Promise<Turn> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        owner.waiting.splice(owner.waiting.indexOf(take), 1);
        resolve(putBack(owner));
      }, PATIENCE_MS);
      function take(turn: Turn): void {
        clearTimeout(timer);
        resolve(turn);
      }
      owner.waiting.push(take);
    });
  }

  return {
    take(ownerId: string): Turn | Promise<Turn> {
      if (closed) return { granted: false, delayMs: 0 };
      let owner = owners.get(ownerId);
      if (owner === undefined) {
        owner = { active: 0, waiting: [], averageMs: 0, backlogUntil: 0 };
        owners.set(ownerId, owner);
      }
      if (owner.active < limit) return grant(ownerId, owner);
      const expectedMs = ((owner.waiting.length + 1) * owner.averageMs) / limit;
      return expectedMs <= PATIENCE_MS ? waitHere(owner) : putBack(owner);
    },

    /** Sends away those that wait, and all that come later. */
    close(): void {
      closed = true;
      for (const owner of owners.values())
        for (const take of owner.waiting.splice(0)) take({ granted: false, delayMs: 0 });
      if (active === 0) idle.resolve();
    },

    /** After {@link close}: resolves when every turn is over. */
    finished: () => idle.promise,
  };
}
