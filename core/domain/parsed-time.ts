// A time as people write it, read by chrono-node, and exact over the changes of clocks.
import { nextMomentOf, ownZone } from './snooze-times.ts';

/** What chrono-node finds in a text. */
interface Found {
  readonly text: string;
  readonly start: {
    get(part: Part): number | null;
    isCertain(part: Part | 'weekday' | 'timezoneOffset'): boolean;
  };
  tags(): Set<string>;
  date(): Date;
}
type Part = 'year' | 'month' | 'day' | 'hour' | 'minute' | 'second' | 'millisecond';
type Parse = (text: string, from: Date, options: { forwardDate: boolean }) => readonly Found[];

const HOUR_MS = 60 * 60_000;
const DAY_MS = 24 * HOUR_MS;
/** Days around which no clock is changed. */
const CALM = new Date(2001, 0, 10, 12);

/**
 * The first time in a text, and how many there are; null for none. `in 2 hours` is from `now` on by the clock
 * that nobody changes: chrono-node adds it to what clocks on the wall show, and is an hour late where they
 * leave that out. A time of day is what clocks on the wall show then, also in `in 2 days at 9:00`, where
 * chrono-node goes by how far they are from UTC now; of one that they show twice, the next that is to come.
 */
export function parsedTime(
  parse: Parse,
  text: string,
  now: Date,
): { text: string; at: number; count: number } | null {
  const found = parse(text, now, { forwardDate: true });
  const [first] = found;
  if (first === undefined) return null;
  const result = (at: number) => ({ text: first.text, at, count: found.length });
  if (first.tags().has('result/relativeDateAndTime')) {
    const [calm] = parse(text, CALM, { forwardDate: true });
    if (calm !== undefined) return result(now.getTime() + calm.date().getTime() - CALM.getTime());
  }
  if (isExact(first)) return result(first.date().getTime());
  // chrono-node goes on to another day or year where the first of two times that clocks show is over, and
  // not where they leave a time out that is over.
  const from = countedFrom(now);
  const walls = [false, true].flatMap((forwardDate) => {
    const [one] = parse(text, from, { forwardDate });
    if (one?.text !== first.text) return [];
    return isTimeOfAnyDay(one) ? [shownBy(one), shownBy(one) + DAY_MS] : [shownBy(one)];
  });
  const moments = walls.map((wall) => nextMomentOf(ownZone(), wall, now.getTime()));
  return result(moments.find((at) => at > now.getTime()) ?? first.date().getTime());
}

/**
 * What chrono-node is to count days from. It goes on to the same time of another day, and is a day too far
 * where clocks leave the hour before midnight out on that one, as in Greenland.
 */
function countedFrom(now: Date): Date {
  const isLeftOut = Array.from({ length: 7 }, (_, index) => {
    const then = new Date(now);
    then.setDate(then.getDate() + index + 1);
    return then.getHours() !== now.getHours();
  }).includes(true);
  return isLeftOut && now.getHours() === 23 ? new Date(now.getTime() - HOUR_MS) : now;
}

/** Whether it names its distance from UTC, or is whole days from now on. */
function isExact(found: Found): boolean {
  const { start } = found;
  if (start.isCertain('timezoneOffset')) return true;
  return found.tags().has('result/relativeDate') && !start.isCertain('hour');
}

function isTimeOfAnyDay({ start }: Found): boolean {
  return !(['year', 'month', 'day', 'weekday'] as const).some((part) => start.isCertain(part));
}

/** What clocks on the wall show then, as the milliseconds at which clocks of UTC show the same. */
function shownBy({ start }: Found): number {
  const part = (name: Part) => start.get(name) ?? 0;
  const wall = new Date(0);
  wall.setUTCFullYear(part('year'), part('month') - 1, part('day'));
  return wall.setUTCHours(part('hour'), part('minute'), part('second'), part('millisecond'));
}
