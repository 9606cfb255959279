// Chooses the readable text among the parts of a mail, and lists its attachments and its invitation.
import { cleanLine, cleanText, clip } from '#core/text/clean-text.ts';
import type { PageLink } from '#core/text/html-page.ts';
import { calendarDescription, readCalendar } from './calendar.ts';
import { decodeText } from './charset.ts';
import { foldReply } from './fold-reply.ts';
import { addressesOf, rawField, type Header } from './header.ts';
import { MAIL_LIMITS, shownAddress, type MailAttachment, type MailCalendar } from './mail.ts';
import { isEmbedded, type Part } from './message-parts.ts';
import { ENCRYPTED, SIGNED, isHtml, isMarkup, readPartText } from './part-to-plain-text.ts';
import type { StepBudget } from './step-budget.ts';
import { barePrefixes } from './subject.ts';

export interface Body {
  text: string;
  folded: string;
  attachments: MailAttachment[];
  calendar: MailCalendar | null;
  /** Of the HTML, where the plain text that is read instead has no address. */
  links: readonly PageLink[];
  /** `report-type` of a `multipart/report`; null when it is none. */
  report: string | null;
}

/** The state of one walk over the parts. */
interface Walk {
  budget: StepBudget;
  clipped: Set<string>;
  attachments: MailAttachment[];
  calendar: MailCalendar | null;
  links: readonly PageLink[];
  /** Description of the event, for a mail without text. */
  description: string;
  report: string | null;
  /** Texts of mails inside of this one. */
  embedded: string[];
  notes: string[];
  depth: number;
  textBytes: number;
}

const MAX_TEXT_BYTES = 3 * 1024 * 1024;
const MAX_EMBEDDED = 20;
/** How much HTML is searched for links, beside the plain text that is read. */
const MAX_LINKS_BYTES = 256 * 1024;

/** Types without anything to read for a person. */
const UNREADABLE =
  /^(?:application\/(?:x-)?(?:pkcs7-signature|pgp-signature|pgp-keys|pgp-encrypted)|message\/(?:delivery-status|disposition-notification|global-delivery-status|feedback-report|external-body)|text\/(?:rfc822-headers|x-amp-html|x-watch-html|directory))$/;
