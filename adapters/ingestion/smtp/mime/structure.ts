// The parts of a mail, found in one pass over its bytes: all open boundaries are looked for at once, so that nesting costs
// nothing, and reading stops at the hundredth part. Nothing is copied or decoded here.
import { MAIL_LIMITS } from '../message.ts';
import { parameters, rawField, readHeader, type Header, type Parameters } from './header.ts';
import { transferEncoding } from './transfer.ts';
import type { Work } from './work.ts';

/** A part, or the mail itself. */
export interface Part {
  header: Header;
  /** `Content-Type`; `text/plain` when there is none that can be read. */
  type: Parameters;
  /** `Content-Disposition`; empty when there is none. */
  disposition: Parameters;
  encoding: string;
  /** Of the body, within the bytes that were read. */
  start: number;
  end: number;
  /** Of a multipart its parts, of an embedded mail that mail. */
  children: Part[];
  /** Whether it has parts that are nested too deeply to be read. */
  tooDeep: boolean;
}

export interface Structure {
  root: Part;
  clipped: string[];
}

interface Frame {
  part: Part;
  /** Without the two dashes in front; null for an embedded mail, which ends with what it is in. */
  boundary: Buffer | null;
}

interface Scan {
  raw: Buffer;
  work: Work;
  frames: Frame[];
  parts: number;
  clipped: Set<string>;
}

/** Null when a header is over its limit. */
export function readStructure(raw: Buffer, work: Work, baseDepth = 0): Structure | null {
  const scan: Scan = { raw, work, frames: [], parts: 0, clipped: new Set() };
  const root = readPart(scan, 0, baseDepth);
  if (root === null) return null;
  if (scan.frames.length > 0) scanBodies(scan, root, baseDepth);
  return { root, clipped: [...scan.clipped] };
}

/** The part whose header begins at `start`; opens frames for what is inside of it. */
function readPart(scan: Scan, start: number, baseDepth: number, digest = false): Part | null {
  const { raw, work } = scan;
  scan.parts++;
  const header = readHeader(
    raw,
    start,
    raw.length,
    MAIL_LIMITS.maxHeaderBytes,
    (at) => delimiterAt(scan, at) !== null,
  );
  if (header === null) return null;
  work.spend(10 + ((header.end - start) >> 6));
  const type = contentType(header, digest);
  const part: Part = {
    header,
    type,
    disposition: parameters(header, 'content-disposition'),
    encoding: transferEncoding(rawField(header, 'content-transfer-encoding')),
    start: header.end,
    end: raw.length,
    children: [],
    tooDeep: false,
  };
  const inside = type.value.startsWith('multipart/');
  const embedded =
    isEmbedded(type.value) && part.encoding !== 'base64' && part.encoding !== 'quoted-printable';
  if (!inside && !embedded) return part;
  if (baseDepth + scan.frames.length >= MAIL_LIMITS.maxNesting) {
    scan.clipped.add(`what is nested more than ${MAIL_LIMITS.maxNesting} deep`);
    part.tooDeep = true;
    return part;
  }
  if (inside) {
    const boundary = boundaryOf(raw, part);
    if (boundary !== null) scan.frames.push({ part, boundary });
    return part;
  }
  if (scan.parts >= MAIL_LIMITS.maxParts) return part;
  scan.frames.push({ part, boundary: null });
  const mail = readPart(scan, part.start, baseDepth);
  if (mail === null) return null;
  part.children.push(mail);
  return part;
}

/** Whether the part is a mail of its own. */
export function isEmbedded(type: string): boolean {
  return type === 'message/rfc822' || type === 'message/global' || type === 'message/news';
}

function contentType(header: Header, digest: boolean): Parameters {
  const given = parameters(header, 'content-type');
  if (/^[a-z0-9.+-]+\/[a-z0-9.+_-]+$/.test(given.value)) return given;
  return { value: digest && given.value === '' ? 'message/rfc822' : 'text/plain', params: given.params };
}

function boundaryOf(raw: Buffer, part: Part): Buffer | null {
  const given = part.type.params.get('boundary');
  if (given !== undefined && given.length <= 2000) {
    const boundary = Buffer.from(given.trimEnd(), 'latin1');
    if (boundary.length > 0) return boundary;
  }
  // Without the parameter: a first line that looks like one.
  const first = /^\s{0,4}--([^\s].{0,200}?)\s*\n/.exec(raw.toString('latin1', part.start, part.start + 220));
  return first?.[1] === undefined ? null : Buffer.from(first[1], 'latin1');
}

