// Header blocks: where they end, which fields they have, and the parameters of a field (RFC 2045, 2231). Reads what real
// programs write; linear in the length of the block.
import { decodeText } from './charset.ts';
import { decodeWords } from './words.ts';

/** A header that was read. Values are Latin-1, folded as they came; of a repeated field the first counts. */
export interface Header {
  fields: ReadonlyMap<string, string>;
  /** How many `Received` fields there are: how often the mail was passed on. */
  hops: number;
  /** Offset of the first byte of the body. */
  end: number;
}

/** A field of the form `value; name=value; …`. */
export interface Parameters {
  /** In lower case, without comments or blanks. */
  value: string;
  params: ReadonlyMap<string, string>;
}

const NO_PARAMETERS: Parameters = { value: '', params: new Map() };
const FIRST_BYTES = 4096;
const FIELD_NAME = /^[!-9;-~]{1,100}[ \t]*$/;

/**
 * The header that starts at `start`; null when it is longer than `maxBytes`. `isDelimiter` tells the line of a boundary, which
 * ends a header that forgot its empty line.
 */
export function readHeader(
  raw: Buffer,
  start: number,
  end: number,
  maxBytes: number,
  isDelimiter?: (at: number) => boolean,
): Header | null {
  let size = FIRST_BYTES;
  for (;;) {
    const stop = Math.min(end, start + Math.min(size, maxBytes));
    const header = readLines(raw.toString('latin1', start, stop), start, stop === end, isDelimiter);
    if (header !== null) return header;
    if (size >= maxBytes) return null;
    size *= 4;
  }
}

function readLines(
  text: string,
  start: number,
  whole: boolean,
  isDelimiter: ((at: number) => boolean) | undefined,
): Header | null {
  const fields = new Map<string, string>();
  let hops = 0;
  let name = '';
  let valueAt = 0;
  let valueEnd = 0;
  const keep = () => {
    if (name === 'received') hops++;
    else if (name !== '' && !fields.has(name)) fields.set(name, text.slice(valueAt, valueEnd));
    name = '';
  };
  let at = 0;
  while (at < text.length) {
    const newline = text.indexOf('\n', at);
    if (newline === -1 && !whole) return null;
    const lineEnd = newline === -1 ? text.length : newline;
    const next = lineEnd + 1;
    const first = text.charCodeAt(at);
    if (lineEnd === at || (first === 13 && lineEnd === at + 1)) {
      keep();
      return { fields, hops, end: start + Math.min(next, text.length) };
    }
    if (first === 45 && isDelimiter?.(start + at) === true) {
      keep();
      return { fields, hops, end: start + at };
    }
    if ((first === 32 || first === 9) && name !== '') {
      valueEnd = lineEnd;
    } else {
      // The first field of some is indented by mistake.
      const from = name === '' && (first === 32 || first === 9) ? indent(text, at) : at;
      const colon = fieldColon(text, from, lineEnd);
      if (colon !== -1) {
        keep();
        name = text.slice(from, colon).trimEnd().toLowerCase();
        valueAt = colon + 1;
        valueEnd = lineEnd;
      } else if (at === 0 && /^>?From /.test(text.slice(0, 6))) {
        // The separator of an mbox file.
      } else if (name !== '' && followedByField(text, next)) {
        // A value that was wrapped without indentation.
        valueEnd = lineEnd;
      } else {
        // No field and no empty line: the body has begun.
        keep();
        return { fields, hops, end: start + at };
      }
    }
    at = next;
  }
  if (!whole) return null;
  keep();
  return { fields, hops, end: start + text.length };
}

function fieldColon(text: string, at: number, lineEnd: number): number {
  const head = text.slice(at, Math.min(lineEnd, at + 110));
  const colon = head.indexOf(':');
  return colon > 0 && FIELD_NAME.test(head.slice(0, colon)) ? at + colon : -1;
}

function indent(text: string, from: number): number {
  let at = from;
  while (at < from + 20 && (text[at] === ' ' || text[at] === '\t')) at++;
  return at;
}

/** Whether one of the next three lines is a field, and none before it empty. */
function followedByField(text: string, from: number): boolean {
  let at = from;
  for (let line = 0; line < 3; line++) {
    const newline = text.indexOf('\n', at);
    if (newline - at <= 1) return false;
    if (fieldColon(text, at, newline) !== -1) return true;
    at = newline + 1;
  }
  return false;
}

