// Reads how long, and until when, as people write it: `2h`, `1h30m`, `tomorrow 08:00`.
import { MAX_EXPIRY_MINUTES } from '#core/contract/limits.ts';
import { parsedTime } from '#core/domain/parsed-time.ts';
import { UsageError } from '../command.ts';

const UNIT_MINUTES: Readonly<Record<string, number>> = { m: 1, min: 1, h: 60, d: 1440 };
const PART = /(\d{1,5}) ?(min|[mhd])/g;
const DURATION = /^(?:\d{1,5} ?(?:min|[mhd]) ?)+$/;
const EXAMPLES = '30m, 2h or 1d, and at most 7d';

/** A duration in minutes; null when the text is none. */
export function minutesOf(text: string): number | null {
  const trimmed = text.trim().toLowerCase();
  if (!DURATION.test(trimmed)) return null;
  let minutes = 0;
  for (const [, count, unit] of trimmed.matchAll(PART))
    minutes += Number(count) * (UNIT_MINUTES[unit ?? ''] ?? 0);
  return minutes;
}

/** The minutes of an option; throws {@link UsageError}. */
export function readMinutes(text: string, name: string): number {
  const minutes = minutesOf(text);
  if (minutes === null || minutes < 1 || minutes > MAX_EXPIRY_MINUTES)
    throw new UsageError(`${name} must be a time such as ${EXAMPLES}.`);
  return minutes;
}

/** A duration, or a time to come in this machine's time zone; throws {@link UsageError}. */
export async function readWhen(text: string, now: Date): Promise<{ minutes: number } | { until: string }> {
  if (minutesOf(text) !== null) return { minutes: readMinutes(text, 'FOR') };
  // Its grammar is large: only who writes a time waits for it.
  const { parse } = await import('chrono-node/en');
  const found = parsedTime(parse, text, now);
  const isWhole = found?.text.trim() === text.trim() && found.count === 1;
  if (found === null || !isWhole || found.at <= now.getTime())
    throw new UsageError(
      `"${text}" is no time to come: give a time such as ${EXAMPLES}, or "tomorrow 08:00", or 2026-11-21T18:00.`,
    );
  return { until: new Date(found.at).toISOString() };
}

/** A duration for people: `2 min 5 s`. */
export function durationText(ms: number): string {
  const seconds = Math.floor(ms / 1000);
  if (seconds < 1) return `${Math.round(ms)} ms`;
  const parts: [number, string][] = [
    [Math.floor(seconds / 86_400), 'd'],
    [Math.floor(seconds / 3600) % 24, 'h'],
    [Math.floor(seconds / 60) % 60, 'min'],
    [seconds % 60, 's'],
  ];
  const first = parts.findIndex(([count]) => count > 0);
  const shown = parts.slice(first, first + 2).filter(([count]) => count > 0);
  return shown.map(([count, unit]) => `${count} ${unit}`).join(' ');
}

/** `Mon 2026-11-30 08:00 GMT+1`, by this machine's clock: the same text whatever its language is. */
export function timeText(time: string | number | Date): string {
  const { weekday, year, month, day, hour, minute, timeZoneName } = partsOfTime(time);
  return `${weekday} ${year}-${month}-${day} ${hour}:${minute} ${timeZoneName}`;
}

/** `Mon 08:00`: the same, of a time in the next days. */
export function shortTimeText(time: number): string {
  const { weekday, hour, minute } = partsOfTime(time);
  return `${weekday} ${hour}:${minute}`;
}

function partsOfTime(time: string | number | Date): Partial<Record<Intl.DateTimeFormatPartTypes, string>> {
  const format = new Intl.DateTimeFormat('en-US', {
    weekday: 'short',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    timeZoneName: 'short',
  });
  return Object.fromEntries(format.formatToParts(new Date(time)).map(({ type, value }) => [type, value]));
}
