// Asks a sender again and again on behalf of an adapter: one round at a time, less often while it fails, and
// never after stop().
import { setTimeout as pause } from 'node:timers/promises';
import type { RunningAdapter } from '../ports/adapter/adapter.ts';
import type { Log } from '../ports/log.ts';

/** The longest pause after failures, unless the interval itself is longer. */
const MAX_PAUSE_MS = 15 * 60_000;
/** Part of a pause by which it varies, so that processes do not all ask at the same moment. */
const JITTER = 0.1;

export interface PollingOptions {
  /** From the end of a round to the next one. It doubles with each failure, up to 15 minutes. */
  everyMs: number;
  log: Log;
  /**
   * One round. What it returns is shown in `/ready`; what it throws is logged when it begins to fail, and the
   * round is repeated later. `signal` is aborted when the program stops: give it to fetch().
   */
  poll: (signal: AbortSignal) => Promise<string>;
}

/** Starts the first round at once; its state is not `ok` before that has succeeded. */
export function startPolling({ everyMs, log, poll }: PollingOptions): RunningAdapter {
  const ending = new AbortController();
  const { signal } = ending;
  let failures = 0;
  let works = false;
  let detail = 'is asked for the first time';

  async function round(): Promise<void> {
    try {
      detail = await poll(signal);
      if (failures > 0) log.info({ failures }, 'polling works again');
      failures = 0;
      works = true;
    } catch (error) {
      if (signal.aborted) return;
      failures++;
      works = false;
      detail = `failed ${failures === 1 ? 'once' : `${failures} times`}; the log says why`;
      if (failures === 1) log.warn({ err: error }, 'polling fails; it is tried again');
      else log.debug({ err: error }, 'polling still fails');
    }
  }

  async function run(): Promise<void> {
    while (!signal.aborted) {
      await round();
      const longest = Math.max(everyMs, MAX_PAUSE_MS);
      const pauseMs = Math.min(everyMs * 2 ** failures, longest) * (1 + JITTER * (Math.random() - 0.5));
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
