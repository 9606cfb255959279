// Takes expired tasks out of the queues and publishes that, and which snoozed tasks woke: first it publishes,
// then it takes, so that all of it is told at least once, whenever a process ends. Reads do not depend on it.
// It goes by the confirmed time: a wall clock that jumps ahead removes nothing.
import { createConfirmedTime } from './confirmed-time.ts';
import type { Task } from '../domain/task.ts';
import type { Clock } from '../ports/clock.ts';
import type { EventBus } from '../ports/event-bus.ts';
import type { Storage } from '../ports/storage.ts';
import type { Due } from '../ports/task-store.ts';

/** How often it looks. */
const INTERVAL_MS = 1000;
/** Rows in one transaction, so that a hundred thousand expiring together hold nobody up. */
const BATCH = 500;
/** How often sessions and links that ended are removed. */
const ACCOUNT_INTERVAL_MS = 10 * 60_000;

interface Parts {
  storage: Storage;
  /** Nothing is taken before its flush resolves, which must not take long. */
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
  const tell = createTelling(bus);

  async function sweep(): Promise<void> {
    try {
      let more = true;
      while (more && !stopped) ({ more } = await storage.tasks.sweep(confirmedTime(), BATCH, tell));
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

/**
 * Publishes what is due, and waits until it has left this process. A store that cannot take it finds it again
 * a second later: what this process told last, it does not tell again.
 */
function createTelling(bus: EventBus): (due: Due) => Promise<void> {
  let told: ReadonlySet<string> = new Set();
  return async ({ expired, woken }) => {
    const before = told;
    const now = new Set<string>();
    told = now;
    const publish = (type: 'task.expired' | 'task.restored', task: Task, at: number | null) => {
      const key = `${type} ${task.id} ${at}`;
      now.add(key);
      if (!before.has(key)) bus.publish({ kind: 'task', type, task });
    };
    for (const task of expired) publish('task.expired', task, task.expiresAt);
    for (const task of woken) publish('task.restored', task, task.snoozedUntil);
    await bus.flush();
  };
}
