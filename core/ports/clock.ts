// Time, injected, so that tests own it. What people read and what is stored goes by the wall clock; how long
// something lasts in this process goes by the monotonic one, which nobody sets.

export interface Clock {
  /**
   * The wall clock: milliseconds since the epoch, UTC. An operator or a time server may set it, in either
   * direction.
   */
  now(): number;
  /**
   * Milliseconds since some moment; never goes back and never jumps ahead. It may stand still while the
   * machine sleeps.
   */
  monotonic(): number;
}

/** The system's clocks. */
export const systemClock: Clock = { now: () => Date.now(), monotonic: () => performance.now() };
