// A time as people write it, read by chrono-node, and exact over the changes of clocks.

/** What chrono-node finds in a text. */
interface Found {
  readonly text: string;
  tags(): Set<string>;
  date(): Date;
}

/** Days around which no clock is changed. */
const CALM = new Date(2001, 0, 10, 12);

/**
 * The first time in a text, and how many there are; null for none. `in 2 hours` is from `now` on by the clock
 * that nobody changes: chrono-node adds it to what clocks on the wall show, and is an hour late where they
 * leave that out.
 */
export function parsedTime(
  parse: (text: string, from: Date) => readonly Found[],
  text: string,
  now: Date,
): { text: string; at: number; count: number } | null {
  const found = parse(text, now);
  const [first] = found;
  if (first === undefined) return null;
  const [calm] = first.tags().has('result/relativeDateAndTime') ? parse(text, CALM) : [];
  const at =
    calm === undefined ? first.date().getTime() : now.getTime() + calm.date().getTime() - CALM.getTime();
  return { text: first.text, at, count: found.length };
}
