// The time by which housekeeping removes things: a wall clock set ahead by mistake must remove nothing that
// is needed once it is set right.
import type { Clock } from '../ports/clock.ts';

/** How far the clocks may part between two looks without a question: time servers correct by less. */
export const TOLERANCE_MS = 60_000;
/** How long a time that was jumped to must have held before it counts. */
export const HOLD_MS = 60 * 60_000;

/** What the wall clock shows less the time that the machine is up. */
type Offset = number;

/**
 * Answers the wall clock's time while it goes with the time that the machine is up, asleep or awake; after a
 * jump, the earlier of that and the time before the jump continued, until the new time has held for an hour
 * awake or the clock comes back. The first time is trusted. Ask at least every few minutes.
 */
export function createConfirmedTime(clock: Clock): () => number {
  let confirmed: Offset = clock.now() - clock.uptime();
  let jumped: { to: Offset; since: number } | null = null;

  return () => {
    const [wall, up, passed] = [clock.now(), clock.uptime(), clock.monotonic()];
    const offset = wall - up;
    if (isNear(offset, confirmed)) {
      confirmed = offset;
      jumped = null;
      return wall;
    }
    if (jumped === null || !isNear(offset, jumped.to)) jumped = { to: offset, since: passed };
    else jumped.to = offset;
    if (passed - jumped.since >= HOLD_MS) {
      confirmed = offset;
      jumped = null;
      return wall;
    }
    return Math.min(wall, confirmed + up);
  };
}

/** Whether two offsets of clocks differ by no more than a time server corrects. */
export function isNear(a: Offset, b: Offset): boolean {
  return Math.abs(a - b) <= TOLERANCE_MS;
}
