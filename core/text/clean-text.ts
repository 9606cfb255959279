// Makes text harmless to show: no control characters, changes of direction, invisible padding, lone
// surrogates or terminal colours. Every text of a mail goes through it.

/** Controls, changes of direction, invisible characters; not joiners, which scripts and emoji need. */
const HARMFUL =
  /[[\u{34F}\p{Cc}\u{AD}\u{61C}\u{115F}\u{180E}\u{200B}\u{202A}-\u{202E}\u{2060}-\u{206F}\u{FEFF}\u{FFF0}-\u{FFFB}]--[\t\n]]/gv;
/** Any character that needs cleaning; most texts have none. */
const SUSPECT = /[[\u{34F}\p{Cc}\p{Cf}\p{Cs}\u{A0}\u{115F}\u{2028}\u{2029}\u{FFF0}-\u{FFFB}]--[\t\n]]/v;
/** Colours of a terminal, and addresses of links: after its escape character, not after a line end. */
const TERMINAL =
  /[\p{Cc}--[\s\u{85}]](?:\[[0-9;?]{0,20}[A-Za-z]|[\(\)][A-Z0-9]|\][^\p{Cc}]{0,2000}[\p{Cc}--[\s\u{85}]]\\?)/gv;
const LINE_ENDS = /\r\n?|[\f\u{85}\u{2028}\u{2029}]/gv;
/** Space that preheaders are padded with: joiners and odd blanks in a row. */
const PADDING = /(?:[\u{34F}\u{A0}\u{AD}\u{2007}\u{200B}-\u{200D}\u{FEFF}] ?){3,}/gv;

/** Several lines, each ended by `\n`. */
export function cleanText(text: string): string {
  if (!SUSPECT.test(text)) return text;
  return text
    .toWellFormed()
    .replace(TERMINAL, '')
    .replace(LINE_ENDS, '\n')
    .replace(PADDING, ' ')
    .replace(HARMFUL, '')
    .replaceAll('\u00A0', ' ');
}

/** One line of at most `maxChars`. */
export function cleanLine(text: string, maxChars: number): string {
  const line = cleanText(text.slice(0, maxChars * 4))
    .replace(/[\s\n]+/g, ' ')
    .trim();
  return clip(line, maxChars);
}

/** At most `maxChars` UTF-16 units, with an ellipsis when something was cut; never half a character. */
export function clip(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text;
  let end = maxChars - 1;
  const last = text.charCodeAt(end - 1);
  if (last >= 0xd800 && last < 0xdc00) end--;
  return `${text.slice(0, end).trimEnd()}…`;
}

/** The first line, clipped. */
export function clipFirstLine(text: string, maxChars: number): string {
  return clip(text.split('\n', 1)[0]?.trim() ?? '', maxChars);
}

/**
 * The first line as a title of at most `maxChars`, and the lines below it: all of them where the title is
 * cut, as what it leaves out would be seen nowhere.
 */
export function titled(
  lines: readonly string[],
  maxChars: number,
): { title: string; isCut: boolean; below: readonly string[] } {
  const [first = '', ...rest] = lines;
  const title = clip(first, maxChars);
  const isCut = title !== first;
  return { title, isCut, below: isCut ? lines : rest };
}
