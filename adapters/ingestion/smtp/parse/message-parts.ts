// The parts of a mail, read by mailparser: a tree with each part's header and its decoded content. Bounded by
// mailparser's limits on headers and parts, and by how much content of a part is stored.
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { MailParser, type AttachmentStream, type Headers, type HeaderLines } from 'mailparser';
import { withoutDataUrls } from '#core/text/data-urls.ts';
import { MAIL_LIMITS } from './mail.ts';
import { readHeader, type Header } from './header.ts';

export interface Part {
  header: Header;
  /** Media type in lower case; `text/plain` when the header names none. */
  type: string;
  /** Parameters of the media type, by lower-case name. */
  params: Readonly<Record<string, string>>;
  /** `attachment`, `inline` or another word; empty when the header says nothing. */
  disposition: string;
  fileName: string | null;
  /**
   * Its content up to 1 MiB, of a text without that of `data:` URLs; that of a mail inside of this one whole;
   * empty for a multipart.
   */
  content: Buffer;
  /** Of all its content, in bytes. */
  size: number;
  /** Of a multipart its parts, of a mail inside of this one that mail. */
  children: Part[];
}

/** Why a mail has no parts. */
export class UnreadableMail extends Error {}

/** A part as mailparser builds it; internal to the package, whose version is pinned. */
interface MimeNode {
  headers: Headers;
  headerLines: HeaderLines;
  contentType: string | false;
  children: MimeNode[];
}

/** Of the package; called when all parts were read. */
const INTERNALS = MailParser.prototype as unknown as {
  cleanup(this: MailParser, done: (error?: Error) => void): void;
};

/** Hands out every part as a stream of bytes, texts as well: their charset is often not the one they name. */
class PartsParser extends MailParser {
  declare readonly tree: MimeNode | false;
  declare readonly curnode: { decoder?: Readable } | false;
  declare textTypes: readonly string[];

  constructor() {
    super({
      skipHtmlToText: true,
      skipTextToHtml: true,
      skipTextLinks: true,
      skipImageLinks: true,
      checksumAlgo: false,
      keepDeliveryStatus: true,
      defaultInlineEmbedded: true,
      maxHeadSize: MAIL_LIMITS.maxHeaderBytes,
      maxChildNodes: MAIL_LIMITS.maxParts,
    });
    this.textTypes = [];
  }

  /**
   * Waits for the end of the last part's content, which comes only when somebody reads it: of a mail inside
   * of this one that ends before its header nobody does.
   */
  cleanup(done: (error?: Error) => void): void {
    if (this.curnode !== false) this.curnode.decoder?.resume();
    INTERNALS.cleanup.call(this, done);
  }
}

interface Content {
  bytes: Buffer;
  size: number;
}

const NO_CONTENT: Content = { bytes: Buffer.alloc(0), size: 0 };
const MEDIA_TYPE = /^[a-z0-9.+-]+\/[a-z0-9.+_-]+$/;

/** Types of parts whose content is no text. */
const BINARY = /^(?:image|audio|video|font|application)\/(?!xhtml\+xml$)/;
const EMBEDDED = new Set(['message/rfc822', 'message/global', 'message/news']);
/** How much of a text is stored; more would not fit the limits of a task. */
const MAX_TEXT_BYTES = 1024 * 1024;
/** Bytes of encoded mails inside of one mail that are read, all together. */
const MAX_EMBEDDED_BYTES = 2 * MAIL_LIMITS.maxBytes;
const MAX_EMBEDDED_MAILS = 20;

/** A mail that was stored as a file, by a program that does not know the type of such files. */
function isMailFile(contentType: string | false, fileName: string | false): boolean {
  return contentType === 'application/octet-stream' && /\.eml$/i.test(fileName || '');
}

/** Whether parts of this type are mails of their own. */
export function isEmbedded(type: string): boolean {
  return EMBEDDED.has(type);
}

/** Reads a mail and those inside of it; throws UnreadableMail for one over a limit. */
export async function readParts(raw: Buffer): Promise<Part> {
  const root = await readOne(raw);
  const left = { mails: MAX_EMBEDDED_MAILS, bytes: MAX_EMBEDDED_BYTES };
  await readEmbedded(root, left);
  return root;
}

/** mailparser reads mails inside of a mail unless they are encoded or attached; this reads those. */
async function readEmbedded(part: Part, left: { mails: number; bytes: number }): Promise<void> {
  if (
    isEmbedded(part.type) &&
    part.children.length === 0 &&
    left.mails > 0 &&
    left.bytes >= part.content.length
  ) {
    left.mails--;
    left.bytes -= part.content.length;
    const inner = await readOne(part.content).catch(() => null);
    if (inner !== null) part.children.push(inner);
  }
  for (const child of part.children) await readEmbedded(child, left);
}

