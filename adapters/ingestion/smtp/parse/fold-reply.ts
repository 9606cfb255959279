// Separates a person's own text from quoted replies, signatures, "Sent from my phone", footers and
// disclaimers. Pure; looks at each line a fixed number of times. Doubtful lines stay, and folded lines are
// returned.
import {
  FOOTER,
  FORWARDED,
  FROM_LINE,
  HEADER_LINE,
  ORIGINAL,
  SENT_FROM,
  SUBJECT_LINE,
  WROTE,
  WROTE_START,
} from './fold-patterns.ts';

export interface FoldedText {
  /** The writer's own text; all of the text when nothing else would be left. */
  text: string;
  /** The folded lines in their order; empty for none. */
  folded: string;
}

export interface FoldOptions {
  /** Whether the subject says that it is forwarded: false unless given. */
  forwarded?: boolean;
  /** It may answer a mail (default true). If not, a quotation at its end without introduction stays. */
  reply?: boolean;
  /** Whether another mail inside of it has text, so that a signature alone is folded (default false). */
  hasOtherText?: boolean;
  /** Called with the number of steps that are about to be taken; may throw to stop. */
  charge?: (steps: number) => void;
}

const MAX_LINES = 20_000;
/** Mails that were forwarded one in the other and are still taken apart. */
const MAX_FORWARDS = 5;
/** Longer text at the end is no signature or footer. */
const MAX_FOOTER_LINES = 80;
/** As all that WROTE matches; most lines do not, and this is found out much sooner. */
const ENDS_WITH_COLON = /[:：]$/;
/** Twice the text of a task. */
const MAX_TEXT_CHARS = 20_000;

/**
 * Splits the plain text of a mail. With `forwarded` the text after a separator stays even where it looks like
 * that of a reply. Reads the first 20,000 lines or characters.
 */
export function foldReply(
  text: string,
  { forwarded = false, reply = true, hasOtherText = false, charge }: FoldOptions = {},
): FoldedText {
  const lines = text.split('\n', MAX_LINES);
  charge?.(lines.length);
  const own: string[] = [];
  const folded: string[] = [];
  let at = 0;
  let chars = 0;
  let forwards = 0;
  while (at < lines.length && chars < MAX_TEXT_CHARS) {
    const line = lines[at] ?? '';
    const bare = line.trim();
    chars += line.length;
    if (bare === '') {
      if (own.length > 0) own.push(line);
    } else if (isForwardMark(bare)) {
      if (++forwards <= MAX_FORWARDS) unquote(lines, at + 1);
      at = forwardHeading(lines, at + 1, own);
      continue;
    } else if (isOriginalMark(bare) || isHeaderBlock(lines, at)) {
      if (forwarded) {
        at = forwardHeading(lines, isOriginalMark(bare) ? at + 1 : at, own);
        continue;
      }
      if (dropSeparator(own)) folded.push('———');
      folded.push(...lines.slice(at));
      break;
    } else if (isQuote(bare) || quoteIntroLength(lines, at) > 0) {
      at = foldQuote({ lines, own, folded, reply }, at);
      continue;
    } else if ((own.length > 0 || hasOtherText) && isSignature(line, lines, at)) {
      at = foldSignature(lines, at, folded);
      continue;
    } else if (own.length > 0 && isFooter(lines, at, bare)) {
      folded.push(...lines.slice(at));
      break;
    } else own.push(line);
    at++;
  }
  const fresh = trimBlank(own);
  // A mail of nothing but quotation is what its sender wanted to show.
  if (fresh === '' && !hasOtherText) return { text: trimBlank(lines), folded: '' };
  return { text: fresh, folded: trimBlank(folded) };
}

function isForwardMark(bare: string): boolean {
  return bare.length < 120 && FORWARDED.test(bare.replace(/^>\s?/, ''));
}

function isOriginalMark(bare: string): boolean {
  return bare.length < 120 && ORIGINAL.test(bare);
}

function isQuote(bare: string): boolean {
  return bare.startsWith('>') && !bare.startsWith('>>>>>>>');
}

// "On Friday, Jo wrote:" may be wrapped over three lines; a quotation, or nothing at all, follows it.
function quoteIntroLength(lines: readonly string[], at: number): number {
  const first = (lines[at] ?? '').trim();
  if (first.length > 200 || !WROTE_START.test(first)) return 0;
  let joined = first;
  for (let length = 1; length <= 3; length++) {
    if (joined.length > 300) return 0;
    if (ENDS_WITH_COLON.test(joined) && WROTE.test(joined)) {
      return followsQuote(lines, at + length) || namesMoment(joined) ? length : 0;
    }
    const next = (lines[at + length] ?? '').trim();
    if (next === '' || isQuote(next)) return 0;
    joined += ` ${next}`;
  }
  return 0;
}

function followsQuote(lines: readonly string[], at: number): boolean {
  for (let next = at; next < Math.min(at + 3, lines.length); next++) {
    const bare = (lines[next] ?? '').trim();
    if (bare !== '') return isQuote(bare) || isHeaderBlock(lines, next);
  }
  return false;
}

// Date and address, or date and time: no sentence has both before "wrote:".
function namesMoment(intro: string): boolean {
  return /\d{1,2}[:.]\d{2}|\d{4}/.test(intro) && (/@/.test(intro) || /\d{1,2}[:.]\d{2}/.test(intro));
}

interface Folding {
  lines: readonly string[];
  /** The writer's own lines so far. */
  own: string[];
  folded: string[];
  reply: boolean;
}

/**
 * A quotation at the end is folded. One in the middle stays if it is short, because the next lines answer it,
 * and keeps its first lines otherwise. Returns the index of the line after it.
 */
