// Whether what has failed for days was tried for days: not where the machine slept, the program was off, or
// the clock was set meanwhile. Right after that, the network may not be there yet.
import type { Clock } from '../ports/clock.ts';
import { isNear } from './confirmed-time.ts';

/** How long this process has to run, awake and by the same clock. */
const LASTS_MS = 60 * 60_000;

/** Answers for how long nothing may be given up yet, in milliseconds; 0 when it may. */
export function createGrace(clock: Pick<Clock, 'now' | 'monotonic'>): () => number {
  const offsetNow = () => clock.now() - clock.monotonic();
  let since = clock.monotonic();
  let offset = offsetNow();
  return () => {
    if (!isNear(offsetNow(), offset)) since = clock.monotonic();
    offset = offsetNow();
    return Math.max(0, since + LASTS_MS - clock.monotonic());
  };
}
