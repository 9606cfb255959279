// Times in words: relative to now, left until a deadline, and in full (en-US, as everywhere in Qinbox).
const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** In place of an unreadable time. */
export const UNKNOWN_TIME = 'Unknown time';

/** Milliseconds since the epoch of an ISO string or a number, or null when it is no time. */
export function parseTime(value: string | number | null | undefined): number | null {
  if (value === null || value === undefined || value === '') return null;
  const ms = typeof value === 'number' ? value : Date.parse(value);
  return Number.isFinite(ms) && Math.abs(ms) <= 8.64e15 ? ms : null;
}

/** "just now", "5 minutes ago", "3 hours ago", "in 2 hours"; "Unknown time" when it is no time. */
export function relativeTime(value: string | number | null | undefined, now: number): string {
  const ms = parseTime(value);
  if (ms === null) return UNKNOWN_TIME;
  const distance = now - ms;
  const size = Math.abs(distance);
  if (size < MINUTE) return 'just now';
  const [count, unit] =
    size < HOUR
      ? [Math.floor(size / MINUTE), 'minute']
      : size < DAY
        ? [Math.floor(size / HOUR), 'hour']
        : [Math.floor(size / DAY), 'day'];
  const words = `${count} ${unit}${count === 1 ? '' : 's'}`;
  return distance > 0 ? `${words} ago` : `in ${words}`;
}

/** How old, as short as {@link timeLeft}: "just now", "5 min ago", "3 h ago", "2 d ago". Rounded down. */
export function ageOf(value: string | number | null | undefined, now: number): string {
  const ms = parseTime(value);
  if (ms === null) return UNKNOWN_TIME;
  const age = now - ms;
  if (age < MINUTE) return 'just now';
  if (age < HOUR) return `${Math.floor(age / MINUTE)} min ago`;
  if (age < 2 * DAY) return `${Math.floor(age / HOUR)} h ago`;
  return `${Math.floor(age / DAY)} d ago`;
}

/** "3 d left", "23 h left", "12 min left", "45 s left"; "" once the time is up. Rounded up. */
export function timeLeft(expiresAt: number, now: number): string {
  const left = expiresAt - now;
  if (left <= 0) return '';
  if (left <= MINUTE) return `${Math.ceil(left / SECOND)} s left`;
  if (left <= HOUR) return `${Math.ceil(left / MINUTE)} min left`;
  if (left <= 2 * DAY) return `${Math.ceil(left / HOUR)} h left`;
  return `${Math.ceil(left / DAY)} d left`;
}

const full = new Intl.DateTimeFormat('en-US', {
  month: 'short',
  day: 'numeric',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
});

/** Whether the task is snoozed at `now`. */
export function isAsleep({ snoozedUntil }: { snoozedUntil: string | null }, now: number): boolean {
  return (parseTime(snoozedUntil) ?? now) > now;
}

const clock = new Intl.DateTimeFormat('en-US', { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
const weekday = new Intl.DateTimeFormat('en-US', { weekday: 'short' });

/** A time within a week from now: "18:00", or "Tue 08:00" on another day. */
export function wakeText(until: number, now: number): string {
  const isToday = until - now < DAY && weekday.format(until) === weekday.format(now);
  return isToday ? clock.format(until) : `${weekday.format(until)} ${clock.format(until)}`;
}

/** "Nov 21, 2026, 09:00 AM"; "Unknown time" when it is no time. */
export function fullTime(value: string | number | null | undefined): string {
  const ms = parseTime(value);
  return ms === null ? UNKNOWN_TIME : full.format(ms);
}
