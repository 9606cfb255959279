// Asks a sender again and again on behalf of an adapter: one round at a time, less often while it fails, and
// never after stop().
import { setTimeout as pause } from 'node:timers/promises';
import type { RunningAdapter } from '../ports/adapter/adapter.ts';
import type { Log } from '../ports/log.ts';

/** The longest pause after failures, unless the interval itself is longer. */
const MAX_PAUSE_MS = 15 * 60_000;
/** Part of a pause by which it varies, so that processes do not all ask at the same moment. */
const JITTER = 0.1;

/** The longest pause that a sender may ask for: a day. */
const MAX_ASKED_MS = 24 * 3_600_000;

export interface PollingOptions {
  /** From the end of a round to the next one. It doubles with each failure, up to 15 minutes. */
  everyMs: number;
  log: Log;
  /**
   * One round, for as long as it takes. What it returns is shown in `/ready`; what it throws is logged when
   * it begins to fail and when the message changes, and the round is repeated later. `signal` is aborted when
   * the program stops, which waits for the round: give it to fetch().
   */
  poll: (signal: AbortSignal) => Promise<string>;
}

/**
 * Thrown by a round when the sender asks for a pause, as with `Retry-After`: no failure. The next round comes
 * after `afterMs`, not before the usual time and within a day. The message is shown in `/ready`.
 */
export class PollLater extends Error {
  override name = 'PollLater';
  readonly afterMs: number;

  constructor(afterMs: number, message = 'the sender asks for a pause') {
    super(message);
    this.afterMs = afterMs;
  }
}

/** Starts the first round at once; its state is not `ok` before that has succeeded. */
export function startPolling({ everyMs, log, poll }: PollingOptions): RunningAdapter {
  const ending = new AbortController();
  const { signal } = ending;
  let failures = 0;
  let works = false;
  let detail = 'is asked for the first time';
  /** What was logged last, until a round works. */
  let told: string | null = null;

  /** One round; answers the time until the next one. */
  async function round(): Promise<number> {
    try {
      detail = await poll(signal);
      if (failures > 0) log.info({ failures }, 'polling works again');
      failures = 0;
      told = null;
      works = true;
    } catch (error) {
      if (signal.aborted) return 0;
      if (error instanceof PollLater) return laterBy(error);
      failed(error);
    }
    return Math.min(everyMs * 2 ** failures, Math.max(everyMs, MAX_PAUSE_MS));
  }

  function laterBy({ afterMs, message }: PollLater): number {
    detail = message;
    if (told !== message) log.info({ afterMs }, message);
    told = message;
    return Number.isFinite(afterMs) ? Math.min(Math.max(afterMs, everyMs), MAX_ASKED_MS) : everyMs;
  }

  function failed(error: unknown): void {
    failures++;
    works = false;
    detail = `failed ${failures === 1 ? 'once' : `${failures} times`}; the log says why`;
    const message = error instanceof Error ? error.message : String(error);
    if (message === told) log.debug({ err: error }, 'polling still fails');
    else log.warn({ err: error }, 'polling fails; it is tried again');
    told = message;
  }

  async function run(): Promise<void> {
    while (!signal.aborted) {
      const afterMs = await round();
      const pauseMs = afterMs * (1 + JITTER * (Math.random() - 0.5));
      await pause(pauseMs, undefined, { signal }).catch(() => undefined);
    }
  }

  const running = run();
  return {
    state: () => ({ ok: works, detail }),
    async stop() {
      ending.abort();
      await running;
    },
  };
}
