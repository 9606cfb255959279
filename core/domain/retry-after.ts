// When a receiver wants to be asked again: `Retry-After` (RFC 9110, 10.2.3).

/** The longest that is waited for. */
const MOST_MS = 24 * 60 * 60_000;

/** In milliseconds, not before `now` and a day later at most; null when the header says nothing. */
export function retryAfter(header: string | undefined, now: number): number | null {
  if (header === undefined) return null;
  const text = header.trim();
  const at = /^\d{1,10}$/.test(text) ? now + Number(text) * 1000 : Date.parse(text);
  return Number.isNaN(at) ? null : Math.min(Math.max(at, now), now + MOST_MS);
}
