// Messages to Slack after its request was answered: tried a few times, waiting as long as Slack asks, then
// dropped with a line in the log. Nothing here can fail a task or the program.
import { setTimeout as pause } from 'node:timers/promises';
import type { Log } from '#core/ports/log.ts';

const ATTEMPTS = 3;
const FIRST_WAIT_MS = 1000;
/** A longer wait is not worth it: nobody reads the message then. */
const MAX_WAIT_MS = 60_000;
/** Messages at once; more are dropped. */
const MAX_IN_FLIGHT = 500;

/** Slack refuses, and would refuse again. */
export class RefusedError extends Error {}
/** Slack does not answer or is busy. `waitMs` is the wait that it asks for, or null. */
export class UnavailableError extends Error {
  readonly waitMs: number | null;
  constructor(message: string, waitMs: number | null = null) {
    super(message);
    this.waitMs = waitMs;
  }
}

export type Outbox = ReturnType<typeof createOutbox>;

export function createOutbox(log: Log) {
  const inFlight = new Set<Promise<void>>();
  const ending = new AbortController();

  async function attempt(what: string, work: () => Promise<void>, attempts: number): Promise<boolean> {
    for (let tried = 1; ; tried++)
      try {
        await work();
        return true;
      } catch (error) {
        const wait =
          error instanceof UnavailableError ? (error.waitMs ?? FIRST_WAIT_MS * 2 ** (tried - 1)) : null;
        if (wait === null || wait > MAX_WAIT_MS || tried >= attempts || ending.signal.aborted) {
          log.warn({ what, why: (error as Error).message, tried }, 'a message to Slack was dropped');
          return false;
        }
        await pause(wait, undefined, { signal: ending.signal, ref: false }).catch(() => undefined);
      }
  }

  /** Runs work in the background; its fault is logged. */
  function follow(what: string, work: () => Promise<unknown>): void {
    if (inFlight.size >= MAX_IN_FLIGHT) {
      log.warn({ what }, 'a message to Slack was dropped: too many wait');
      return;
    }
    const running: Promise<void> = Promise.resolve()
      .then(work)
      .then(
        () => undefined,
        (error: unknown) => log.warn({ what, err: error }, 'work for Slack failed'),
      )
      .finally(() => inFlight.delete(running));
    inFlight.add(running);
  }

  return {
    follow,
    /** Sends to Slack in the background. `otherwise` is called when all attempts failed. */
    send(
      what: string,
      work: () => Promise<void>,
      { attempts = ATTEMPTS, otherwise }: { attempts?: number; otherwise?: () => void } = {},
    ): void {
      follow(what, async () => {
        if (!(await attempt(what, work, attempts))) otherwise?.();
      });
    },
    /** Ends waits, and resolves when nothing is in flight. */
    async stop(): Promise<void> {
      ending.abort();
      while (inFlight.size > 0) await Promise.all(inFlight);
    },
  };
}
