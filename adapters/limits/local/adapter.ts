// Rate limits counted in this process: exact, and gone with it.
import type { RateLimiter, RateVerdict, RateWindow } from '#core/ports/rate-limiter.ts';

interface Counter {
  used: number;
  endsAt: number;
}

/** How often counters whose windows have ended are dropped. */
const SWEEP_MS = 60_000;

/** Fixed windows that begin with the first request counted in them. */
export function createLocalRateLimiter(): RateLimiter {
  const buckets = new Map<string, Counter[]>();
  let sweepAt = 0;

  function countersOf(bucket: string, windows: readonly RateWindow[], now: number): Counter[] {
    let counters = buckets.get(bucket);
    if (counters === undefined) {
      counters = windows.map(() => ({ used: 0, endsAt: 0 }));
      buckets.set(bucket, counters);
    }
    for (const [index, counter] of counters.entries())
      if (now >= counter.endsAt) {
        counter.used = 0;
        counter.endsAt = now + (windows[index] as RateWindow).seconds * 1000;
      }
    return counters;
  }

  function sweep(now: number): void {
    sweepAt = now + SWEEP_MS;
    for (const [bucket, counters] of buckets)
      if (counters.every((counter) => now >= counter.endsAt)) buckets.delete(bucket);
  }

  return {
    take(bucket, windows, now): RateVerdict {
      if (now >= sweepAt) sweep(now);
      const counters = countersOf(bucket, windows, now);
      const allowed = windows.every((window, index) => (counters[index] as Counter).used < window.limit);
      const states = windows.map((window, index) => {
        const counter = counters[index] as Counter;
        if (allowed) counter.used++;
        return { window, remaining: window.limit - counter.used, resetMs: counter.endsAt - now };
      });
      return { allowed, states };
    },
    async close() {
      buckets.clear();
    },
  };
}