function foldQuote({ lines, own, folded, reply }: Folding, at: number): number {
  const intro = quoteIntroLength(lines, at);
  let end = at + intro;
  let lastQuoted = end;
  let marked = false;
  for (; end < lines.length; end++) {
    const bare = (lines[end] ?? '').trim();
    if (isQuote(bare)) {
      lastQuoted = end + 1;
      marked = true;
    } else if (bare !== '') break;
  }
  // Without marks everything behind the introduction is the quotation.
  if (intro === 0 && !reply) {
    own.push(...lines.slice(at, lastQuoted));
    return lastQuoted;
  }
  if (!marked || end >= lines.length) {
    folded.push(...lines.slice(at));
    return lines.length;
  }
  const quoted = lines.slice(at + intro, lastQuoted);
  if (own.length === 0 || quoted.length > 6) {
    folded.push(...lines.slice(at, lastQuoted), '');
    if (own.length > 0) own.push(...quoted.slice(0, 2), '> […]');
  } else own.push(...quoted);
  return lastQuoted;
}

function isSignature(line: string, lines: readonly string[], at: number): boolean {
  if (/^(?:--|—|__) ?$/.test(line) || line.trim() === '--') {
    return lines.length - at < MAX_FOOTER_LINES;
  }
  return line.length < 120 && SENT_FROM.test(line.trim()) && !saysMore(lines, at, line);
}

// A long line that begins like a phone's, with a paragraph behind it, is one of the message's own.
function saysMore(lines: readonly string[], at: number, line: string): boolean {
  const rest = lines.slice(at + 1, at + 12).filter((next) => next.trim() !== '' && !isQuote(next.trim()));
  return line.trim().length > 45 && rest.length > 3;
}

/** Footers stand at the end; a rule is one only when no quoted header follows. */
function isFooter(lines: readonly string[], at: number, bare: string): boolean {
  if (!FOOTER.test(bare.slice(0, 300))) return false;
  if (lines.length - at > MAX_FOOTER_LINES) return false;
  return !bare.startsWith('____') || !isHeaderBlock(lines, nextText(lines, at + 1));
}

function nextText(lines: readonly string[], from: number): number {
  let at = from;
  while (at < Math.min(from + 4, lines.length) && (lines[at] ?? '').trim() === '') at++;
  return at;
}

/** A signature ends where a quotation begins. */
function foldSignature(lines: readonly string[], at: number, folded: string[]): number {
  let end = at + 1;
  for (; end < lines.length; end++) {
    const bare = (lines[end] ?? '').trim();
    if (bare === '') continue;
    if (isQuote(bare) || isOriginalMark(bare) || isForwardMark(bare)) break;
    if (quoteIntroLength(lines, end) > 0 || isHeaderBlock(lines, end)) break;
    if (SENT_FROM.test((lines[at] ?? '').trim()) && end - at > 4) break;
  }
  folded.push(...lines.slice(at, end));
  return end;
}

/** At least three different header lines within six, the first of them who it is from. */
function isHeaderBlock(lines: readonly string[], at: number): boolean {
  if (!FROM_LINE.test((lines[at] ?? '').trim().slice(0, 260))) return false;
  const names = new Set<string>();
  for (let next = at; next < Math.min(at + 8, lines.length); next++) {
    const bare = (lines[next] ?? '').trim();
    if (bare === '') {
      if (names.size >= 3) break;
      continue;
    }
    const name = HEADER_LINE.exec(bare.slice(0, 60))?.[1];
    if (name !== undefined) names.add(name.toLowerCase());
  }
  return names.size >= 3;
}

// The rule above a quoted header belongs to it.
function dropSeparator(own: string[]): boolean {
  while (own.length > 0 && (own.at(-1) ?? '').trim() === '') own.pop();
  if (!/^\s*(?:_{5,}|-{5,}|———)\s*$/.test(own.at(-1) ?? '')) return false;
  own.pop();
  return true;
}

/** Apple's programs quote a forwarded mail: takes one mark off each of its lines. */
function unquote(lines: string[], from: number): void {
  for (let at = from; at < lines.length; at++) {
    const bare = (lines[at] ?? '').trim();
    if (bare !== '' && !isQuote(bare)) break;
    lines[at] = bare.replace(/^> ?/, '');
  }
}

/** Writes one line for the header above a forwarded mail. Returns the index of the line after that header. */
function forwardHeading(lines: readonly string[], from: number, own: string[]): number {
  let at = from;
  let sender = '';
  let subject = '';
  let seen = 0;
  for (; at < Math.min(from + 14, lines.length); at++) {
    const bare = (lines[at] ?? '').trim();
    if (bare === '' || bare === '>') {
      if (seen > 0) break;
      continue;
    }
    const short = bare.slice(0, 260);
    const indented = /^\s+\S/.test(lines[at] ?? '') && seen > 0;
    if (!HEADER_LINE.test(short) && !indented) break;
    seen++;
    sender ||= FROM_LINE.exec(short)?.[1]?.trim() ?? '';
    subject ||= SUBJECT_LINE.exec(short)?.[1]?.trim() ?? '';
  }
  if (seen === 0) own.push('Forwarded:');
  else {
    dropSeparator(own);
    if (own.length > 0) own.push('');
    own.push(
      `Forwarded from ${sender.replaceAll('*', '') || 'somebody'}${subject === '' ? '' : `: ${subject.replaceAll('*', '')}`}`,
    );
  }
  own.push('');
  return at;
}

function trimBlank(lines: readonly string[]): string {
  const out: string[] = [];
  for (const line of lines) {
    const trimmed = line.trimEnd();
    if (trimmed !== '' || out.at(-1) !== '') out.push(trimmed);
  }
  return out.join('\n').trim();
}
