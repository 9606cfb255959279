// What a message of Slack shows, as text: its blocks and attachments. Reads any JSON and throws nothing.
// https://docs.slack.dev/reference/block-kit/blocks and https://docs.slack.dev/messaging/formatting-message-text
import { emojiNamed } from './emoji.ts';

/** How those parts of a message are written whose form is a matter of taste. */
export interface SlackReading {
  /** Text in Slack's markup. */
  mrkdwn: (text: string) => string;
  /** Text without markup. */
  plain: (text: string) => string;
  /** A person, by id. */
  person: (id: string) => string;
  /** A link; its label is empty where it has none. */
  link: (url: string, label: string) => string;
}

/** Of one part; Slack allows 3,000 in most. */
const MAX_CHARACTERS = 10_000;
const MAX_LABEL = 200;
const MAX_NAME = 60;
const MAX_URL = 2000;
const MAX_PARTS = 100;
const MAX_FIELDS = 20;
const MAX_DEPTH = 8;

/** What Slack says where a message shows nothing that it has words for. */
const PLACEHOLDERS = new Set(['[no preview available]', 'This content can’t be displayed.']);

type Part = Readonly<Record<string, unknown>>;

/** The texts of a message's or an attachment's `blocks`, without those that show none. */
export function slackBlocks(blocks: unknown, reading: SlackReading): string[] {
  return parts(blocks)
    .map((block) => blockText(block, reading, 0))
    .filter((text) => text !== '');
}

/** An attachment with its fields and blocks; its `fallback` only where it has nothing else. */
export function slackAttachment(attachment: unknown, reading: SlackReading): string {
  const { pretext, title, text, fields, blocks, fallback } = partOf(attachment);
  const pairs = parts(fields)
    .slice(0, MAX_FIELDS)
    .map((field) =>
      joined(': ', [
        textOf(field['title'], MAX_LABEL).trim(),
        reading.mrkdwn(textOf(field['value'])).replace(/\s+/g, ' ').trim(),
      ]),
    );
  const said = [pretext, title, text].map((part) => reading.mrkdwn(textOf(part)));
  return (
    joined('\n', [...said, ...pairs, ...slackBlocks(blocks, reading)]) || slackFallback(fallback, reading)
  );
}

/** The text for where blocks cannot be shown; empty where it is Slack's own word for that. */
export function slackFallback(text: unknown, reading: SlackReading): string {
  const said = textOf(text);
  return PLACEHOLDERS.has(said.replace("'", '’')) ? '' : reading.mrkdwn(said);
}

/** The emoji of `blocks` by the names that stand for them in the message's text, with their skin tone. */
export function slackEmoji(blocks: unknown): Map<string, string> {
  const found = new Map<string, string>();
  const seek = (part: Part, depth: number): void => {
    const name = textOf(part['name'], MAX_NAME);
    if (part['type'] === 'emoji' && charactersOf(part['unicode']) !== '')
      found.set(withTone(name, part['skin_tone']), charactersOf(part['unicode']));
    if (depth < MAX_DEPTH) for (const inner of parts(part['elements'])) seek(inner, depth + 1);
  };
  for (const block of parts(blocks)) seek(block, 0);
  return found;
}

/** The text of a block, or of an element of one. */
function blockText(block: Part, reading: SlackReading, depth: number): string {
  if (depth > MAX_DEPTH) return '';
  const all = (inside: unknown): string[] => parts(inside).map((one) => blockText(one, reading, depth + 1));
  const text = textOf(block['text']);
  switch (block['type']) {
    case 'mrkdwn':
      return reading.mrkdwn(text);
    case 'plain_text':
      return reading.plain(text);
    case 'header':
      return joined('', all([block['text']]));
    case 'section':
      return joined('\n', [
        ...all([block['text']]),
        ...all(block['fields']).map((field) => field.replace(/:?\n/, ': ')),
      ]);
    case 'context':
      return joined(' · ', all(block['elements']));
    case 'markdown':
      return reading.mrkdwn(text.replaceAll('**', '*'));
    case 'image':
      return textOf(partOf(block['title'])['text'], MAX_LABEL) || textOf(block['alt_text'], MAX_LABEL);
    case 'rich_text':
      return joined('\n', all(block['elements']));
    case 'rich_text_list':
      return joined(
        '\n',
        all(block['elements']).map((item) => (item === '' ? '' : `- ${item}`)),
      );
    case 'rich_text_section':
    case 'rich_text_preformatted':
    case 'rich_text_quote':
      return joined('', all(block['elements']));
    case 'text':
      return text;
    default:
      return referenceText(block, reading);
  }
}

/** An element that stands for something. */
function referenceText(element: Part, reading: SlackReading): string {
  const name = (key: string): string => textOf(element[key], MAX_NAME);
  switch (element['type']) {
    case 'link':
      return reading.link(textOf(element['url'], MAX_URL), textOf(element['text'], MAX_LABEL));
    case 'emoji':
      return charactersOf(element['unicode']) || emojiNamed(name('name')) || `:${name('name')}:`;
    case 'user':
      return reading.person(name('user_id'));
    case 'channel':
      return `#${name('channel_id')}`;
    case 'broadcast':
      return `@${name('range')}`;
    default:
      return '';
  }
}

/** Characters by their code points (`1f44b-1f3fb`), as Slack gives those of an emoji; empty for anything else. */
function charactersOf(unicode: unknown): string {
  const codes = textOf(unicode, MAX_NAME);
  if (!/^[0-9a-f]{2,6}(-[0-9a-f]{2,6})*$/i.test(codes)) return '';
  const points = codes.split('-').map((code) => Number.parseInt(code, 16));
  return points.every((point) => point >= 0x20 && point <= 0x10_ffff)
    ? String.fromCodePoint(...points).toWellFormed()
    : '';
}

function withTone(name: string, tone: unknown): string {
  return typeof tone === 'number' ? `${name}::skin-tone-${tone}` : name;
}

function joined(separator: string, texts: readonly string[]): string {
  return texts.filter((text) => text !== '').join(separator);
}

function textOf(value: unknown, limit = MAX_CHARACTERS): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value).slice(0, limit) : '';
}

/** The first objects of a list; none of anything else. */
function parts(value: unknown): Part[] {
  return Array.isArray(value) ? value.slice(0, MAX_PARTS).map(partOf) : [];
}

/** A text among blocks counts as mrkdwn. */
function partOf(value: unknown): Part {
  if (typeof value === 'string') return { type: 'mrkdwn', text: value };
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Part) : {};
}
