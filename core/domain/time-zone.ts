// What clocks on the wall show in a time zone of the IANA database, and when they show a time.

/** Whether it is a zone that this system knows; offsets such as +02:00 are none. */
export function isTimeZone(zone: string): boolean {
  if (!/^[A-Za-z]/.test(zone)) return false;
  try {
    formatterOf(zone);
    return true;
  } catch {
    return false;
  }
}

const formatters = new Map<string, Intl.DateTimeFormat>();

/**
 * Making one takes a hundred times as long as using it, and each takes 30 KiB. There are some 600 names of
 * zones, which may be written in any case.
 */
function formatterOf(zone: string): Intl.DateTimeFormat {
  const name = zone.toLowerCase();
  let formatter = formatters.get(name);
  if (formatter === undefined) {
    formatter = new Intl.DateTimeFormat('en-US', {
      timeZone: zone,
      calendar: 'iso8601',
      numberingSystem: 'latn',
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    });
    formatters.set(name, formatter);
  }
  return formatter;
}

const DAY_MS = 24 * 3_600_000;

/** What clocks in the zone show at a moment, as the milliseconds at which clocks of UTC show the same. */
export function wallTime(zone: string, at: number): number {
  const parts: Record<string, number> = {};
  for (const { type, value } of formatterOf(zone).formatToParts(at)) parts[type] = Number(value);
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts;
  const fraction = ((at % 1000) + 1000) % 1000;
  return Date.UTC(year, month - 1, day, hour, minute, second, fraction);
}

/**
 * The first moment at which clocks in the zone show this wall time or a later one: of a time that they show
 * twice the first, of one that they leave out the moment at which they leave it out.
 */
export function momentOf(zone: string, wall: number): number {
  // No clock is more than a day from UTC. Clocks never change twice within two days.
  const [from, to] = [wall - DAY_MS, wall + DAY_MS];
  const [before, after] = [from, to].map((at) => wallTime(zone, at) - at) as [number, number];
  if (before === after) return wall - before;
  const change = changeBetween(zone, from, to, before);
  if (wall - before < change) return wall - before;
  return Math.max(wall - after, change);
}

/** The first moment after `from` at which the zone is no longer `offset` ahead of UTC. */
function changeBetween(zone: string, from: number, to: number, offset: number): number {
  let [low, high] = [from, to];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (wallTime(zone, middle) - middle === offset) low = middle;
    else high = middle;
  }
  return high;
}

/** The minutes since midnight of a time of day such as 08:30. */
export function minutesOfDay(time: string): number {
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  return hours * 60 + minutes;
}
