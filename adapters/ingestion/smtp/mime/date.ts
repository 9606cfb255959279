// Dates of headers (RFC 5322 §3.3, and the ways in which it is broken), without the help of the machine's own time zone.

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
/** Minutes east of Greenwich of the names that RFC 5322 §4.3 still knows. */
const ZONES: Readonly<Record<string, number>> = {
  EST: -300,
  EDT: -240,
  CST: -360,
  CDT: -300,
  MST: -420,
  MDT: -360,
  PST: -480,
  PDT: -420,
  CET: 60,
  CEST: 120,
  BST: 60,
  JST: 540,
};

const WRITTEN =
  /(\d{1,2})[\s-]+([A-Za-z]{3})[A-Za-z]{0,7}[.,]?[\s-]+(\d{2,4})[,\s]+(\d{1,2})[:.](\d{2})(?:[:.](\d{2}))?(?:\.\d{1,9})?(?:\s*([+-]\d{4}|[A-Za-z]{1,5}))?/;
/** `Nov 21 10:00:00 2026`, as ctime writes it. */
const CTIME = /([A-Za-z]{3})\s+(\d{1,2})\s+(\d{1,2}):(\d{2}):(\d{2})\s+(?:[A-Z]{1,5}\s+)?(\d{4})/;
const ISO = /(\d{4})-(\d{2})-(\d{2})[T ](\d{2}):(\d{2})(?::(\d{2}))?(?:\.\d{1,9})?\s*(Z|[+-]\d{2}:?\d{2})?/;

/** Milliseconds since the epoch; null when it cannot be read. UTC where no zone is named. */
export function readDate(value: string): number | null {
  const text = value.slice(0, 120);
  const written = WRITTEN.exec(text);
  if (written !== null) {
    const [, day, month = '', year = '', hour, minute, second, zone] = written;
    return toTime(fullYear(year), monthOf(month), day, hour, minute, second, zone);
  }
  const ctime = CTIME.exec(text);
  if (ctime !== null) {
    const [, month = '', day, hour, minute, second, year = ''] = ctime;
    return toTime(Number(year), monthOf(month), day, hour, minute, second, undefined);
  }
  const iso = ISO.exec(text);
  if (iso === null) return null;
  const [, year, month, day, hour, minute, second, zone] = iso;
  return toTime(Number(year), Number(month) - 1, day, hour, minute, second, zone);
}

function toTime(
  year: number,
  month: number,
  day: string | undefined,
  hour: string | undefined,
  minute: string | undefined,
  second: string | undefined,
  zone: string | undefined,
): number | null {
  const parts = [Number(day), Number(hour), Number(minute), Math.min(Number(second ?? 0), 59)] as const;
  if (month < 0 || month > 11 || parts[0] < 1 || parts[0] > 31 || parts[1] > 24 || parts[2] > 59) return null;
  const offsetMinutes = zoneMinutes(zone);
  const time = Date.UTC(year, month, ...parts) - offsetMinutes * 60_000;
  // What lies outside of living memory is a clock that was never set.
  return Number.isFinite(time) && time > 0 && time < Date.UTC(2200, 0) ? time : null;
}

function zoneMinutes(zone: string | undefined): number {
  if (zone === undefined) return 0;
  const named = ZONES[zone.toUpperCase()];
  if (named !== undefined) return named;
  const numeric = /^([+-])(\d{2}):?(\d{2})$/.exec(zone);
  if (numeric === null) return 0;
  const minutes = Number(numeric[2]) * 60 + Number(numeric[3]);
  return minutes > 14 * 60 ? 0 : numeric[1] === '-' ? -minutes : minutes;
}

function monthOf(name: string): number {
  return MONTHS.indexOf(name.toLowerCase());
}

function fullYear(year: string): number {
  const number = Number(year);
  if (year.length > 3) return number;
  return number < 50 ? 2000 + number : 1900 + number;
}
