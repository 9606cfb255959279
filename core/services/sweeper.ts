// Takes expired tasks out of the queues and tells of it. Correctness never depends on it: every read leaves out what has
// expired at that very moment. It only keeps storage small and screens informed.
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
}

/** Starts sweeping; `stop` resolves when the round under way has ended. */
export function startSweeper({ storage, bus, clock, onError }: Parts): { stop(): Promise<void> } {
  let stopped = false;
  let accountsDue = 0;
  let timer: NodeJS.Timeout | undefined;
  let round: Promise<void> = Promise.resolve();

  async function sweep(): Promise<void> {
    try {
      let more = true;
      while (more && !stopped) {
        const swept = await storage.tasks.sweep(clock.now(), BATCH);
        for (const task of swept.expired) bus.publish({ kind: 'task', type: 'task.expired', task });
        more = swept.more;
      }
      if (clock.now() >= accountsDue && !stopped) {
        accountsDue = clock.now() + ACCOUNT_INTERVAL_MS;
        await storage.accounts.purge(clock.now());
        await storage.rejected.purge(clock.now());
        await storage.intakes.purge(clock.now());
        await storage.adapterData.purge(clock.now());
      }
    } catch (error) {
      onError(error);
    }
    if (!stopped) schedule();
  }

  function schedule(): void {
    timer = setTimeout(() => {
      round = sweep();
    }, INTERVAL_MS);
  }

  schedule();
  return {
    async stop() {
      stopped = true;
      clearTimeout(timer);
      await round;
    },
  };
}
