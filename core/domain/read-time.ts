// Times as callers send them.

/** What a text that {@link readTime} cannot read must be. */
export const NO_TIME = 'must be a time, such as 2026-11-21T09:00:00Z';

/** An RFC 3339 time in milliseconds; null when it is none. */
export function readTime(text: string): number | null {
  // RFC 3339 allows a leap second and small letters, which `Date` does not read.
  const time = Date.parse(text.toUpperCase().replace(/:60(?=[.Z+-])/, ':59'));
  return Number.isNaN(time) ? null : time;
}
