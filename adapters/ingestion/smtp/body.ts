// Chooses what a person should read out of the parts of a mail, and lists what else is in it. Bounded by the number of parts
// and by how much of each is decoded.
import { htmlToText } from '#core/text/html-to-text.ts';
import { foldReply } from '#core/domain/mail-text.ts';
import { barePrefixes } from '#core/domain/subject.ts';
import { MAIL_LIMITS, type MailAttachment, type MailCalendar } from './message.ts';
import { readAddresses } from './mime/address.ts';
import { calendarDescription, readCalendar } from './mime/calendar.ts';
import { decodeText } from './mime/charset.ts';
import { cleanLine, cleanText, clip } from '#core/text/clean-text.ts';
import { rawField, textField, textParameter, type Header } from './mime/header.ts';
import { unflow, withoutArmour, withoutPastedFiles } from './mime/plain.ts';
import { isEmbedded, readStructure, type Part } from './mime/structure.ts';
import { decodedSize, decodeTransfer } from './mime/transfer.ts';
import type { Work } from './mime/work.ts';

/** What was found in the parts. */
export interface Body {
  text: string;
  folded: string;
  attachments: MailAttachment[];
  calendar: MailCalendar | null;
  /** `report-type` of a `multipart/report`; null when it is none. */
  report: string | null;
}

interface Reading {
  raw: Buffer;
  work: Work;
  clipped: Set<string>;
  attachments: MailAttachment[];
  calendar: MailCalendar | null;
  description: string;
  report: string | null;
  /** Texts of mails inside of this one. */
  embedded: string[];
  notes: string[];
  depth: number;
  textBytes: number;
}

/** How much is decoded of a text: what comes later would not fit the limits anyway. */
const MAX_PLAIN_BYTES = 128 * 1024;
const MAX_HTML_BYTES = 1024 * 1024;
const MAX_TEXT_BYTES = 3 * 1024 * 1024;
const MAX_CALENDAR_BYTES = 256 * 1024;
const MAX_EMBEDDED = 20;

/** Parts that say nothing to a person. */
const SILENT =
  /^(?:application\/(?:x-)?(?:pkcs7-signature|pgp-signature|pgp-keys|pgp-encrypted)|message\/(?:delivery-status|disposition-notification|global-delivery-status|feedback-report|external-body)|text\/(?:rfc822-headers|x-amp-html|x-watch-html|directory))$/;
