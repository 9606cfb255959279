// Header values to text: encoded words (RFC 2047) as they are written in practice (split inside a character, with spaces, in
// quoted strings, glued to text) and bytes that nobody encoded. Linear in the length of the value; never throws.
import { decodeEightBit, decodeText } from './charset.ts';

interface Word {
  charset: string;
  bytes: Buffer;
  end: number;
}

/** The text of an unfolded header value that was read as Latin-1. */
export function decodeWords(value: string): string {
  if (!value.includes('=?')) return decodeEightBit(value);
  const out: string[] = [];
  // Bytes of adjacent words are joined before they are decoded: some senders cut characters in two.
  let open: { charset: string; bytes: Buffer[] } | null = null;
  let from = 0;
  const ends = findEnds(value);
  for (let at = value.indexOf('=?'); at !== -1; at = value.indexOf('=?', at)) {
    const word = readWord(value, at, ends);
    if (word === null) {
      at += 2;
      continue;
    }
    const between = value.slice(from, at);
    const adjacent = open !== null && between.trim() === '';
    if (open !== null && !(adjacent && open.charset === word.charset)) {
      out.push(decodeText(Buffer.concat(open.bytes), open.charset));
      open = null;
    }
    if (!adjacent) out.push(decodeEightBit(between));
    open ??= { charset: word.charset, bytes: [] };
    open.bytes.push(word.bytes);
    from = word.end;
    at = word.end;
  }
  if (open !== null) out.push(decodeText(Buffer.concat(open.bytes), open.charset));
  out.push(decodeEightBit(value.slice(from)));
  return out.join('');
}

// Each `?=` is looked for once, however many words are opened before it.
function findEnds(value: string): (from: number) => number {
  let last = -2;
  return (from) => {
    if (last !== -1 && last < from) last = value.indexOf('?=', from);
    return last;
  };
}

function readWord(value: string, at: number, ends: (from: number) => number): Word | null {
  const head = /^=\?([^?\s]{1,60})\?([bqBQ])\?/.exec(value.slice(at, at + 66));
  if (head === null) return null;
  const start = at + head[0].length;
  const end = ends(start);
  if (end === -1) return null;
  const another = value.indexOf('=?', start);
  if (another !== -1 && another < end - 1) return null;
  const payload = value.slice(start, end);
  // RFC 2231 adds a language to the charset: `utf-8*en`.
  const charset = (head[1] ?? '').split('*')[0]?.toLowerCase() ?? '';
  const bytes = head[2]?.toLowerCase() === 'b' ? Buffer.from(payload, 'base64') : fromQ(payload);
  return { charset, bytes, end: end + 2 };
}

function fromQ(payload: string): Buffer {
  const text = payload
    .replaceAll('_', ' ')
    .replace(/=([0-9A-Fa-f]{2})/g, (_all, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(text, 'latin1');
}
