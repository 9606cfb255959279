// Bytes to text, whatever the sender calls their encoding and whatever it really is: never throws, never returns a lone
// surrogate. WHATWG's encodings are the runtime's; the few others that mail still meets are mapped onto those here.
import { TextDecoder } from 'node:util';

const decoders = new Map<string, TextDecoder | null>();

/** Names that senders use and WHATWG does not know. */
const ALIASES: Readonly<Record<string, string>> = {
  'us-ascii': 'windows-1252',
  ascii: 'windows-1252',
  ansi: 'windows-1252',
  utf8mb4: 'utf-8',
  'utf-8mb4': 'utf-8',
  cp932: 'shift_jis',
  'windows-932': 'shift_jis',
  cp936: 'gbk',
  cp949: 'euc-kr',
  ms949: 'euc-kr',
  uhc: 'euc-kr',
  cp950: 'big5',
  'iso-2022-jp-2': 'iso-2022-jp',
  'iso-2022-jp-ms': 'iso-2022-jp',
  cp874: 'windows-874',
};

// The upper halves of the two DOS code pages that old appliances still write.
const CP437 =
  'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u00A0';
const CP850 =
  'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø×ƒáíóúñÑªº¿®¬½¼¡«»░▒▓│┤ÁÂÀ©╣║╗╝¢¥┐└┴┬├─┼ãÃ╚╔╩╦╠═╬¤ðÐÊËÈıÍÎÏ┘┌█▄¦Ì▀ÓßÔÒõÕµþÞÚÛÙýÝ¯´\u00AD±‗¾¶§÷¸°¨·¹³²■\u00A0';

const OTHERS: Readonly<Record<string, (bytes: Buffer) => string>> = {
  'utf-7': fromUtf7,
  'unicode-1-1-utf-7': fromUtf7,
  'iso-2022-kr': fromIso2022Kr,
  'hz-gb-2312': fromHz,
  'utf-32': fromUtf32,
  'utf-32le': fromUtf32,
  'utf-32be': fromUtf32,
  cp437: (bytes) => fromTable(bytes, CP437),
  ibm437: (bytes) => fromTable(bytes, CP437),
  cp850: (bytes) => fromTable(bytes, CP850),
  ibm850: (bytes) => fromTable(bytes, CP850),
};

/**
 * The text of `bytes` in the encoding named `label`; null or an unknown name for a guess. A label that cannot be right gives
 * way: UTF-8 called Latin-1 is read as UTF-8, and Latin-1 called UTF-8 as Windows-1252.
 */
export function decodeText(bytes: Uint8Array, label: string | null): string {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const given = (label ?? '').trim().toLowerCase().slice(0, 40);
  const name = ALIASES[given] ?? given;
  const other = OTHERS[name];
  if (other !== undefined && Object.hasOwn(OTHERS, name)) return other(buffer).toWellFormed();
  const decoder = name === '' ? null : decoderOf(name);
  if (decoder === null || decoder.encoding === 'utf-8' || decoder.encoding === 'windows-1252') {
    return guess(buffer, decoder?.encoding === 'windows-1252');
  }
  return decoder.decode(buffer).toWellFormed();
}

/** Header text that is bytes outside ASCII, kept as Latin-1 so far. */
export function decodeEightBit(latin1: string): string {
  if (latin1.includes('\u001B$')) return decodeText(Buffer.from(latin1, 'latin1'), 'iso-2022-jp');
  if (!/[\u0080-\u00FF]/.test(latin1)) return latin1;
  return guess(Buffer.from(latin1, 'latin1'), false);
}

function decoderOf(name: string): TextDecoder | null {
  const known = decoders.get(name);
  if (known !== undefined) return known;
  let decoder: TextDecoder | null = null;
  try {
    decoder = new TextDecoder(name);
  } catch {
    // Not a name of an encoding: the bytes are guessed.
  }
  // Names come from strangers: only a few are kept.
  if (decoders.size < 200) decoders.set(name, decoder);
  return decoder;
}

