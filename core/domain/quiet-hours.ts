// When a user wants no pushes: in quiet hours, which are of the clocks on their wall, and until a time that
// they named. Exact through every change of clocks: quiet hours begin at the first moment at which the clocks
// show their beginning or later, and end at the first at which they show their end or later.
import type { Priority, PushRules, QuietHours } from '../contract/index.ts';
import { minutesOfDay, momentOf, wallTime } from './time-zone.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
/** One time of quiet may end where the next begins, when clocks leave out what is between; not many do. */
const MAX_IN_A_ROW = 10;

type Held = Pick<PushRules, 'quiet' | 'doNotDisturbUntil'>;

/**
 * Until when a push of this priority is held that is to leave at `now`; null when it may leave. A priority of
 * null is any that quiet hours do not let pass.
 */
export function heldUntil(rules: Held, priority: Priority | null, now: number): number | null {
  let at = now;
  for (let count = 0; count < MAX_IN_A_ROW; count++) {
    const end = endOfQuiet(rules, priority, at);
    if (end === null) break;
    at = end;
  }
  return at === now ? null : at;
}

function endOfQuiet(
  { quiet, doNotDisturbUntil }: Held,
  priority: Priority | null,
  at: number,
): number | null {
  const until = doNotDisturbUntil === null ? at : Date.parse(doNotDisturbUntil);
  if (until > at) return until;
  if (quiet === null || (priority !== null && quiet.pass.includes(priority))) return null;
  return endOfHours(quiet, at);
}

/** The end of the quiet hours that are at `at`; null when there are none. */
function endOfHours(quiet: QuietHours, at: number): number | null {
  const today = Math.floor(wallTime(quiet.zone, at) / DAY_MS);
  // Those that began today or yesterday; clocks that were set back may show the day before.
  for (const day of [today - 1, today, today + 1]) {
    if (!quiet.days.includes(new Date(day * DAY_MS).getUTCDay())) continue;
    const { begin, end } = hoursOf(quiet, day);
    if (begin <= at && at < end) return end;
  }
  return null;
}

/** The quiet hours that begin on a day, counted in days since the epoch. */
function hoursOf({ zone, from, to }: QuietHours, day: number): { begin: number; end: number } {
  const [first, last] = [minutesOfDay(from), minutesOfDay(to)];
  const endDay = last > first ? day : day + 1;
  return {
    begin: momentOf(zone, day * DAY_MS + first * MINUTE_MS),
    end: momentOf(zone, endDay * DAY_MS + last * MINUTE_MS),
  };
}