function scanBodies(scan: Scan, root: Part, baseDepth: number): void {
  const { raw, work } = scan;
  let at = scan.frames.at(-1)?.part.start ?? root.start;
  let atLineStart = true;
  // The part that is being read; null between two closed ones.
  let open: Part | null = null;
  while (at < raw.length && scan.frames.length > 0) {
    if (!atLineStart) {
      const newline = nextDashes(raw, at);
      work.spend(1 + ((Math.min(newline, raw.length) - at) >> 10));
      at = newline + 1;
      if (at >= raw.length) break;
    }
    atLineStart = false;
    const hit = raw[at] === 45 && raw[at + 1] === 45 ? delimiterAt(scan, at) : null;
    work.spend(scan.frames.length);
    if (hit === null) continue;
    const end = withoutNewline(raw, at);
    if (open !== null) open.end = Math.max(open.start, end);
    closeFrames(scan, hit.frame, end);
    open = null;
    const frame = scan.frames[hit.frame];
    if (frame === undefined) break;
    at = hit.next;
    if (hit.resolves) {
      frame.part.end = end;
      scan.frames.length = hit.frame;
      closeEmbedded(scan, end);
      at--;
      continue;
    }
    if (scan.parts >= MAIL_LIMITS.maxParts) {
      scan.clipped.add(`parts after the first ${MAIL_LIMITS.maxParts}`);
      break;
    }
    const part = readPart(scan, hit.next, baseDepth, frame.part.type.value === 'multipart/digest');
    if (part === null) {
      scan.clipped.add('a part whose header is too long');
      break;
    }
    frame.part.children.push(part);
    open = innermost(part);
    at = open.start;
    atLineStart = true;
  }
}

// Of an embedded mail the part that its bytes belong to.
function innermost(part: Part): Part {
  let inner = part;
  for (let child = inner.children.at(-1); child !== undefined; child = inner.children.at(-1)) inner = child;
  return inner;
}

function closeFrames(scan: Scan, keep: number, end: number): void {
  for (const { part } of scan.frames.slice(keep + 1)) part.end = Math.max(part.start, end);
  for (const { part } of scan.frames.slice(keep + 1)) {
    for (const child of part.children) if (child.end > part.end) child.end = Math.max(child.start, part.end);
  }
  scan.frames.length = keep + 1;
}

// An embedded mail whose multipart is over has nothing more to say.
function closeEmbedded(scan: Scan, end: number): void {
  for (let frame = scan.frames.at(-1); frame?.boundary === null; frame = scan.frames.at(-1)) {
    frame.part.end = Math.max(frame.part.start, end);
    scan.frames.pop();
  }
}

/** Offset of the next newline before two dashes; the length when there is none. A loop, since nothing else is quick on any bytes. */
function nextDashes(raw: Buffer, from: number): number {
  for (let at = from; at < raw.length; at++) {
    if (raw[at] === 10 && raw[at + 1] === 45 && raw[at + 2] === 45) return at;
  }
  return raw.length;
}

function withoutNewline(raw: Buffer, lineStart: number): number {
  let end = lineStart;
  if (raw[end - 1] === 10) end--;
  if (raw[end - 1] === 13) end--;
  return end;
}

/** Which open boundary the line at `at` is, innermost first. */
function delimiterAt(scan: Scan, at: number): { frame: number; resolves: boolean; next: number } | null {
  const { raw, frames } = scan;
  if (raw[at] !== 45 || raw[at + 1] !== 45) return null;
  for (let frame = frames.length - 1; frame >= 0; frame--) {
    const boundary = frames[frame]?.boundary;
    if (boundary === null || boundary === undefined || !startsWith(raw, at + 2, boundary)) continue;
    let end = at + 2 + boundary.length;
    const resolves = raw[end] === 45 && raw[end + 1] === 45;
    if (resolves) end += 2;
    while (raw[end] === 32 || raw[end] === 9 || raw[end] === 13) end++;
    if (end >= raw.length || raw[end] === 10) return { frame, resolves, next: Math.min(end + 1, raw.length) };
  }
  return null;
}

function startsWith(raw: Buffer, at: number, what: Buffer): boolean {
  for (let index = 0; index < what.length; index++) if (raw[at + index] !== what[index]) return false;
  return true;
}
