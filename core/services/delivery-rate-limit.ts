// Counts deliveries against the rate limits of an intake. With a count shared over the network, a delivery
// far below the limit does not wait for it.
import { createCache } from './cache.ts';
import type { Clock } from '../ports/clock.ts';
import type { RateLimiter, RateVerdict, RateWindow } from '../ports/rate-limiter.ts';

/** Below this limit each verdict is waited for: the limit is exact over any number of processes. */
const SMALLEST_LOOSE_LIMIT = 100;
/** The part of a limit that must remain, as far as this process knows, not to wait. */
const PLENTY = 0.5;
/** How long a verdict is cached; other processes count, too. */
const KNOWN_MS = 1000;
const MAX_KNOWN = 10_000;

interface Known {
  verdict: RateVerdict;
  at: number;
  /** Deliveries counted in the background whose verdict is not there yet. */
  inFlight: number;
}

export interface DeliveryRateLimit {
  /**
   * Counts one delivery. Null when the limit is far away. With several processes a limit of {@link
   * SMALLEST_LOOSE_LIMIT} or more may be exceeded by what comes within one round trip.
   */
  count(bucket: string, windows: readonly RateWindow[]): Promise<RateVerdict | null>;
}

export function createDeliveryRateLimit(
  limiter: RateLimiter,
  clock: Pick<Clock, 'monotonic'>,
): DeliveryRateLimit {
  const known = createCache<Known>(MAX_KNOWN);

  function hasPlenty({ verdict, at, inFlight }: Known, windows: readonly RateWindow[], now: number): boolean {
    if (!verdict.allowed || now - at >= KNOWN_MS) return false;
    return windows.every(({ name, limit, seconds }) => {
      const state = verdict.states.find(
        ({ window }) => window.name === name && window.limit === limit && window.seconds === seconds,
      );
      return (
        limit >= SMALLEST_LOOSE_LIMIT && state !== undefined && state.remaining - inFlight > limit * PLENTY
      );
    });
  }

  function store(bucket: string, verdict: RateVerdict, at: number): RateVerdict {
    known.set(bucket, { verdict, at, inFlight: known.get(bucket)?.inFlight ?? 0 });
    return verdict;
  }

  return {
    async count(bucket, windows) {
      const now = clock.monotonic();
      const counting = limiter.take(bucket, windows);
      if (!(counting instanceof Promise)) return counting;
      const before = known.get(bucket);
      if (before === undefined || !hasPlenty(before, windows, now)) return store(bucket, await counting, now);
      before.inFlight++;
      void counting
        .then((verdict) => store(bucket, verdict, now))
        // A count that fails is no reason to refuse; the next one is waited for.
        .catch(() => known.delete(bucket))
        .finally(() => {
          const after = known.get(bucket);
          if (after !== undefined) after.inFlight = Math.max(0, after.inFlight - 1);
        });
      return null;
    },
  };
}
