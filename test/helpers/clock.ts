// Time that a test owns: it stands still until the test moves it.
import type { Clock } from '#core/ports/clock.ts';

export interface FakeClock extends Clock {
  /** Lets this many milliseconds pass, on both clocks, and answers the new time. */
  advance(ms: number): number;
  /**
   * Sets the wall clock ahead by this many milliseconds, or back, while no time passes. Answers what it shows
   * then.
   */
  jump(ms: number): number;
}

/** A clock that begins on a fixed day, so that failures read the same every time. */
export function createFakeClock(start = Date.UTC(2026, 10, 21, 9)): FakeClock {
  let passed = 0;
  let wall = start;
  return {
    now: () => wall,
    monotonic: () => passed,
    advance(ms) {
      passed += ms;
      return (wall += ms);
    },
    jump: (ms) => (wall += ms),
  };
}
