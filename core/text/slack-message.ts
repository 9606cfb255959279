// What a message of Slack shows, as text: its blocks and attachments. Reads any JSON and throws nothing.
// https://docs.slack.dev/reference/block-kit/blocks and .../messaging/formatting-message-text
import { emojiNamed, withTone } from './emoji.ts';
import { joined, utcMinute } from './parts.ts';
import type { SlackReferences } from './slack-mrkdwn.ts';

/** How those parts of a message are written whose form is a matter of taste. */
export interface SlackReading extends SlackReferences {
  /** Text in Slack's markup. */
  mrkdwn: (text: string) => string;
  /** Text without markup. */
  plain: (text: string) => string;
}

/** Of one part; Slack allows 3,000 in most. */
const MAX_CHARACTERS = 10_000;
const MAX_LABEL = 200;
const MAX_NAME = 60;
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
    const characters = part['type'] === 'emoji' ? charactersOf(part['unicode']) : '';
    if (characters !== '') found.set(withTone(textOf(part['name'], MAX_NAME), characters), characters);
    if (depth < MAX_DEPTH) for (const inner of parts(part['elements'])) seek(inner, depth + 1);
  };
  for (const block of parts(blocks)) seek(block, 0);
  return found;
}

/** The text of a block, or of an element of one. */
function blockText(block: Part, reading: SlackReading, depth: number): string {
  if (depth > MAX_DEPTH) return '';
  const all = (inside: unknown): string[] => parts(inside).map((one) => blockText(one, reading, depth + 1));
  const { type, text, elements } = block;
  switch (type) {
    case 'mrkdwn':
      return reading.mrkdwn(textOf(text));
    case 'plain_text':
      return reading.plain(textOf(text));
    case 'markdown':
      return reading.mrkdwn(textOf(text).replaceAll('**', '*'));
    case 'text':
    case 'raw_text':
      return textOf(text);
    case 'context':
      return joined(' · ', all(elements));
    case 'table':
      return joined(
        '\n',
        lists(block['rows']).map((row) => joined(' | ', all(row))),
      );
    case 'image':
      return joined('', all([block['title'] ?? ''])) || textOf(block['alt_text'], MAX_LABEL);
    case 'rich_text_list':
      return joined('\n', listItems(block, all(elements)));
    case 'rich_text_section':
    case 'rich_text_preformatted':
    case 'rich_text_quote':
      return joined('', all(elements));
    default:
      if (UNSAID.has(textOf(type))) return '';
      return (
        referenceText(block, reading) ||
        joined('\n', [
          ...all(WORDS.flatMap((name) => block[name] ?? [])),
          ...all(block['fields']).map((field) => field.replace(/:?\n/, ': ')),
          ...all(elements),
        ])
      );
  }
}

/** What is there to be pressed or filled in. */
const UNSAID: ReadonlySet<string> = new Set(['actions', 'context_actions', 'input', 'button', 'file']);
/** Where a header, a section, an alert, a card, a video and what else there may be has its words. */
const WORDS = ['title', 'subtitle', 'text', 'body', 'description', 'details', 'output'];

function listItems({ style, indent, offset }: Part, items: readonly string[]): string[] {
  const margin = '  '.repeat(Math.min(Number(indent) || 0, MAX_DEPTH));
  const first = (Number(offset) || 0) + 1;
  return items.map((item, at) =>
    item === '' ? '' : `${margin}${style === 'ordered' ? `${first + at}.` : '-'} ${item}`,
  );
}

/** An element of rich text that stands for something; empty for any other. */
function referenceText(element: Part, reading: SlackReading): string {
  const name = (key: string): string => textOf(element[key], MAX_NAME);
  switch (element['type']) {
    case 'link':
      return reading.link(textOf(element['url']), textOf(element['text'], MAX_LABEL));
    case 'emoji':
      return charactersOf(element['unicode']) || emojiNamed(name('name')) || `:${name('name')}:`;
    case 'user':
      return reading.person(name('user_id'));
    case 'usergroup':
      return `@${name('usergroup_id')}`;
    case 'channel':
      return `#${name('channel_id')}`;
    case 'broadcast':
      return `@${name('range')}`;
    case 'date':
      return name('fallback') || dateOf(element['timestamp']);
    case 'color':
      return name('value');
    default:
      return '';
  }
}

/** `2026-11-21 09:30 UTC`; empty for what is no time. */
function dateOf(seconds: unknown): string {
  const at = new Date(typeof seconds === 'number' ? seconds * 1000 : Number.NaN);
  return Number.isNaN(at.getTime()) ? '' : utcMinute(at.getTime());
}

/** Characters by their code points (`1f44b-1f3fb`), as Slack has those of an emoji; empty for all else. */
function charactersOf(unicode: unknown): string {
  const codes = textOf(unicode, MAX_NAME);
  if (!/^[0-9a-f]{2,6}(-[0-9a-f]{2,6})*$/i.test(codes)) return '';
  const points = codes.split('-').map((code) => Number.parseInt(code, 16));
  return points.every((point) => point >= 0x20 && point <= 0x10_ffff)
    ? String.fromCodePoint(...points).toWellFormed()
    : '';
}

function textOf(value: unknown, limit = MAX_CHARACTERS): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value).slice(0, limit) : '';
}

/** The first of a list; none of anything else. */
function lists(value: unknown): unknown[] {
  return Array.isArray(value) ? value.slice(0, MAX_PARTS) : [];
}

function parts(value: unknown): Part[] {
  return lists(value).map(partOf);
}

/** A text among blocks counts as mrkdwn. */
function partOf(value: unknown): Part {
  if (typeof value === 'string') return { type: 'mrkdwn', text: value };
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Part) : {};
}
