// Small pieces of the sentences on the screens.

/** "1 item", "3 items". */
export function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

/** A whole number as English writes it: "12,000". Intl's formats take longer to make than a page to draw. */
export function grouped(whole: number): string {
  return String(whole).replaceAll(/\B(?=(?:\d{3})+$)/g, ',');
}

/** Where a cut has gone through an emoji, its first half. */
const HALF_CHARACTER = /[\uD800-\uDBFF]$/;

/** The first line of a text, cut to so many characters. */
export function firstLine(text: string, maxCharacters: number): string {
  const [line = ''] = text.split('\n');
  if (line.length <= maxCharacters) return line;
  return `${line
    .slice(0, maxCharacters - 1)
    .replace(HALF_CHARACTER, '')
    .trimEnd()}…`;
}

/** What a server says of a field as a sentence: "must not be empty" is "Must not be empty." */
export function sentence(message: string): string {
  const start = message.charAt(0).toUpperCase() + message.slice(1);
  return /[.!?]$/.test(start) ? start : `${start}.`;
}
