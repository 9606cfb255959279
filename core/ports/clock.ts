// Time, injected. The wall clock is for people and storage, the monotonic one for durations in this process.

export interface Clock {
  /** Milliseconds since the epoch, UTC. An operator or a time server may set it in either direction. */
  now(): number;
  /** Milliseconds since some moment; never goes back or jumps. May stand still while the machine sleeps. */
  monotonic(): number;
  /** As the monotonic clock, but goes on while the machine sleeps; to the second. */
  uptime(): number;
}
