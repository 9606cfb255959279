// Times as callers send them.

/** What a text that {@link readTime} cannot read must be. */
export const NO_TIME = 'must be a time with its zone, such as 2026-11-21T09:00:00Z';

/** A day, at midnight of UTC, or a day and a time of it with its distance from UTC. */
const TIME = /^(\d{4})-(\d{2})-(\d{2})(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:\d{2}))?$/;

/**
 * An RFC 3339 time in milliseconds; null when it is none. `Date` alone reads a time that does not say its
 * zone by the clock of the server, and 31 November as 1 December.
 */
export function readTime(text: string): number | null {
  // RFC 3339 allows a leap second and small letters, which `Date` does not read.
  const given = text.toUpperCase().replace(/:60(?=[.Z+-])/, ':59');
  const [, year, month, day] = TIME.exec(given)?.map(Number) ?? [];
  if (year === undefined || month === undefined || day === undefined) return null;
  if (new Date(Date.UTC(year, month - 1, day)).getUTCDate() !== day) return null;
  const time = Date.parse(given);
  return Number.isNaN(time) ? null : time;
}
