// What the choices of the push rules are: times and days.
import type { QuietHours } from '#core/contract/index.ts';
import { ownZone, tomorrowMorning } from '#core/domain/snooze-times.ts';

const HOUR_MS = 60 * 60_000;
const SUNDAY = 0;

/** Monday first; the numbers are those of JavaScript. */
export const WEEKDAYS: readonly { day: number; label: string; name: string }[] = [
  { day: 1, label: 'Mon', name: 'Monday' },
  { day: 2, label: 'Tue', name: 'Tuesday' },
  { day: 3, label: 'Wed', name: 'Wednesday' },
  { day: 4, label: 'Thu', name: 'Thursday' },
  { day: 5, label: 'Fri', name: 'Friday' },
  { day: 6, label: 'Sat', name: 'Saturday' },
  { day: SUNDAY, label: 'Sun', name: 'Sunday' },
];

const EVERY_DAY = [0, 1, 2, 3, 4, 5, 6];

/** What quiet hours begin with: every night, by this browser's clock. */
export function nightly(zone = ownZone()): QuietHours {
  return { from: '22:00', to: '07:00', zone, days: [...EVERY_DAY], pass: [] };
}

/** `day` is added or removed; in the order of the week's numbers. */
export function withDay(days: readonly number[], day: number, isOn: boolean): number[] {
  return EVERY_DAY.filter((each) => (each === day ? isOn : days.includes(each)));
}

/** What a reader of two times may miss. */
export function endsNextDay({ from, to }: Pick<QuietHours, 'from' | 'to'>): boolean {
  return to <= from;
}

/** How long nothing may disturb, by the clock of this browser; `until` in milliseconds. */
export const SILENCES: readonly { label: string; until: (now: number) => number }[] = [
  { label: '1 hour', until: (now) => now + HOUR_MS },
  { label: 'Until tomorrow 08:00 AM', until: (now) => tomorrowMorning(now) },
];