// UTF-8 where it is mostly that; text that is valid UTF-8 and not ASCII is hardly ever anything else.
function guess(bytes: Buffer, calledLatin: boolean): string {
  const text = bytes.toString('utf8');
  const broken = count(text, '\uFFFD');
  const body = text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
  if (broken === 0) return body;
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return decoded('utf-16le', bytes);
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return decoded('utf-16be', bytes);
  if (calledLatin) return decoded('windows-1252', bytes);
  // A few bad bytes in good UTF-8 (a character cut in two) stay marked; mostly bad bytes are another encoding.
  let beyond = 0;
  for (let index = 0; index < text.length && beyond <= broken; index++) {
    if (text.charCodeAt(index) > 0x7f && text.charCodeAt(index) !== 0xfffd) beyond++;
  }
  return beyond > broken ? body : decoded('windows-1252', bytes);
}

function decoded(name: string, bytes: Buffer): string {
  return (decoderOf(name)?.decode(bytes) ?? bytes.toString('latin1')).toWellFormed();
}

function count(text: string, what: string): number {
  let found = 0;
  for (let at = text.indexOf(what); at !== -1; at = text.indexOf(what, at + 1)) found++;
  return found;
}

function fromTable(bytes: Buffer, upper: string): string {
  return bytes
    .toString('latin1')
    .replace(/[\u0080-\u00FF]/g, (char) => upper[char.charCodeAt(0) - 0x80] ?? '?');
}

const utf16 = new TextDecoder('utf-16be');

/** RFC 2152: `+` starts modified base64 of UTF-16, `-` or anything else ends it. */
function fromUtf7(bytes: Buffer): string {
  return bytes.toString('latin1').replace(/\+([A-Za-z0-9+/]*)-?/g, (_all, code: string) => {
    if (code === '') return '+';
    const units = Buffer.from(code, 'base64');
    return utf16.decode(units.subarray(0, units.length & ~1));
  });
}

/** RFC 1557: between SO and SI each pair of bytes is a KS X 1001 character without its high bits. */
function fromIso2022Kr(bytes: Buffer): string {
  const out = Buffer.allocUnsafe(bytes.length);
  let length = 0;
  let shifted = false;
  for (let index = 0; index < bytes.length; index++) {
    const byte = bytes[index] ?? 0;
    if (byte === 0x0e) shifted = true;
    else if (byte === 0x0f) shifted = false;
    else if (byte === 0x1b && bytes[index + 1] === 0x24) index += 3;
    else out[length++] = shifted && byte > 0x20 ? byte | 0x80 : byte;
  }
  return decoded('euc-kr', out.subarray(0, length));
}

/** RFC 1843: between `~{` and `~}` each pair of bytes is a GB 2312 character without its high bits. */
function fromHz(bytes: Buffer): string {
  const out = Buffer.allocUnsafe(bytes.length);
  let length = 0;
  let shifted = false;
  for (let index = 0; index < bytes.length; index++) {
    const byte = bytes[index] ?? 0;
    const next = bytes[index + 1];
    if (byte === 0x7e && (next === 0x7b || next === 0x7d)) {
      shifted = next === 0x7b;
      index++;
    } else if (byte === 0x7e && (next === 0x7e || next === 0x0a)) {
      if (next === 0x7e) out[length++] = byte;
      index++;
    } else out[length++] = shifted && byte > 0x20 ? byte | 0x80 : byte;
  }
  return decoded('gb18030', out.subarray(0, length));
}

function fromUtf32(bytes: Buffer): string {
  const bigEndian = bytes[0] === 0 && (bytes[1] ?? 0) < 0x11;
  const parts: string[] = [];
  for (let index = 0; index + 4 <= bytes.length; index += 4) {
    const code = bigEndian ? bytes.readUInt32BE(index) : bytes.readUInt32LE(index);
    if (code !== 0xfeff) parts.push(code < 0x110000 ? String.fromCodePoint(code) : '\uFFFD');
  }
  return parts.join('');
}
