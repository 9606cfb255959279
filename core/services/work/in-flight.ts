// Work that an adapter has begun and that must be over before it has stopped.
import { setTimeout as pause } from 'node:timers/promises';
import type { Log } from '#core/ports/log.ts';

const FIRST_PAUSE_MS = 500;
const MAX_PAUSE_MS = 60_000;

export interface WorkInFlight {
  /** What fails is logged as a warning. */
  add(work: Promise<unknown>): void;
  /**
   * Tries until it succeeds, with pauses of half a second to a minute; the first failure is logged. Rejects
   * with the latest one when `done` is called meanwhile. For messages that the sender does not repeat.
   */
  repeat<T>(attempt: () => Promise<T>): Promise<T>;
  /** Ends repeats, and resolves when all is over, what is added meanwhile included. Never rejects. */
  done(): Promise<void>;
}

export function trackWork(log: Log): WorkInFlight {
  const working = new Set<Promise<void>>();
  const ending = new AbortController();
  const { signal } = ending;
  return {
    add(work) {
      const tracked = work
        .then(
          () => undefined,
          (error: unknown) => log.warn({ err: error }, 'a message could not be taken in'),
        )
        .finally(() => working.delete(tracked));
      working.add(tracked);
    },
    async repeat(attempt) {
      for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 2, MAX_PAUSE_MS))
        try {
          return await attempt();
        } catch (error) {
          if (signal.aborted) throw error;
          if (pauseMs === FIRST_PAUSE_MS) log.warn({ err: error }, 'a message is tried again');
          await pause(pauseMs, undefined, { signal }).catch(() => undefined);
          if (signal.aborted) throw error;
        }
    },
    async done() {
      ending.abort();
      while (working.size > 0) await Promise.all(working);
    },
  };
}
