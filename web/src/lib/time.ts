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

/**
 * "3 d left", "23 h left", "12 min left", "45 s left"; "" once the time is up. Rounded up, but not for less
 * than a minute of an hour or a day: clocks differ, and what is new has 24 h.
 */
export function timeLeft(expiresAt: number, now: number): string {
  const left = expiresAt - now;
  if (left <= 0) return '';
  if (left <= MINUTE) return `${Math.ceil(left / SECOND)} s left`;
  if (left <= HOUR) return `${Math.ceil(left / MINUTE)} min left`;
  if (left < 2 * DAY + MINUTE) return `${Math.ceil((left - MINUTE + 1) / HOUR)} h left`;
  return `${Math.ceil((left - MINUTE + 1) / DAY)} d left`;
}

/** Whether the task is snoozed at `now`. */
export function isAsleep({ snoozedUntil }: { snoozedUntil: string | null }, now: number): boolean {
  return (parseTime(snoozedUntil) ?? now) > now;
}

// The formats of Intl take longer to make than all rows of a first list to draw.
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const WEEKDAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];
const twoDigits = (value: number) => String(value).padStart(2, '0');

/** "09:00 AM", as in full. */
function clockTime(time: Date): string {
  const hours = time.getHours();
  return `${twoDigits(hours % 12 || 12)}:${twoDigits(time.getMinutes())} ${hours < 12 ? 'AM' : 'PM'}`;
}

/** A time within a week from now: "06:00 PM", or "Tue 08:00 AM" on another day. */
export function wakeText(until: number, now: number): string {
  const end = new Date(until);
  const isToday = until - now < DAY && end.getDay() === new Date(now).getDay();
  return isToday ? clockTime(end) : `${WEEKDAYS[end.getDay()] ?? ''} ${clockTime(end)}`;
}

/** A time until now: "06:00 PM", or in full where that was on another day. */
export function pastTime(at: number, now: number): string {
  const time = new Date(at);
  return time.toDateString() === new Date(now).toDateString() ? clockTime(time) : fullTime(at);
}

/** "Nov 21, 2026, 09:00 AM"; "Unknown time" when it is no time. */
export function fullTime(value: string | number | null | undefined): string {
  const ms = parseTime(value);
  if (ms === null) return UNKNOWN_TIME;
  const time = new Date(ms);
  const day = `${MONTHS[time.getMonth()] ?? ''} ${time.getDate()}, ${time.getFullYear()}`;
  return `${day}, ${clockTime(time)}`;
}
