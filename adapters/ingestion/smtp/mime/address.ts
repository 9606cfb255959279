// Address lists (RFC 5322 §3.4) as mailers write them: quoted names, comments, groups, names with unquoted commas. One pass
// without recursion, so that neither 100,000 addresses nor nested comments cost more than their length.
import { MAIL_LIMITS } from '../message.ts';
import type { MailAddress } from '../message.ts';
import { cleanLine } from '#core/text/clean-text.ts';
import { decodeWords } from './words.ts';

interface Mailbox {
  /** Words outside of angle brackets, quotes taken off. */
  words: string;
  /** The same with its quotes, in case it is the address itself. */
  raw: string;
  angle: string | null;
  comment: string;
}

/** At most `limit` addresses of an unfolded value. Entries without an address are left out, unless they are a name alone. */
export function readAddresses(value: string, limit: number = MAIL_LIMITS.maxAddresses): MailAddress[] {
  const found: MailAddress[] = [];
  let pending = '';
  let at = 0;
  while (at < value.length && found.length < limit) {
    const [box, next] = readMailbox(value, at);
    at = next;
    const read = toAddress(box);
    if (read === null) {
      // "Doe, John <john@example.com>" without quotes: the first half of a name.
      const words = (box.words || box.comment).trim();
      if (words !== '') pending = pending === '' ? words : `${pending}, ${words}`;
      continue;
    }
    const given = pending !== '' && box.angle !== null ? `${pending}, ${read.name}` : read.name;
    found.push(tidy({ address: read.address, name: given }));
    pending = '';
  }
  if (found.length === 0 && pending !== '' && pending.length < 200) {
    found.push(tidy({ address: '', name: pending }));
  }
  return found;
}

function readMailbox(value: string, from: number): [Mailbox, number] {
  const box: Mailbox = { words: '', raw: '', angle: null, comment: '' };
  let at = from;
  for (; at < value.length; at++) {
    const char = value[at] ?? '';
    if (char === ',' || char === ';') return [box, at + 1];
    if (char === '"') {
      const [text, end] = readQuoted(value, at);
      box.words += text;
      box.raw += value.slice(at, end);
      at = end - 1;
    } else if (char === '(') {
      const [text, end] = readComment(value, at);
      box.comment = box.comment === '' ? text : `${box.comment} ${text}`;
      at = end - 1;
    } else if (char === '<') {
      const end = angleEnd(value, at);
      box.angle ??= value.slice(at + 1, end);
      at = end;
    } else if (char === ':' && box.angle === null && !box.raw.includes('@')) {
      // The name of a group, or `undisclosed-recipients:`.
      box.words = '';
      box.raw = '';
    } else {
      box.words += char;
      box.raw += char;
    }
  }
  return [box, at];
}

function readQuoted(value: string, from: number): [string, number] {
  let text = '';
  let at = from + 1;
  for (; at < value.length && value[at] !== '"'; at++) {
    if (value[at] === '\\' && at + 1 < value.length) at++;
    text += value[at] ?? '';
  }
  return [text, Math.min(at + 1, value.length)];
}

function readComment(value: string, from: number): [string, number] {
  let depth = 0;
  let text = '';
  for (let at = from; at < value.length; at++) {
    const char = value[at] ?? '';
    if (char === '\\') {
      at++;
      text += value[at] ?? '';
    } else if (char === '(') {
      if (depth++ > 0) text += char;
    } else if (char === ')') {
      if (--depth === 0) return [text, at + 1];
      text += char;
    } else text += char;
  }
  return [text, value.length];
}

// A quoted local part may hold `>`.
function angleEnd(value: string, from: number): number {
  let at = from + 1;
  for (; at < value.length && value[at] !== '>'; at++) {
    if (value[at] === '"') at = readQuoted(value, at)[1] - 1;
  }
  return at;
}

function toAddress(box: Mailbox): MailAddress | null {
  if (box.angle !== null) {
    const name = box.words.trim() === '' ? box.comment : box.words;
    // Source routes of old: <@relay,@other:user@example.com>
    const address = box.angle.startsWith('@') ? box.angle.slice(box.angle.indexOf(':') + 1) : box.angle;
    return address.trim() === '' && name.trim() === ''
      ? null
      : { address: address.trim(), name: name.trim() };
  }
  const raw = box.raw.trim();
  if (!raw.includes('@') || raw.startsWith('=?')) return null;
  if (!/\s/.test(raw) || raw.startsWith('"')) return { address: raw, name: box.comment.trim() };
  // No brackets where there should be: the word with the @ is the address.
  const words = raw.split(/\s+/);
  const address = words.find((word) => word.includes('@')) ?? '';
  return { address, name: words.filter((word) => word !== address).join(' ') };
}

function tidy({ address, name }: MailAddress): MailAddress {
  const plain = cleanLine(decodeWords(name).replaceAll(/\s+/g, ' ').trim(), MAIL_LIMITS.maxNameChars);
  // Bytes outside ASCII are an address of RFC 6532; encoded words have no place in an address and stay as they are.
  const shown = cleanLine(decodeWords(spaceless(address).replaceAll('=?', '')), 320);
  return { address: shown, name: plain === shown ? '' : plain.replace(/^'(.*)'$/, '$1') };
}

// Blanks belong to an address only inside of quotes.
function spaceless(address: string): string {
  return address.startsWith('"') ? address : address.replaceAll(/\s+/g, '');
}
