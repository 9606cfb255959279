// Rate limits counted in this process: exact, and gone with it.
import type { Clock } from '#core/ports/clock.ts';
import type { RateLimiter, RateVerdict, RateWindow } from '#core/ports/rate-limiter.ts';

interface Counter {
  used: number;
  endsAt: number;
}

/** How often counters whose windows have ended are dropped. */
const SWEEP_MS = 60_000;

/** Fixed windows that begin with the first request counted in them. */
export function createLocalRateLimiter(clock: Pick<Clock, 'monotonic'>): RateLimiter {
  /** By bucket and name of the window: the windows of a bucket may change while it is counted. */
  const buckets = new Map<string, Map<string, Counter>>();
  let sweepAt = -Infinity;

  function counterOf(counters: Map<string, Counter>, { name, seconds }: RateWindow, now: number): Counter {
    const known = counters.get(name);
    if (known !== undefined && now < known.endsAt) return known;
    const fresh = { used: 0, endsAt: now + seconds * 1000 };
    counters.set(name, fresh);
    return fresh;
  }

  function sweep(now: number): void {
    sweepAt = now + SWEEP_MS;
    for (const [bucket, counters] of buckets) {
      for (const [name, { endsAt }] of counters) if (now >= endsAt) counters.delete(name);
      if (counters.size === 0) buckets.delete(bucket);
    }
  }

  return {
    take(bucket, windows): RateVerdict {
      const now = clock.monotonic();
      if (now >= sweepAt) sweep(now);
      const counters = buckets.get(bucket) ?? new Map<string, Counter>();
      buckets.set(bucket, counters);
      const counted = windows.map((window) => ({ window, counter: counterOf(counters, window, now) }));
      const allowed = counted.every(({ window, counter }) => counter.used < window.limit);
      const states = counted.map(({ window, counter }) => {
        if (allowed) counter.used++;
        return { window, remaining: Math.max(0, window.limit - counter.used), resetMs: counter.endsAt - now };
      });
      return { allowed, states };
    },
    async close() {
      buckets.clear();
    },
  };
}
