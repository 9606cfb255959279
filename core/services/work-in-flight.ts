// Work that an adapter has begun and that must be over before it has stopped.
import type { Log } from '../ports/log.ts';

export interface WorkInFlight {
  /** What fails is logged as a warning. */
  add(work: Promise<unknown>): void;
  /** Resolves when all of it is over, work that is added meanwhile included. Never rejects. */
  done(): Promise<void>;
}

export function trackWork(log: Log): WorkInFlight {
  const working = new Set<Promise<void>>();
  return {
    add(work) {
      const ending = work
        .then(
          () => undefined,
          (error: unknown) => log.warn({ err: error }, 'a message could not be taken in'),
        )
        .finally(() => working.delete(ending));
      working.add(ending);
    },
    async done() {
      while (working.size > 0) await Promise.all(working);
    },
  };
}
