// Takes expired tasks out of the queues and publishes that, and which snoozed tasks woke. Reads do not depend
// on it. It goes by the confirmed time: a wall clock that jumps ahead removes nothing.
import { createConfirmedTime } from './confirmed-time.ts';
import type { Clock } from '../ports/clock.ts';
import type { EventBus } from '../ports/event-bus.ts';
import type { Storage } from '../ports/storage.ts';

/** How often it looks. */
const INTERVAL_MS = 1000;
/** Rows in one transaction, so that a hundred thousand expiring together hold nobody up. */
const BATCH = 500;
/** How often sessions and links that ended are removed. */
const ACCOUNT_INTERVAL_MS = 10 * 60_000;

interface Parts {
  storage: Storage;
  bus: EventBus;
  clock: Clock;
  /** Hears of faults; the next round tries again. */
  onError: (error: unknown) => void;
  /** How often it looks; every second when left out. */
  intervalMs?: number;
}

export interface Sweeper {
  /** How long ago all that was due had been removed, in milliseconds; while it has not, since the start. */
  lagMs(): number;
  /** Resolves when the round under way has ended. */
  stop(): Promise<void>;
}

/** Starts sweeping. */
export function startSweeper({ storage, bus, clock, onError, intervalMs = INTERVAL_MS }: Parts): Sweeper {
  let doneAt = clock.monotonic();
  let stopped = false;
  let accountsDue = -Infinity;
  let timer: NodeJS.Timeout | undefined;
  let round: Promise<void> = Promise.resolve();
  const confirmedTime = createConfirmedTime(clock);

  async function sweep(): Promise<void> {
    try {
      let more = true;
      while (more && !stopped) {
        const swept = await storage.tasks.sweep(confirmedTime(), BATCH);
        for (const task of swept.expired) bus.publish({ kind: 'task', type: 'task.expired', task });
        for (const task of swept.woken) bus.publish({ kind: 'task', type: 'task.restored', task });
        more = swept.more;
      }
      doneAt = clock.monotonic();
      if (clock.monotonic() >= accountsDue && !stopped) {
        accountsDue = clock.monotonic() + ACCOUNT_INTERVAL_MS;
        const now = confirmedTime();
        await storage.accounts.purge(now);
        await storage.rejected.purge(now);
        await storage.intakes.purge(now);
        await storage.adapterData.purge(now);
        await storage.push.purge(now);
        await storage.work.purge(now);
      }
    } catch (error) {
      onError(error);
    }
    if (!stopped) schedule();
  }

  function schedule(): void {
    timer = setTimeout(() => {
      round = sweep();
    }, intervalMs);
  }

  schedule();
  return {
    lagMs: () => clock.monotonic() - doneAt,
    async stop() {
      stopped = true;
      clearTimeout(timer);
      await round;
    },
  };
}