/** The value of a field on one line, still Latin-1; null when it is missing or empty. */
export function rawField(header: Header, name: string): string | null {
  const value = header.fields.get(name);
  if (value === undefined) return null;
  const line = (value.includes('\n') ? value.replace(/\r?\n[ \t]*/g, ' ') : value).trim();
  return line === '' ? null : line;
}

/** The same, decoded. */
export function textField(header: Header, name: string): string | null {
  const value = rawField(header, name);
  return value === null ? null : decodeWords(value);
}

/** Value and parameters of a field; empty ones when it is missing. */
export function parameters(header: Header, name: string): Parameters {
  const field = rawField(header, name);
  return field === null ? NO_PARAMETERS : readParameters(field);
}

/** Value and parameters of such a text; of repeated parameters the first counts, at most 100 are read. */
function readParameters(field: string): Parameters {
  const semicolon = field.indexOf(';');
  const value = (semicolon === -1 ? field : field.slice(0, semicolon)).trim().toLowerCase();
  if (semicolon === -1) return { value: firstWord(value), params: NO_PARAMETERS.params };
  const pieces = new Map<string, string>();
  let at = semicolon + 1;
  while (at < field.length && pieces.size < 100) {
    const [piece, next] = readPiece(field, at);
    if (piece !== null && !pieces.has(piece.name)) pieces.set(piece.name, piece.value);
    at = next;
  }
  return { value: firstWord(value), params: joinContinuations(pieces) };
}

function firstWord(value: string): string {
  const end = value.search(/[\s(]/);
  return end === -1 ? value : value.slice(0, end);
}

/** One `name=value` from `at` on, quoted or not, and where the next begins. */
function readPiece(field: string, at: number): [{ name: string; value: string } | null, number] {
  const stop = field.indexOf(';', at);
  const limit = stop === -1 ? field.length : stop;
  const equals = at + field.slice(at, limit).indexOf('=');
  if (equals < at) return [null, limit + 1];
  const name = field.slice(at, equals).trim().toLowerCase();
  let from = equals + 1;
  while (field[from] === ' ' || field[from] === '\t') from++;
  if (field[from] !== '"') return [{ name, value: field.slice(from, limit).trim() }, limit + 1];
  let value = '';
  let index = from + 1;
  for (; index < field.length && field[index] !== '"'; index++) {
    // A backslash before anything but a quote or itself is a Windows path.
    if (field[index] === '\\' && (field[index + 1] === '"' || field[index + 1] === '\\')) index++;
    value += field[index] ?? '';
  }
  const after = field.indexOf(';', index);
  return [{ name, value }, after === -1 ? field.length : after + 1];
}

// RFC 2231: `name*0="…"; name*1*=%41…` are one value, in a charset that the first of them names.
function joinContinuations(pieces: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  const params = new Map<string, string>();
  const parts = new Map<string, { index: number; encoded: boolean; value: string }[]>();
  for (const [key, value] of pieces) {
    const match = /^([^*]+)\*(?:(\d{1,3})(\*)?)?$/.exec(key);
    if (match === null) params.set(key, value);
    else {
      const [, name = '', index] = match;
      const list = parts.get(name) ?? [];
      list.push({ index: Number(index ?? 0), encoded: index === undefined || match[3] !== undefined, value });
      parts.set(name, list);
    }
  }
  for (const [name, list] of parts) {
    list.sort((a, b) => a.index - b.index);
    let charset: string | null = null;
    const bytes = list.map((part, order) => {
      if (!part.encoded) return Buffer.from(part.value, 'latin1');
      const quoted = order === 0 ? /^([^']{0,60})'[^']{0,60}'/.exec(part.value) : null;
      if (quoted !== null) charset = quoted[1] ?? null;
      return fromPercent(part.value.slice(quoted?.[0].length ?? 0));
    });
    params.set(name, latin1OfUtf8(decodeText(Buffer.concat(bytes), charset)));
  }
  return params;
}

function fromPercent(value: string): Buffer {
  const text = value.replace(/%([0-9A-Fa-f]{2})/g, (_all, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
  return Buffer.from(text, 'latin1');
}

// Parameters stay Latin-1 of their bytes until decodeParameter, as fields do.
function latin1OfUtf8(text: string): string {
  return Buffer.from(text, 'utf8').toString('latin1');
}

/** A parameter as text, encoded words and all; null when it is missing. */
export function textParameter(from: Parameters, name: string): string | null {
  const value = from.params.get(name);
  return value === undefined || value === '' ? null : decodeWords(value);
}
