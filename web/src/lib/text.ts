// Small pieces of the sentences on the screens.

/** "1 item", "3 items". */
export function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

/** The first line of a text, cut to so many characters. */
export function firstLine(text: string, maxCharacters: number): string {
  const [line = ''] = text.split('\n');
  return line.length > maxCharacters ? `${line.slice(0, maxCharacters - 1).trimEnd()}…` : line;
}
