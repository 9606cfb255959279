// Decodes bytes to text, even under a wrong label. Never throws, never returns a lone surrogate.
import { isUtf8 } from 'node:buffer';
import { TextDecoder } from 'node:util';
import iconv from 'iconv-lite';
import { LRUCache } from 'lru-cache';

/** Of a label: what Node decodes by itself, or else whether the package knows the encoding. */
interface Encoding {
  decoder: TextDecoder | null;
  isLegacy: boolean;
}

// Looking one up costs more than decoding a mail with it, an unknown label even an error with its stack.
const encodings = new LRUCache<string, Encoding>({ max: 100 });
const UTF8 = new TextDecoder();
const WINDOWS_1252 = new TextDecoder('windows-1252');

/**
 * The text of `bytes` in the encoding named `label`; null or an unknown name for a guess. A label that cannot
 * be right gives way: UTF-8 called Latin-1 is read as UTF-8, and Latin-1 called UTF-8 as Windows-1252.
 */
export function decodeText(bytes: Buffer, label: string | null): string {
  const name = nameOf(label);
  const { decoder, isLegacy } = encodingOf(name);
  if (isLegacy) return iconv.decode(bytes, name).toWellFormed();
  if (decoder === null || decoder.encoding === 'utf-8' || decoder.encoding === 'windows-1252') {
    return guess(bytes, decoder?.encoding === 'windows-1252');
  }
  return decoder.decode(bytes).toWellFormed();
}

/**
 * Decodes header text with bytes outside ASCII; `latin1` has a character for each byte. Where they are no
 * UTF-8, the mail's own encoding, named `label`, is the best guess.
 */
export function decodeEightBit(latin1: string, label: string | null = null): string {
  const bytes = Buffer.from(latin1, 'latin1');
  if (latin1.includes('\u001B$')) return decodeText(bytes, 'iso-2022-jp');
  const { decoder, isLegacy } = encodingOf(nameOf(label));
  const isTelling = isLegacy || (decoder !== null && !/^(?:utf-8|windows-1252)$/.test(decoder.encoding));
  const text = isTelling && !isUtf8(bytes) ? decodeText(bytes, label) : '\uFFFD';
  return text.includes('\uFFFD') ? guess(bytes, false) : text;
}

function nameOf(label: string | null): string {
  return (label ?? '').trim().toLowerCase().slice(0, 40);
}

/** The text again when it was decoded as Windows-1252 and is UTF-8: `GrÃ¼ÃŸe` is `Grüße`. */
export function unmislabelled(text: string): string {
  if (!/[\u00C2-\u00F4][\u0080-\u2122]/.test(text)) return text;
  const bytes = iconv.encode(text, 'windows-1252');
  return isUtf8(bytes) && iconv.decode(bytes, 'windows-1252') === text ? bytes.toString() : text;
}

function encodingOf(name: string): Encoding {
  const known = encodings.get(name);
  if (known !== undefined) return known;
  const decoder = createDecoder(name);
  const isText = name !== '' && name !== 'base64' && name !== 'hex';
  const encoding = { decoder, isLegacy: decoder === null && isText && iconv.encodingExists(name) };
  encodings.set(name, encoding);
  return encoding;
}

function createDecoder(name: string): TextDecoder | null {
  try {
    return new TextDecoder(name);
  } catch {
    return null;
  }
}

// UTF-8 where it is mostly valid: valid UTF-8 beyond ASCII is hardly ever another encoding.
function guess(bytes: Buffer, isCalledLatin: boolean): string {
  const text = UTF8.decode(bytes);
  const broken = text.split('\uFFFD').length - 1;
  if (broken === 0) return text;
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes).toWellFormed();
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder('utf-16be').decode(bytes).toWellFormed();
  // A few bad bytes in good UTF-8 (a cut character) stay marked; mostly bad bytes are another encoding.
  const good = text.match(/[\u0080-\uFFFC]/g)?.length ?? 0;
  return !isCalledLatin && good > broken ? text : WINDOWS_1252.decode(bytes);
}
