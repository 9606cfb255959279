// What is told to Slack after the answer: tried a few times, waiting as long as Slack asks, then dropped with a line in the log. Nothing
// here can fail a task or the program.
import { setTimeout as pause } from 'node:timers/promises';
import type { Log } from '#core/ports/log.ts';

const ATTEMPTS = 3;
const FIRST_WAIT_MS = 1000;
/** Longer than this is not waited for: who reads the message has moved on. */
const MAX_WAIT_MS = 60_000;
/** What waits at once; beyond it Slack has been away for long. */
const MAX_WAITING = 500;

/** Slack says no, and would say it again. */
export class Refused extends Error {}
/** Slack is not there, or busy. `waitMs` is what it asks to wait, or null. */
export class Away extends Error {
  readonly waitMs: number | null;
  constructor(message: string, waitMs: number | null = null) {
    super(message);
    this.waitMs = waitMs;
  }
}

export type Outbox = ReturnType<typeof createOutbox>;

export function createOutbox(log: Log) {
  const underWay = new Set<Promise<void>>();
  const ending = new AbortController();

  async function attempt(what: string, work: () => Promise<void>, attempts: number): Promise<boolean> {
    for (let tried = 1; ; tried++)
      try {
        await work();
        return true;
      } catch (error) {
        const wait = error instanceof Away ? (error.waitMs ?? FIRST_WAIT_MS * 2 ** (tried - 1)) : null;
        if (wait === null || wait > MAX_WAIT_MS || tried >= attempts || ending.signal.aborted) {
          log.warn({ what, why: (error as Error).message, tried }, 'a message to Slack was dropped');
          return false;
        }
        await pause(wait, undefined, { signal: ending.signal, ref: false }).catch(() => undefined);
      }
  }

  /** Lets a piece of work go on by itself; what it throws is logged. */
  function follow(what: string, work: () => Promise<unknown>): void {
    if (underWay.size >= MAX_WAITING) {
      log.warn({ what }, 'a message to Slack was dropped: too many wait');
      return;
    }
    const running: Promise<void> = Promise.resolve()
      .then(work)
      .then(
        () => undefined,
        (error: unknown) => log.warn({ what, err: error }, 'work for Slack failed'),
      )
      .finally(() => underWay.delete(running));
    underWay.add(running);
  }

  return {
    follow,
    /** Tells Slack something, later and in its own time. `otherwise` is told when that was in vain. */
    send(
      what: string,
      work: () => Promise<void>,
      { attempts = ATTEMPTS, otherwise }: { attempts?: number; otherwise?: () => void } = {},
    ): void {
      follow(what, async () => {
        if (!(await attempt(what, work, attempts))) otherwise?.();
      });
    },
    /** Ends waits, and resolves when what is under way has ended. */
    async stop(): Promise<void> {
      ending.abort();
      while (underWay.size > 0) await Promise.all(underWay);
    },
  };
}
