// When a delayed message of ntfy is due. https://docs.ntfy.sh/publish/#scheduled-delivery
import { parsedTime } from '#core/domain/parsed-time.ts';

const SECOND_MS = 1000;
/** ntfy's own limits. */
const MIN_MS = 10 * SECOND_MS;
const MAX_MS = 3 * 24 * 60 * 60 * SECOND_MS;
const MAX_CHARACTERS = 100;
const UNITS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400 };
const DURATION = /^(\d{1,9})\s*(d|days?|h|hours?|m|mins?|minutes?|s|secs?|seconds?)$/i;

/** ntfy's words for what it refuses. */
export const DELAY_UNCLEAR = 'invalid delay parameter: unable to parse delay';
export const DELAY_SHORT = 'invalid delay parameter: too small, please refer to the docs';
export const DELAY_LONG = 'invalid delay parameter: too large, please refer to the docs';

/**
 * Of a Unix time, a duration (`30m`, `2 hours`), or words (`tomorrow, 10am`), in the server's time zone: in
 * milliseconds, or why it is refused.
 */
export async function dueTime(text: string, now: number): Promise<number | string> {
  const at = await momentOf(text.trim().slice(0, MAX_CHARACTERS), now);
  if (at === null) return DELAY_UNCLEAR;
  if (at < now + MIN_MS) return DELAY_SHORT;
  return at > now + MAX_MS ? DELAY_LONG : at;
}

async function momentOf(text: string, now: number): Promise<number | null> {
  if (/^\d{9,11}$/.test(text)) return Number(text) * SECOND_MS;
  const [, amount, unit = ''] = DURATION.exec(text) ?? [];
  if (amount !== undefined)
    return now + Number(amount) * (UNITS[unit.charAt(0).toLowerCase()] ?? 0) * SECOND_MS;
  // Loaded with the first message that needs it.
  const { parse } = await import('chrono-node/en');
  return parsedTime(parse, text, new Date(now))?.at ?? null;
}
