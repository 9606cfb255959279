// When to try again: when the server said, or after a pause that doubles, with jitter.
import type { Timers } from '../timers.ts';

const FIRST_MS = 1000;
const LONGEST_MS = 60_000;

export function createRetry(clock: Timers, random: () => number, again: () => void) {
  let timer: unknown;
  let failures = 0;
  let isFixed = false;

  function reset(): void {
    clock.clearTimeout(timer);
    timer = undefined;
    failures = 0;
    isFixed = false;
  }

  return {
    /** A pause has begun and is not over. */
    mustWait: () => timer !== undefined,
    /** `afterMs`: the server's Retry-After, which nothing shortens. */
    later(afterMs: number | null): void {
      clock.clearTimeout(timer);
      const ceiling = Math.min(LONGEST_MS, FIRST_MS * 2 ** failures);
      failures += 1;
      isFixed = afterMs !== null;
      timer = clock.setTimeout(
        () => {
          timer = undefined;
          again();
        },
        afterMs ?? ceiling / 2 + random() * (ceiling / 2),
      );
    },
    /** Something says that it is worth a try now, for example that the network is back. */
    sooner(): void {
      if (!isFixed) reset();
    },
    reset,
  };
}
