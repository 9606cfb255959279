// Content transfer encodings: a part's bytes as they were before they travelled, at most as many as asked for. Broken input
// gives what can be read of it.

/** `base64`, `quoted-printable`, `x-uuencode` or anything else, which is taken as it stands. */
export function transferEncoding(value: string | null): string {
  const name = (value ?? '').trim().toLowerCase();
  if (name.startsWith('base64')) return 'base64';
  if (name.startsWith('quoted-printable') || name.startsWith('quoted printable')) return 'quoted-printable';
  if (/^(?:x-)?uu(?:encode)?/.test(name)) return 'x-uuencode';
  return '8bit';
}

/** The first `maxBytes` of the decoded bytes. */
export function decodeTransfer(raw: Buffer, encoding: string, maxBytes: number): Buffer {
  switch (encoding) {
    case 'base64':
      return fromBase64(raw, maxBytes);
    case 'quoted-printable':
      return fromQuotedPrintable(raw, maxBytes);
    case 'x-uuencode':
      return fromUuencode(raw, maxBytes);
    default:
      return raw.subarray(0, maxBytes);
  }
}

/** How many bytes there are once decoded, without decoding them. */
export function decodedSize(raw: Buffer, encoding: string): number {
  if (encoding === 'base64') {
    let digits = 0;
    // All but blanks, line ends and padding; one comparison a byte, for this is most of the work on a large attachment.
    for (let at = 0; at < raw.length; at++) if ((raw[at] ?? 0) > 32) digits++;
    for (let at = raw.length - 1; at >= 0 && at > raw.length - 8; at--) if (raw[at] === 61) digits--;
    return Math.floor((digits * 3) / 4);
  }
  if (encoding === 'quoted-printable') {
    let escapes = 0;
    let softBreaks = 0;
    for (let at = raw.indexOf(61); at !== -1; at = raw.indexOf(61, at + 1)) {
      if (raw[at + 1] === 13 || raw[at + 1] === 10) softBreaks += raw[at + 1] === 13 ? 3 : 2;
      else escapes++;
    }
    return Math.max(0, raw.length - escapes * 2 - softBreaks);
  }
  if (encoding === 'x-uuencode') return Math.floor((raw.length * 3) / 4.2);
  return raw.length;
}

function fromBase64(raw: Buffer, maxBytes: number): Buffer {
  // Lines of 76 have 78 bytes; twice as many allows for any other.
  const text = raw.toString('latin1', 0, Math.min(raw.length, maxBytes * 2));
  const padding = text.indexOf('=');
  if (padding === -1 || /^[=\s]*$/.test(text.slice(padding))) {
    return Buffer.from(text, 'base64').subarray(0, maxBytes);
  }
  // Several pieces, each with its padding, one after the other.
  const pieces = text.split(/=+/).map((piece) => Buffer.from(piece, 'base64'));
  return Buffer.concat(pieces).subarray(0, maxBytes);
}

function fromQuotedPrintable(raw: Buffer, maxBytes: number): Buffer {
  let equals = raw.indexOf(61);
  if (equals === -1) return raw.subarray(0, maxBytes);
  const out = Buffer.allocUnsafe(Math.min(raw.length, maxBytes));
  let length = 0;
  let at = 0;
  while (length < out.length) {
    const stop = equals === -1 ? raw.length : equals;
    const copied = raw.copy(out, length, at, Math.min(stop, at + out.length - length));
    length += copied;
    if (equals === -1) break;
    at = equals + 1;
    const high = hexDigit(raw[at]);
    const low = hexDigit(raw[at + 1]);
    if (high >= 0 && low >= 0) {
      if (length < out.length) out[length++] = high * 16 + low;
      at += 2;
    } else {
      const next = afterSoftBreak(raw, at);
      if (next === -1) {
        if (length < out.length) out[length++] = 61;
      } else at = next;
    }
    equals = raw.indexOf(61, at);
  }
  return out.subarray(0, length);
}

/** Behind the line end that follows, blanks before it allowed; -1 when there is none. */
function afterSoftBreak(raw: Buffer, from: number): number {
  let at = from;
  // Blanks before a soft line break are added on the way; more than a few are text.
  while (at < from + 80 && (raw[at] === 32 || raw[at] === 9)) at++;
  if (at >= raw.length) return at;
  if (raw[at] === 13) at++;
  return raw[at] === 10 ? at + 1 : raw[at - 1] === 13 ? at : -1;
}

function hexDigit(byte: number | undefined): number {
  if (byte === undefined) return -1;
  if (byte >= 48 && byte <= 57) return byte - 48;
  if (byte >= 65 && byte <= 70) return byte - 55;
  if (byte >= 97 && byte <= 102) return byte - 87;
  return -1;
}

/** The lines between `begin` and `end`, or all of them. */
function fromUuencode(raw: Buffer, maxBytes: number): Buffer {
  const lines = raw.toString('latin1', 0, Math.min(raw.length, maxBytes * 2)).split('\n');
  const begin = lines.findIndex((line) => line.startsWith('begin '));
  const out: Buffer[] = [];
  for (const line of lines.slice(begin + 1)) {
    if (line.startsWith('end')) break;
    out.push(uuLine(line));
  }
  return Buffer.concat(out).subarray(0, maxBytes);
}

function uuLine(line: string): Buffer {
  const bytes: number[] = [];
  for (let at = 1; at + 3 < line.length; at += 4) {
    const bits =
      (uuDigit(line, at) << 18) |
      (uuDigit(line, at + 1) << 12) |
      (uuDigit(line, at + 2) << 6) |
      uuDigit(line, at + 3);
    bytes.push(bits >> 16, (bits >> 8) & 255, bits & 255);
  }
  return Buffer.from(bytes.slice(0, uuDigit(line, 0)));
}

function uuDigit(line: string, at: number): number {
  return (line.charCodeAt(at) - 32) & 63;
}
