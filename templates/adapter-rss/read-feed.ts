// The entries of an RSS (0.9 to 2.0) or Atom (RFC 4287) document. Whatever is in it, only texts come out.
import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { htmlToText } from 'qinbox/adapter';

export interface Entry {
  /** The feed's own name for it. */
  id: string;
  title: string;
  link: string | null;
  /** Its summary, as plain text. */
  text: string;
}

export interface Feed {
  title: string;
  /** At most 500, in the order of the feed: as a rule the latest first. */
  entries: Entry[];
}

/** An element or attribute as the parser gives it. */
type Node = Readonly<Record<string, unknown>>;

const MAX_ENTRIES = 500;
const MAX_TITLE_CHARACTERS = 500;
const MAX_TEXT_CHARACTERS = 4000;

const parser = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: '@',
  removeNSPrefix: true,
  parseTagValue: false,
  trimValues: false,
  // Those of HTML stand in many feeds; entities of a document's own are limited by the parser.
  htmlEntities: true,
});

/** Throws when the document is no feed. `address` is where it came from: relative links start there. */
export function readFeed(xml: string, address: string): Feed {
  const valid = XMLValidator.validate(xml, { allowBooleanAttributes: true });
  if (valid !== true) throw new Error(`the feed is not XML: something is wrong at line ${valid.err.line}`);
  const document = parser.parse(xml) as { rss?: Node; RDF?: Node; feed?: Node };
  const channel = (document.rss?.['channel'] ?? document.RDF?.['channel'] ?? document.feed) as
    | Node
    | undefined;
  if (channel === undefined) throw new Error('the document is XML, but neither RSS nor Atom');
  const items = document.feed?.['entry'] ?? document.RDF?.['item'] ?? channel['item'];
  return {
    title: lineOf(channel['title']),
    entries: listOf(items)
      .slice(0, MAX_ENTRIES)
      .map((item) => entryOf(item, address)),
  };
}

function entryOf(item: Node, address: string): Entry {
  const link = linkOf(item, address);
  const text = plainText(item['summary'] ?? item['description'] ?? item['encoded'] ?? item['content']);
  const title =
    lineOf(item['title']) ||
    text.slice(0, MAX_TITLE_CHARACTERS).split('\n')[0] ||
    link ||
    'An entry without a title';
  const named = [item['guid'], item['id'], item['@about']].map(textOf).find((id) => id !== '');
  // A feed that names nothing has at least a place or a wording for each entry.
  return { id: named ?? link ?? `${title}\n${text}`, title, link, text: text.slice(0, MAX_TEXT_CHARACTERS) };
}

function linkOf(item: Node, address: string): string | null {
  const links = listOf(item['link']);
  const best = links.find((link) => (link['@rel'] ?? 'alternate') === 'alternate') ?? links[0];
  const href = textOf(best?.['@href'] ?? best);
  return href !== '' && URL.canParse(href, address) ? new URL(href, address).href : null;
}

function lineOf(value: unknown): string {
  return plainText(value).replace(/\s+/g, ' ').slice(0, MAX_TITLE_CHARACTERS).trim();
}

/** RSS says nothing of what its texts are, and means HTML; Atom says so. */
function plainText(value: unknown): string {
  const [node] = listOf(value);
  const text = textOf(node);
  const isText = node?.['@type'] === 'text';
  return (isText ? text : htmlToText(text).text).trim();
}

function listOf(value: unknown): Node[] {
  const list: unknown[] = Array.isArray(value) ? value : value === undefined ? [] : [value];
  return list.map((each) => (typeof each === 'object' && each !== null ? (each as Node) : { '#text': each }));
}

/** The text in an element and in those inside of it (XHTML); attributes are not text. */
function textOf(value: unknown): string {
  if (typeof value === 'string') return value.trim();
  if (Array.isArray(value)) return value.map(textOf).join(' ');
  if (typeof value !== 'object' || value === null) return '';
  return Object.entries(value)
    .filter(([name]) => !name.startsWith('@'))
    .map(([, inner]) => textOf(inner))
    .join(' ')
    .trim();
}
