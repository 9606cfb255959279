// When to try again: when the server said, or after a pause that doubles and is never the same for two tabs.

export interface RetryClock {
  now(): number;
  setTimeout(work: () => void, ms: number): unknown;
  clearTimeout(timer: unknown): void;
}

const FIRST_MS = 1000;
const LONGEST_MS = 60_000;

export function createRetry(clock: RetryClock, random: () => number, again: () => void) {
  let timer: unknown;
  let failures = 0;
  let told = false;

  function reset(): void {
    clock.clearTimeout(timer);
    timer = undefined;
    failures = 0;
    told = false;
  }

  return {
    /** A pause has begun and is not over. */
    mustWait: () => timer !== undefined,
    /** `afterMs`: the server's own word, which nothing shortens. */
    later(afterMs: number | null): void {
      clock.clearTimeout(timer);
      const ceiling = Math.min(LONGEST_MS, FIRST_MS * 2 ** failures);
      failures += 1;
      told = afterMs !== null;
      timer = clock.setTimeout(
        () => {
          timer = undefined;
          again();
        },
        afterMs ?? ceiling / 2 + random() * (ceiling / 2),
      );
    },
    /** The network is back, or something else says that it is worth a try. */
    sooner(): void {
      if (!told) reset();
    },
    reset,
  };
}
