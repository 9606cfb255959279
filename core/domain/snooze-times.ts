// When a task can be snoozed until, by the wall clock of a time zone: exact over its clock changes.
import { MAX_EXPIRY_MINUTES } from '#core/contract/limits.ts';
import { isTimeZone, momentOf, wallTime } from './time-zone.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const LATER_MS = 3 * HOUR;
/** Longer than what clocks show twice. */
const TWICE_WITHIN_MS = 3 * HOUR;
const MORNING = 8;
const EVENING = 18;
const MONDAY = 1;

export interface SnoozeOption {
  label: string;
  /** In milliseconds. */
  until: number;
}

/** The last time that a task can be snoozed until. */
export function latestWaking(now: number): number {
  return now + MAX_EXPIRY_MINUTES * MINUTE;
}

/**
 * What is offered at `now`, the soonest first, which is always three hours on: nothing that is sooner, too
 * far ahead, or offered twice.
 */
export function snoozeOptions(now: number, zone: string = ownZone()): SnoozeOption[] {
  const midnight = midnightAt(zone, now);
  const later = Math.floor((now + LATER_MS) / MINUTE) * MINUTE;
  const untilMonday = (MONDAY + 7 - new Date(midnight).getUTCDay()) % 7 || 7;
  const at = (days: number, hour: number) => momentOf(zone, midnight + days * DAY + hour * HOUR);
  const options = [
    { label: midnightAt(zone, later) === midnight ? 'Later today' : 'In 3 hours', until: later },
    { label: 'This evening', until: at(0, EVENING) },
    { label: 'Tomorrow morning', until: tomorrowMorning(now, zone) },
    { label: 'Next week', until: at(untilMonday, MORNING) },
  ];
  return options.filter(
    ({ until }, index) =>
      until >= later &&
      until <= latestWaking(now) &&
      options.findIndex((option) => option.until === until) === index,
  );
}

/** At eight on the day after that of `now`. */
export function tomorrowMorning(now: number, zone: string = ownZone()): number {
  return momentOf(zone, midnightAt(zone, now) + DAY + MORNING * HOUR);
}

/** The moment that a field of a day and a time means (`2026-11-25T18:00`); not a number for none. */
export function pickedTime(text: string, now: number, zone: string = ownZone()): number {
  const wall = Date.parse(`${text}Z`);
  return Number.isNaN(wall) ? wall : nextMomentOf(zone, wall, now);
}

/**
 * When clocks in the zone show this wall time. Of one that they show twice, the second where the first is
 * over at `now`.
 */
export function nextMomentOf(zone: string, wall: number, now: number): number {
  const first = momentOf(zone, wall);
  if (first > now) return first;
  const after = first + TWICE_WITHIN_MS;
  const again = wall - (wallTime(zone, after) - after);
  return again > now && wallTime(zone, again) === wall ? again : first;
}

/**
 * The time zone of this machine or browser. Where none is set, or one that is not known (for Chromium
 * `TZ=:/etc/localtime`, say), the name is missing or is refused wherever it is used: then the zone with the
 * same clock.
 */
export function ownZone(): string {
  const zone: string | undefined = new Intl.DateTimeFormat().resolvedOptions().timeZone;
  if (zone !== undefined && isTimeZone(zone)) return zone;
  const hours = Math.round(new Date().getTimezoneOffset() / 60);
  return hours === 0 ? 'UTC' : `Etc/GMT${hours > 0 ? '+' : ''}${hours}`;
}

/** When the day begins that clocks in the zone show, as the time at which clocks of UTC show the same. */
function midnightAt(zone: string, time: number): number {
  return Math.floor(wallTime(zone, time) / DAY) * DAY;
}
