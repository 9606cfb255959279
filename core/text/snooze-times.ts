// When a task can be snoozed until, by the wall clock of a time zone: exact over its clock changes.
import { MAX_EXPIRY_MINUTES } from '#core/contract/limits.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const LATER_MS = 3 * HOUR;
const MORNING = 8;
const EVENING = 18;
const MONDAY = 1;

export interface SnoozeOption {
  label: string;
  /** In milliseconds. */
  until: number;
}

/** A day of the calendar, in no zone. */
interface Day {
  year: number;
  /** From 1. */
  month: number;
  day: number;
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
  const clock = createWallClock(zone);
  const today = clock.dayOf(now);
  const later = Math.floor((now + LATER_MS) / MINUTE) * MINUTE;
  const untilMonday = (MONDAY + 7 - weekdayOf(today)) % 7 || 7;
  const options = [
    { label: isSame(clock.dayOf(later), today) ? 'Later today' : 'In 3 hours', until: later },
    { label: 'This evening', until: clock.timeOf(today, EVENING) },
    { label: 'Tomorrow morning', until: clock.timeOf(daysAfter(today, 1), MORNING) },
    { label: 'Next week', until: clock.timeOf(daysAfter(today, untilMonday), MORNING) },
  ];
  return options.filter(
    ({ until }, index) =>
      until >= later &&
      until <= latestWaking(now) &&
      options.findIndex((option) => option.until === until) === index,
  );
}

function ownZone(): string {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone;
}

function createWallClock(zone: string) {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    calendar: 'gregory',
    numberingSystem: 'latn',
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });

  function fieldsOf(time: number) {
    const fields = { year: 0, month: 0, day: 0, hour: 0, minute: 0, second: 0 };
    for (const { type, value } of format.formatToParts(time))
      if (type in fields) fields[type as keyof typeof fields] = Number(value);
    return fields;
  }

  /** How far the wall clock is ahead of UTC, in milliseconds. */
  function offsetAt(time: number): number {
    const { year, month, day, hour, minute, second } = fieldsOf(time);
    return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(time / 1000) * 1000;
  }

  return {
    dayOf(time: number): Day {
      const { year, month, day } = fieldsOf(time);
      return { year, month, day };
    },
    /** When the clock shows the hour: the first time, if it does so twice; later, if a change skips it. */
    timeOf({ year, month, day }: Day, hour: number): number {
      const wall = Date.UTC(year, month - 1, day, hour);
      const before = wall - offsetAt(wall - DAY);
      const after = wall - offsetAt(wall + DAY);
      const isShown = (time: number) => wall - offsetAt(time) === time;
      const shown = [before, after].filter(isShown);
      return shown.length === 0 ? before : Math.min(...shown);
    },
  };
}

/** 0 for Sunday. */
function weekdayOf({ year, month, day }: Day): number {
  return new Date(Date.UTC(year, month - 1, day)).getUTCDay();
}

function daysAfter({ year, month, day }: Day, days: number): Day {
  const date = new Date(Date.UTC(year, month - 1, day + days));
  return { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() };
}

function isSame(a: Day, b: Day): boolean {
  return a.year === b.year && a.month === b.month && a.day === b.day;
}