const ENCRYPTED = 'This mail is encrypted and cannot be read here.';
/** What programs put into the plain text when they mean the HTML. */
const NO_PLAIN =
  /^.{0,200}(?:(?:does|do|can)(?: not|n't|not) (?:support|display|view|read|show) html|html[- ](?:enabled|capable|compatible)|(?:view|read) this (?:e-?mail|message) in (?:your|a) (?:web )?browser|kein(?:e)? html|unterstützt kein html|please enable html|this is an html (?:e-?mail|message))/is;

/** Reads the parts of a mail. */
export function readBody(raw: Buffer, root: Part, work: Work, clipped: Set<string>, depth = 0): Body {
  const reading: Reading = {
    raw,
    work,
    clipped,
    attachments: [],
    calendar: null,
    description: '',
    report: null,
    embedded: [],
    notes: [],
    depth,
    textBytes: 0,
  };
  const written = visit(reading, root, null, true);
  const subject = textField(root.header, 'subject');
  const kind = subject === null ? null : barePrefixes(subject.slice(0, 500)).kind;
  const answers = ['in-reply-to', 'references', 'thread-topic'].some(
    (name) => rawField(root.header, name) !== null,
  );
  const folded = foldReply(written === '' ? reading.description : written, {
    forwarded: depth > 0 || kind === 'forward',
    reply: kind === 'reply' || answers,
    besides: reading.embedded.length > 0,
    spend: (steps) => work.spend(steps),
  });
  const texts = [folded.text, ...reading.embedded].filter((text) => text !== '');
  return {
    text: withNotes(texts.join('\n\n'), reading.notes),
    folded: folded.folded,
    attachments: reading.attachments,
    calendar: reading.calendar,
    report: reading.report,
  };
}

// Long addresses stand below the text, if the place that they belong to was not folded away.
function withNotes(text: string, notes: readonly string[]): string {
  if (notes.length === 0) return text;
  const used = notes
    .map((url, index) => [`[${index + 1}]`, url] as const)
    .filter(([mark]) => text.includes(mark));
  const list = used.map(([mark, url]) => `${mark} ${url}`).join('\n');
  const space = MAIL_LIMITS.maxTextChars - list.length - 2;
  return list === '' ? text : space < 1000 ? text : `${clip(text, space)}\n\n${list}`;
}

/** The text of a part; everything else about it goes to `reading`. Without `wanted` only that is done. */
function visit(reading: Reading, part: Part, parent: Part | null, wanted: boolean): string {
  reading.work.spend(10);
  const { value: type } = part.type;
  if (part.tooDeep) return '';
  if (type.startsWith('multipart/') && part.children.length > 0) return visitMultipart(reading, part, wanted);
  if (isEmbedded(type)) return visitEmbedded(reading, part);
  if (SILENT.test(type)) return '';
  const name = fileName(part);
  if (isCalendar(type, name)) {
    readInvitation(reading, part);
    if (reading.calendar !== null) return '';
  }
  const attached = part.disposition.value === 'attachment';
  if (isTextual(type) && !attached && (name === null || parent === null || !hasOwnKind(type))) {
    return wanted ? partText(reading, part) : '';
  }
  if (type === 'application/pkcs7-mime' || type === 'application/x-pkcs7-mime') return ENCRYPTED;
  if (isInlineImage(part, type, parent)) return '';
  attach(reading, part, name, type);
  return '';
}

function isTextual(type: string): boolean {
  return type.startsWith('text/') || type === 'application/xhtml+xml' || type.startsWith('multipart/');
}

// Text of a kind of its own with a name is a file, wherever it stands.
function hasOwnKind(type: string): boolean {
  return type !== 'text/html';
}

function visitMultipart(reading: Reading, part: Part, wanted: boolean): string {
  const kind = part.type.value.slice('multipart/'.length);
  const [first, ...rest] = part.children;
  if (first === undefined) return '';
  switch (kind) {
    case 'alternative':
      return visitAlternative(reading, part, wanted);
    case 'encrypted':
      return ENCRYPTED;
    case 'signed': {
      const text = visit(reading, first, part, wanted);
      for (const other of rest) if (!SILENT.test(other.type.value)) visit(reading, other, part, false);
      return text;
    }
    case 'related': {
      const start = part.type.params.get('start');
      const root = part.children.find((child) => rawField(child.header, 'content-id') === start) ?? first;
      const text = visit(reading, root, part, wanted);
      for (const other of part.children) if (other !== root) visit(reading, other, part, false);
      return text;
    }
    case 'report': {
      const type = (part.type.params.get('report-type') ?? reportType(part)).toLowerCase();
      reading.report ??= type;
      const text = visit(reading, first, part, wanted);
      // What a bounce returns is not this mail's.
      if (type !== 'delivery-status' && type !== 'disposition-notification') {
        for (const other of rest) visit(reading, other, part, false);
      }
      return text;
    }
    default:
      return part.children
        .map((child) => visit(reading, child, part, wanted))
        .filter((text) => text.trim() !== '')
        .join('\n\n');
  }
}

function reportType(part: Part): string {
  const status = part.children.find((child) => child.type.value.startsWith('message/'));
  return status?.type.value.slice('message/'.length) ?? '';
}

// The plain text is what its writer meant to be read as text, unless it only says that there is HTML.
function visitAlternative(reading: Reading, part: Part, wanted: boolean): string {
  const plainPart = part.children.find((child) => child.type.value === 'text/plain');
  const plain = plainPart === undefined || !wanted ? '' : visit(reading, plainPart, part, true);
  const others = part.children.filter((child) => child !== plainPart);
  const poor = wanted && (plain.trim() === '' || NO_PLAIN.test(plain.slice(0, 400)) || isMarkup(plain));
  let rich = '';
  for (const other of others.toReversed()) {
    const text = visit(reading, other, part, poor && rich === '');
    if (rich === '') rich = text;
  }
  return poor && rich.trim() !== '' ? rich : plain;
}

function isMarkup(text: string): boolean {
  return /^\s*<(?:!doctype|html|head|body|table|div|p)\b/i.test(text.slice(0, 300));
}

function visitEmbedded(reading: Reading, part: Part): string {
  if (reading.embedded.length >= MAX_EMBEDDED) return '';
  const inner = part.children[0];
  if (inner !== undefined) {
    addEmbedded(reading, reading.raw, inner);
    return '';
  }
  // Encoded, which RFC 2046 forbids and senders do.
  if (part.encoding === '8bit' || reading.depth >= MAIL_LIMITS.maxNesting) {
    attach(reading, part, fileName(part), part.type.value);
    return '';
  }
  const bytes = decodeTransfer(bytesOf(reading, part), part.encoding, MAIL_LIMITS.maxBytes);
  reading.work.spend(bytes.length >> 8);
  const structure = readStructure(bytes, reading.work, reading.depth + 1);
  if (structure === null) attach(reading, part, fileName(part), part.type.value);
  else addEmbedded(reading, bytes, structure.root);
  return '';
}

function addEmbedded(reading: Reading, raw: Buffer, root: Part): void {
  if (reading.depth >= MAIL_LIMITS.maxNesting) return;
  const inner = readBody(raw, root, reading.work, reading.clipped, reading.depth + 1);
  for (const file of inner.attachments) push(reading, file);
  reading.calendar ??= inner.calendar;
  reading.embedded.push(
    `${embeddedHeading(root.header)}\n\n${clip(inner.text, MAIL_LIMITS.maxTextChars)}`.trim(),
  );
}

function embeddedHeading(header: Header): string {
  const from = readAddresses(rawField(header, 'from') ?? '', 1)[0];
  const sender =
    from === undefined
      ? 'somebody'
      : from.name === ''
        ? from.address
        : from.address === ''
          ? from.name
          : `${from.name} <${from.address}>`;
  const subject = cleanLine(textField(header, 'subject') ?? '', MAIL_LIMITS.maxNameChars);
  return `Forwarded from ${sender}${subject === '' ? '' : `: ${subject}`}`;
}

function bytesOf(reading: Reading, part: Part): Buffer {
  return reading.raw.subarray(part.start, Math.max(part.start, part.end));
}

function partText(reading: Reading, part: Part): string {
  const { value: type, params } = part.type;
  const html = type === 'text/html' || type === 'application/xhtml+xml';
  if (reading.textBytes > MAX_TEXT_BYTES) return '';
  const all = bytesOf(reading, part);
  const bytes = decodeTransfer(all, part.encoding, html ? MAX_HTML_BYTES : MAX_PLAIN_BYTES);
  reading.textBytes += bytes.length;
  reading.work.spend(bytes.length >> 7);
  const charset = params.get('charset') ?? (html ? metaCharset(bytes) : null);
  const text = decodeText(bytes, charset);
  if (html || (type === 'text/plain' && isMarkup(text) && /<\/(?:html|body|table)>/i.test(text))) {
    return htmlText(reading, text);
  }
  if (type === 'text/enriched' || type === 'text/richtext') return cleanText(withoutCommands(text));
  const flowed = params.get('format')?.toLowerCase() === 'flowed';
  const lines = flowed ? unflow(text, params.get('delsp')?.toLowerCase() === 'yes') : text;
  const pasted = withoutPastedFiles(withoutArmour(cleanText(lines)));
  for (const { name, bytes: size } of pasted.files) {
    push(reading, { name: cleanName(name), type: 'application/octet-stream', bytes: size });
  }
  return pasted.text.includes('-----BEGIN PGP MESSAGE-----') ? ENCRYPTED : pasted.text;
}

function htmlText(reading: Reading, html: string): string {
  const { text, notes } = htmlToText(html, {
    maxChars: MAIL_LIMITS.maxTextChars * 4,
    firstNote: reading.notes.length + 1,
    charge: (steps) => reading.work.spend(steps),
  });
  reading.notes.push(...notes);
  return cleanText(text);
}

// RFC 1896: `<bold>…</bold>`, `<<` for a bracket, single line ends are blanks.
function withoutCommands(text: string): string {
  return text
    .replace(/<param>[^<]{0,200}<\/param>/gi, '')
    .replace(/<<|<\/?[a-z][a-z-]{0,30}>/gi, (tag) => (tag === '<<' ? '<' : ''))
    .replace(/\r\n/g, '\n')
    .replace(/([^\n])\n(?!\n)/g, '$1 ');
}

function metaCharset(bytes: Buffer): string | null {
  const head = bytes.toString('latin1', 0, 2048);
  return /<meta[^>]{0,200}?charset\s{0,5}=\s{0,5}["']?([A-Za-z0-9_:-]{2,40})/i.exec(head)?.[1] ?? null;
}

function isCalendar(type: string, name: string | null): boolean {
  return (
    type === 'text/calendar' || type === 'application/ics' || (name?.toLowerCase().endsWith('.ics') ?? false)
  );
}

function readInvitation(reading: Reading, part: Part): void {
  if (reading.calendar !== null) return;
  const bytes = decodeTransfer(bytesOf(reading, part), part.encoding, MAX_CALENDAR_BYTES);
  reading.work.spend(bytes.length >> 7);
  const text = decodeText(bytes, part.type.params.get('charset') ?? 'utf-8');
  reading.calendar = readCalendar(text, part.type.params.get('method') ?? null);
  if (reading.calendar !== null) reading.description = cleanText(calendarDescription(text) ?? '');
}

// A picture that the text shows is no file of its own.
function isInlineImage(part: Part, type: string, parent: Part | null): boolean {
  if (!type.startsWith('image/') || part.disposition.value === 'attachment') return false;
  const shown =
    rawField(part.header, 'content-id') !== null || rawField(part.header, 'content-location') !== null;
  return shown && (parent?.type.value === 'multipart/related' || part.disposition.value === 'inline');
}

function fileName(part: Part): string | null {
  const name = textParameter(part.disposition, 'filename') ?? textParameter(part.type, 'name');
  return name === null ? null : cleanName(name);
}

function cleanName(name: string): string {
  const base = name.split(/[/\\]/).at(-1) ?? '';
  return cleanLine(base, MAIL_LIMITS.maxNameChars);
}

function attach(reading: Reading, part: Part, name: string | null, type: string): void {
  const bytes = bytesOf(reading, part);
  reading.work.spend(bytes.length >> 10);
  push(reading, {
    name: name ?? '',
    type: cleanLine(type, 100),
    bytes: decodedSize(bytes, part.encoding),
  });
}

function push(reading: Reading, file: MailAttachment): void {
  if (reading.attachments.length >= MAIL_LIMITS.maxAttachments) {
    reading.clipped.add(`attachments after the first ${MAIL_LIMITS.maxAttachments}`);
  } else reading.attachments.push({ ...file, name: file.name === '' ? 'unnamed' : file.name });
}
