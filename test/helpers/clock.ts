// Time that a test owns: it stands still until the test moves it.
import type { Clock } from '#core/ports/clock.ts';

export interface FakeClock extends Clock {
  /** Lets this many milliseconds pass, on all clocks, and answers the new time. */
  advance(ms: number): number;
  /**
   * Sets the wall clock ahead by this many milliseconds, or back, while no time passes. Answers what it shows
   * then.
   */
  jump(ms: number): number;
  /** Lets the machine sleep so long: the monotonic clock stands still. Answers the new time. */
  sleep(ms: number): number;
}

/** A clock that begins on a fixed day, so that failures read the same every time. */
export function createFakeClock(start = Date.UTC(2026, 10, 21, 9)): FakeClock {
  let passed = 0;
  let slept = 0;
  let wall = start;
  return {
    now: () => wall,
    monotonic: () => passed,
    uptime: () => passed + slept,
    advance(ms) {
      passed += ms;
      return (wall += ms);
    },
    jump: (ms) => (wall += ms),
    sleep(ms) {
      slept += ms;
      return (wall += ms);
    },
  };
}
