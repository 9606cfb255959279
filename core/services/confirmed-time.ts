// The time that housekeeping may remove things by: the wall clock, as far as the monotonic one bears it out.
// A wall clock that is set ahead by mistake, or by a machine that slept, must remove nothing that is still
// needed once it is set right.
import type { Clock } from '../ports/clock.ts';

/** How far the clocks may part between two looks without a question: time servers correct by less. */
export const TOLERANCE_MS = 60_000;
/** How long a time that was jumped to must have held before it counts. */
export const HOLD_MS = 60 * 60_000;

/** What the wall clock shows less what the monotonic one does. */
type Offset = number;

/**
 * Answers the confirmed time: what the wall clock shows while both clocks go together. After a jump it is the
 * earlier of that and what the clocks before the jump would show now, until the new time has held for an
 * hour; it is as before at once when the wall clock comes back. The time at the first look is taken as it is.
 * To be asked at least every few minutes.
 */
export function createConfirmedTime(clock: Clock): () => number {
  let confirmed: Offset = clock.now() - clock.monotonic();
  let jumped: { to: Offset; since: number } | null = null;

  return () => {
    const [wall, passed] = [clock.now(), clock.monotonic()];
    const offset = wall - passed;
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
    return Math.min(wall, confirmed + passed);
  };
}

function isNear(a: Offset, b: Offset): boolean {
  return Math.abs(a - b) <= TOLERANCE_MS;
}
