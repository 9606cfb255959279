// The readable text of one part: HTML, enriched and flowed text become plain lines.
import { cleanText } from '#core/text/clean-text.ts';
import type { PageLink } from '#core/text/html-page.ts';
import { htmlToText } from '#core/text/html-to-text.ts';
import { decodeText } from './charset.ts';
import { MAIL_LIMITS } from './mail.ts';
import type { Part } from './message-parts.ts';
import { unflow, withoutArmour, withoutPastedFiles, type PastedFile } from './clean-plain-text.ts';
import type { StepBudget } from './step-budget.ts';

/** How much is decoded of a text: what comes later would not fit the limits anyway. */
const MAX_PLAIN_BYTES = 128 * 1024;
const MAX_HTML_BYTES = 1024 * 1024;

/** Text and signature in one, in a form that is no MIME. */
export const SIGNED = 'This mail is signed (S/MIME) in a form that cannot be read here.';
export const ENCRYPTED = 'This mail is encrypted and cannot be read here.';

export interface PartText {
  text: string;
  /** Addresses too long to stand in the text. */
  notes: readonly string[];
  /** Of HTML. */
  links: readonly PageLink[];
  /** Files that were pasted into the text. */
  files: readonly PastedFile[];
}

/** Whether parts of this type hold HTML. */
export function isHtml(type: string): boolean {
  return type === 'text/html' || type === 'application/xhtml+xml';
}

/** Whether a text is HTML, whatever its type. */
export function isMarkup(text: string): boolean {
  return /^\s*<(?:!doctype|html|head|body|table|div|p)\b/i.test(text.slice(0, 300));
}

/** Reads a part of text; `firstNote` is the number of its first note. */
export function readPartText(
  { type, params, content }: Part,
  budget: StepBudget,
  firstNote: number,
): PartText {
  const html = isHtml(type);
  const bytes = content.subarray(0, html ? MAX_HTML_BYTES : MAX_PLAIN_BYTES);
  budget.charge(bytes.length >> 7);
  const text = decodeText(bytes, params['charset'] ?? (html ? metaCharset(bytes) : null));
  if (html || (type === 'text/plain' && isMarkup(text) && /<\/(?:html|body|table)>/i.test(text))) {
    const maxChars = MAIL_LIMITS.maxTextChars * 4;
    const read = htmlToText(text, { maxChars, firstNote, charge: (steps) => budget.charge(steps) });
    return { text: cleanText(read.text), notes: read.notes, links: read.links, files: [] };
  }
  if (type === 'text/enriched' || type === 'text/richtext')
    return { text: cleanText(withoutCommands(text)), notes: [], links: [], files: [] };
  const isFlowed = params['format']?.toLowerCase() === 'flowed';
  const lines = isFlowed ? unflow(text, params['delsp']?.toLowerCase() === 'yes') : text;
  const plain = withoutPastedFiles(withoutArmour(cleanText(lines)));
  const isEncrypted = plain.text.includes('-----BEGIN PGP MESSAGE-----');
  return { text: isEncrypted ? ENCRYPTED : plain.text, notes: [], links: [], files: plain.files };
}

function metaCharset(bytes: Buffer): string | null {
  const head = bytes.toString('latin1', 0, 2048);
  return /<meta[^>]{0,200}?charset\s{0,5}=\s{0,5}["']?([A-Za-z0-9_:-]{2,40})/i.exec(head)?.[1] ?? null;
}

// RFC 1896: `<bold>…</bold>`, `<<` for a bracket, single line ends are blanks.
function withoutCommands(text: string): string {
  return text
    .replace(/<param>[^<]{0,200}<\/param>/gi, '')
    .replace(/<<|<\/?[a-z][a-z-]{0,30}>/gi, (tag) => (tag === '<<' ? '<' : ''))
    .replace(/\r\n/g, '\n')
    .replace(/([^\n])\n(?!\n)/g, '$1 ');
}