async function readOne(raw: Buffer): Promise<Part> {
  const parser = new PartsParser();
  const contents = new Map<Headers, Promise<Content>>();
  parser.on('data', (data) => {
    if (data.type === 'attachment') contents.set(data.headers, readContent(data));
  });
  const ended = once(parser, 'end');
  parser.end(withHeaderEnd(raw));
  try {
    await ended;
  } catch (cause) {
    throw new UnreadableMail(reasonOf(cause), { cause });
  }
  const read = new Map<Headers, Content>();
  for (const [headers, content] of contents) read.set(headers, await content);
  if (parser.tree === false) throw new UnreadableMail('The mail is empty.');
  return partOf(parser.tree, null, read);
}

const FIELD = /^(?:[!-9;-~]{1,100}[ \t]*:|>?From )/;

/** The mail with an empty line after its header where a sender forgot it. */
function withHeaderEnd(raw: Buffer): Buffer {
  const lines = raw.toString('latin1', 0, MAIL_LIMITS.maxHeaderBytes).split('\n');
  let at = 0;
  for (const [index, line] of lines.entries()) {
    if (line === '' || line === '\r') return raw;
    // A field may also be wrapped without indentation.
    const isField =
      FIELD.test(line) ||
      (index > 0 &&
        (/^[ \t]/.test(line) || lines.slice(index + 1, index + 4).some((next) => FIELD.test(next))));
    if (!isField) return Buffer.concat([raw.subarray(0, at), Buffer.from('\r\n'), raw.subarray(at)]);
    at += line.length + 1;
  }
  return raw;
}

async function readContent(attachment: AttachmentStream): Promise<Content> {
  const { content, contentType, filename = false } = attachment;
  const isMail = isEmbedded(contentType) || isMailFile(contentType, filename);
  const isBinary = BINARY.test(contentType) && !isMail;
  const isText = !isBinary && !isMail;
  const maxBytes = isBinary ? MAX_TEXT_BYTES : MAIL_LIMITS.maxBytes;
  const chunks: Buffer[] = [];
  let stored = 0;
  content.on('data', (chunk: Buffer) => {
    if (stored < maxBytes) chunks.push(chunk);
    stored += chunk.length;
  });
  await once(content, 'end');
  attachment.release?.();
  const bytes = Buffer.concat(chunks).subarray(0, maxBytes);
  return { bytes: isText ? textOf(bytes) : bytes, size: stored };
}

/** The beginning of a text, in any charset that has ASCII in it, without the files in its `data:` URLs. */
function textOf(bytes: Buffer): Buffer {
  const text = withoutDataUrls(bytes.toString('latin1'));
  return Buffer.from(text.slice(0, MAX_TEXT_BYTES), 'latin1');
}

function partOf(node: MimeNode, parentType: string | null, contents: ReadonlyMap<Headers, Content>): Part {
  const header = readHeader(node.headers, node.headerLines);
  const { params } = header.type;
  const { bytes, size } = contents.get(node.headers) ?? NO_CONTENT;
  const fileName = header.disposition.params['filename'] ?? params['name'] ?? '';
  const isMail = isMailFile(node.contentType, fileName) && FIELD.test(bytes.toString('latin1', 0, 200));
  const type = isMail ? 'message/rfc822' : typeOf(node, parentType);
  return {
    header,
    type,
    params,
    disposition: header.disposition.value.toLowerCase(),
    fileName: fileName === '' ? null : fileName,
    content: bytes,
    size,
    children: node.children.map((child) => partOf(child, type, contents)),
  };
}

// RFC 2046, 5.1.5: the parts of a digest are mails unless they say otherwise.
function typeOf({ contentType, headers }: MimeNode, parentType: string | null): string {
  if (parentType === 'multipart/digest' && !headers.has('content-type')) return 'message/rfc822';
  return contentType !== false && MEDIA_TYPE.test(contentType) ? contentType : 'text/plain';
}

function reasonOf(cause: unknown): string {
  const message = cause instanceof Error ? cause.message : '';
  if (message.includes('header size')) return 'The header of the mail is longer than 100 KiB.';
  if (message.includes('child nodes')) return `The mail has more than ${MAIL_LIMITS.maxParts} parts.`;
  return 'The mail could not be read.';
}
