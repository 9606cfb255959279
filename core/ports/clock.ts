// Time, injected, so that tests own it.

/** Tells the time. */
export interface Clock {
  /** Milliseconds since the epoch, UTC. */
  now(): number;
}

/** The system's clock. */
export const systemClock: Clock = { now: () => Date.now() };
