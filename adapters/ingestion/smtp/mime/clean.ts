// Makes text harmless to show: no control characters, nothing that turns the direction of the text around, no invisible
// padding, no lone surrogates, no terminal colours. Every text of a mail goes through here before anything else sees it.

/** Everything that does harm or is invisible; most texts have none of it. */
const SUSPECT =
  // oxlint-disable-next-line no-control-regex -- control characters are what is looked for
  /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u00AD\u034F\u061C\u115F\u180E\u200B-\u200F\u2028-\u202E\u2060-\u206F\uD800-\uDFFF\uFE00\uFEFF\uFFF0-\uFFFB]/;
// oxlint-disable-next-line no-control-regex -- colours of a terminal
const TERMINAL = /\u001B(?:\[[0-9;?]{0,20}[A-Za-z]|[()][A-Z0-9])/g;
/** Space that preheaders are padded with: joiners and odd blanks in a row. */
const PADDING = /(?:[\u00A0\u200C\u200D\u2007\u034F\u00AD\u200B\uFEFF] ?){3,}/g;
const CONTROLS =
  // oxlint-disable-next-line no-control-regex -- control characters are what is looked for
  /[\u0000-\u0008\u000B\u000E-\u001F\u007F-\u009F\u00AD\u034F\u061C\u115F\u180E\u200B\u202A-\u202E\u2060-\u206F\uFEFF\uFFF0-\uFFFB]/g;

/** Several lines, each ended by `\n`. */
export function cleanText(text: string): string {
  if (!SUSPECT.test(text) && !text.includes('\u00A0')) return text;
  return text
    .toWellFormed()
    .replace(TERMINAL, '')
    .replace(/\r\n?|[\u2028\u2029\u0085\u000C]/g, '\n')
    .replace(PADDING, ' ')
    .replace(CONTROLS, '')
    .replaceAll('\u00A0', ' ');
}

/** One line of at most `maxChars`. */
export function cleanLine(text: string, maxChars: number): string {
  const line = cleanText(text.slice(0, maxChars * 4))
    .replace(/[\s\n]+/g, ' ')
    .trim();
  return clip(line, maxChars);
}

/** At most `maxChars` UTF-16 units, the last of them an ellipsis when something was cut; never half a character. */
export function clip(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text;
  let end = maxChars - 1;
  const last = text.charCodeAt(end - 1);
  if (last >= 0xd800 && last < 0xdc00) end--;
  return `${text.slice(0, end).trimEnd()}…`;
}
