// Time that a test owns: it stands still until the test moves it.
import type { Clock } from '#core/ports/clock.ts';

export interface FakeClock extends Clock {
  /** Moves on by this many milliseconds and answers the new time. */
  advance(ms: number): number;
}

/** A clock that begins on a fixed day, so that failures read the same every time. */
export function createFakeClock(start = Date.UTC(2026, 10, 21, 9)): FakeClock {
  let time = start;
  return {
    now: () => time,
    advance(ms) {
      time += ms;
      return time;
    },
  };
}