/** The plain text that programs write when only the HTML is meant. */
const NO_PLAIN =
  /^.{0,200}(?:(?:does|do|can)(?: not|n't|not) (?:support|display|view|read|show) html|html[- ](?:enabled|capable|compatible)|(?:view|read) this (?:e-?mail|message) in (?:your|a) (?:web )?browser|kein(?:e)? html|unterstützt kein html|please enable html|this is an html (?:e-?mail|message))/is;

/** Reads the parts of a mail; `depth` counts the mails around it. */
export function readBody(root: Part, budget: StepBudget, clipped: Set<string>, depth = 0): Body {
  const walk: Walk = {
    budget,
    clipped,
    attachments: [],
    calendar: null,
    links: [],
    description: '',
    report: null,
    embedded: [],
    notes: [],
    depth,
    textBytes: 0,
  };
  const written = visit(walk, root, null, true, 0);
  const { subject } = root.header;
  const kind = subject === null ? null : barePrefixes(subject.slice(0, 500)).kind;
  const answers = ['in-reply-to', 'references', 'thread-topic'].some(
    (name) => rawField(root.header, name) !== null,
  );
  const folded = foldReply(written.trim() === '' ? walk.description : written, {
    forwarded: depth > 0 || kind === 'forward',
    reply: kind === 'reply' || answers,
    hasOtherText: walk.embedded.length > 0,
    charge: (steps) => budget.charge(steps),
  });
  const texts = [folded.text, ...walk.embedded].filter((text) => text !== '');
  const { attachments, calendar, links, report } = walk;
  return {
    text: withNotes(texts.join('\n\n'), walk.notes),
    folded: folded.folded,
    attachments,
    calendar,
    links,
    report,
  };
}

// Long addresses follow the text, unless the lines that refer to them were folded.
function withNotes(text: string, notes: readonly string[]): string {
  if (notes.length === 0) return text;
  const used = notes
    .map((url, index) => [`[${index + 1}]`, url] as const)
    .filter(([mark]) => text.includes(mark));
  const list = used.map(([mark, url]) => `${mark} ${url}`).join('\n');
  const space = MAIL_LIMITS.maxTextChars - list.length - 2;
  return list === '' ? text : space < 1000 ? text : `${clip(text, space)}\n\n${list}`;
}

/** The text of a part; everything else about it goes to `walk`. With `isWanted` false only that is done. */
function visit(walk: Walk, part: Part, parent: Part | null, isWanted: boolean, level: number): string {
  walk.budget.charge(10);
  const { type, fileName } = part;
  if (level > MAIL_LIMITS.maxNesting) {
    walk.clipped.add(`what is nested more than ${MAIL_LIMITS.maxNesting} deep`);
    return '';
  }
  if (!isEmbedded(type) && part.children.length > 0) return visitMultipart(walk, part, isWanted, level + 1);
  if (isEmbedded(type)) return visitEmbedded(walk, part);
  if (UNREADABLE.test(type)) return '';
  if (isCalendar(part)) {
    readInvitation(walk, part);
    if (walk.calendar !== null) return '';
  }
  const isText = type.startsWith('text/') || type.startsWith('multipart/') || isHtml(type);
  // Text with a name is a file, wherever it stands; HTML often has a name and is the text of the mail.
  if (
    isText &&
    part.disposition !== 'attachment' &&
    (fileName === null || parent === null || type === 'text/html')
  ) {
    return isWanted ? textOf(walk, part) : '';
  }
  if (type === 'application/pkcs7-mime' || type === 'application/x-pkcs7-mime')
    return part.params['smime-type']?.toLowerCase() === 'signed-data' ? SIGNED : ENCRYPTED;
  if (!isInlineImage(part, parent)) attach(walk, part);
  return '';
}

function visitMultipart(walk: Walk, part: Part, isWanted: boolean, level: number): string {
  const [first, ...rest] = part.children;
  if (first === undefined) return '';
  const look = (others: readonly Part[]) => {
    for (const other of others) visit(walk, other, part, false, level);
  };
  switch (part.type.slice('multipart/'.length)) {
    case 'alternative':
      return visitAlternative(walk, part, isWanted, level);
    case 'encrypted':
      return ENCRYPTED;
    case 'signed': {
      const text = visit(walk, first, part, isWanted, level);
      look(rest.filter(({ type }) => !UNREADABLE.test(type)));
      return text;
    }
    case 'related': {
      const { start } = part.params;
      const root = part.children.find((child) => rawField(child.header, 'content-id') === start) ?? first;
      const text = visit(walk, root, part, isWanted, level);
      look(part.children.filter((child) => child !== root));
      return text;
    }
    case 'report': {
      const type = (part.params['report-type'] ?? reportType(part)).toLowerCase();
      walk.report ??= type;
      const text = visit(walk, first, part, isWanted, level);
      // The mail that a bounce returns is not part of this one.
      if (type !== 'delivery-status' && type !== 'disposition-notification') look(rest);
      return text;
    }
    default:
      return part.children
        .map((child) => visit(walk, child, part, isWanted, level))
        .filter((text) => text.trim() !== '')
        .join('\n\n');
  }
}

function reportType({ children }: Part): string {
  const status = children.find(({ type }) => type.startsWith('message/'));
  return status?.type.slice('message/'.length) ?? '';
}

// The plain text is the writer's own, unless it only says that there is HTML.
function visitAlternative(walk: Walk, part: Part, isWanted: boolean, level: number): string {
  const plainPart = part.children.find(({ type }) => type === 'text/plain');
  const plain = plainPart === undefined || !isWanted ? '' : visit(walk, plainPart, part, true, level);
  const isPoor = isWanted && (plain.trim() === '' || NO_PLAIN.test(plain.slice(0, 400)) || isMarkup(plain));
  if (isWanted && !isPoor && !/https?:\/\//i.test(plain)) readLinks(walk, part);
  let rich = '';
  for (const other of part.children.filter((child) => child !== plainPart).toReversed()) {
    const text = visit(walk, other, part, isPoor && rich === '', level);
    if (rich === '') rich = text;
  }
  return isPoor && rich.trim() !== '' ? rich : plain;
}

// "Click the button in the HTML version": the plain text has the words, and the HTML alone the address.
function readLinks(walk: Walk, part: Part): void {
  const html = htmlIn(part, 2);
  if (html === undefined || walk.links.length > 0) return;
  const { links } = readPartText(
    { ...html, content: html.content.subarray(0, MAX_LINKS_BYTES) },
    walk.budget,
    1,
  );
  walk.links = links;
}

function htmlIn(part: Part, levels: number): Part | undefined {
  if (isHtml(part.type) && part.disposition !== 'attachment') return part;
  if (levels === 0) return undefined;
  for (const child of part.children) {
    const found = htmlIn(child, levels - 1);
    if (found !== undefined) return found;
  }
  return undefined;
}

function visitEmbedded(walk: Walk, part: Part): string {
  const [inner] = part.children;
  if (walk.embedded.length >= MAX_EMBEDDED) return '';
  if (inner === undefined) attach(walk, part);
  if (inner === undefined || walk.depth >= MAIL_LIMITS.maxNesting) return '';
  const body = readBody(inner, walk.budget, walk.clipped, walk.depth + 1);
  for (const file of body.attachments) addAttachment(walk, file);
  walk.calendar ??= body.calendar;
  walk.embedded.push(
    `${embeddedHeading(inner.header)}\n\n${clip(body.text, MAIL_LIMITS.maxTextChars)}`.trim(),
  );
  return '';
}

function embeddedHeading(header: Header): string {
  const [from] = addressesOf(header, 'from', 1);
  const subject = cleanLine(header.subject ?? '', MAIL_LIMITS.maxNameChars);
  const sender = from === undefined ? '' : shownAddress(from);
  return `Forwarded from ${sender || 'somebody'}${subject === '' ? '' : `: ${subject}`}`;
}

function textOf(walk: Walk, part: Part): string {
  if (walk.textBytes > MAX_TEXT_BYTES) return '';
  walk.textBytes += part.content.length;
  const { text, notes, files } = readPartText(part, walk.budget, walk.notes.length + 1);
  walk.notes.push(...notes);
  for (const { name, bytes } of files)
    addAttachment(walk, { name: baseName(name), type: 'application/octet-stream', bytes });
  return text;
}

function isCalendar({ type, fileName }: Part): boolean {
  return (
    type === 'text/calendar' ||
    type === 'application/ics' ||
    (fileName?.toLowerCase().endsWith('.ics') ?? false)
  );
}

function readInvitation(walk: Walk, { content, params }: Part): void {
  if (walk.calendar !== null) return;
  walk.budget.charge(content.length >> 7);
  const text = decodeText(content, params['charset'] ?? 'utf-8');
  walk.calendar = readCalendar(text, params['method'] ?? null);
  if (walk.calendar !== null) walk.description = cleanText(calendarDescription(text) ?? '');
}

// A picture that the text shows is no file of its own.
function isInlineImage({ type, disposition, header }: Part, parent: Part | null): boolean {
  if (!type.startsWith('image/') || disposition === 'attachment') return false;
  const isShown = rawField(header, 'content-id') !== null || rawField(header, 'content-location') !== null;
  return isShown && (parent?.type === 'multipart/related' || disposition === 'inline');
}

/** The name of a file without its folders. */
function baseName(name: string): string {
  return cleanLine(name.split(/[/\\]/).at(-1) ?? '', MAIL_LIMITS.maxNameChars);
}

function attach(walk: Walk, { fileName, type, size }: Part): void {
  addAttachment(walk, { name: baseName(fileName ?? ''), type: cleanLine(type, 100), bytes: size });
}

function addAttachment(walk: Walk, file: MailAttachment): void {
  if (walk.attachments.length >= MAIL_LIMITS.maxAttachments) {
    walk.clipped.add(`attachments after the first ${MAIL_LIMITS.maxAttachments}`);
  } else walk.attachments.push({ ...file, name: file.name === '' ? 'unnamed' : file.name });
}
