// Slack's incoming webhook, so that what can post to Slack can post here. Blocks win over text, as in Slack;
// its mrkdwn becomes plain. https://docs.slack.dev/messaging/formatting-message-text and .../block-kit
import type { Priority } from '#core/contract/index.ts';
import { colourPriority } from '../colour.ts';
import type { Preset } from '../preset.ts';
import { entry, field, isObject, items, jsonIn, line, link, raw } from '../read.ts';
import { says, USUAL } from '../result.ts';
import { around, joined, lines, manyLines, oneLine } from '../text.ts';
import { decodeEntities } from '#core/text/html-entities.ts';
import { withEmoji } from '../emoji.ts';
import sample from './sample.json' with { type: 'json' };

const MAX_CHARACTERS = 4000;
const MAX_PARTS = 100;
const MAX_DEPTH = 8;

/** Slack's mrkdwn, and the Markdown of Mattermost and Rocket.Chat, as plain text. */
function fromMrkdwn(text: string): string {
  const plain = text
    .slice(0, 3 * MAX_CHARACTERS)
    .replace(/<([^<>\n]{1,2000})>/g, (_, inside: string) => reference(inside))
    .replace(/```([^`]{0,4000})```/g, '$1')
    .replace(/`([^`\n]{1,500})`/g, '$1')
    .replace(/\*\*(?=[^\s*])([^*\n]{1,500})\*\*/g, '$1')
    .replace(/(?<!!)\[([^[\]\n]{1,300})\]\(https?:[^()\s]{1,1000}\)/g, '$1')
    .replace(/(?<![\w*])\*(?=[^\s*])([^*\n]{1,500})\*(?![\w*])/g, '$1')
    .replace(/(?<!\w)_(?=[^\s_])([^_\n]{1,500})_(?!\w)/g, '$1')
    .replace(/(?<![\w~])~(?=[^\s~])([^~\n]{1,500})~(?![\w~])/g, '$1')
    .replace(/^(?:&gt;|>){1,3} ?/gm, '');
  return withEmoji(decodeEntities(plain));
}

/** Of a colour by name or as `#RRGGBB`. */
function priorityOf(colour: string): Priority {
  const hex = /^#([0-9a-f]{6})$/i.exec(colour)?.[1];
  const number = hex === undefined ? null : Number.parseInt(hex, 16);
  return entry(COLOURS, colour) ?? colourPriority(number) ?? 'normal';
}

/** What stands between `<` and `>`: a person, a channel, a group, a date or a link. */
function reference(inside: string): string {
  const bar = inside.indexOf('|');
  const [target, label] = bar === -1 ? [inside, ''] : [inside.slice(0, bar), inside.slice(bar + 1)];
  if (target.startsWith('@')) return `@${label.replace(/^@/, '') || target.slice(1)}`;
  if (target.startsWith('#')) return `#${label.replace(/^#/, '') || target.slice(1)}`;
  if (target.startsWith('!date^')) return label || target;
  if (target.startsWith('!')) return label || `@${target.slice(1).split('^')[0] ?? ''}`;
  return label || target.replace(/^mailto:/, '');
}

/** The text of a block, or of an element of one. */
function blockText(block: unknown, depth: number): string {
  if (depth > MAX_DEPTH) return '';
  if (typeof block === 'string') return fromMrkdwn(block);
  const type = raw(block, 'type');
  const inner = (path: string): string[] =>
    items(block, path)
      .slice(0, MAX_PARTS)
      .map((one) => blockText(one, depth + 1));
  switch (type) {
    case 'mrkdwn':
      return fromMrkdwn(raw(block, 'text'));
    case 'plain_text':
      return withEmoji(raw(block, 'text').slice(0, MAX_CHARACTERS));
    case 'header':
      return blockText(field(block, 'text'), depth + 1);
    case 'section':
      return lines(
        blockText(field(block, 'text'), depth + 1),
        ...inner('fields').map((text) => text.replace(/:?\n/, ': ')),
      );
    case 'context':
      return joined(' · ', inner('elements'));
    case 'markdown':
      return fromMrkdwn(raw(block, 'text').replaceAll('**', '*'));
    case 'image':
      return line(block, ['title.text', 'alt_text'], 200);
    case 'rich_text':
    case 'rich_text_list':
      return lines(...inner('elements').map((text) => around(type === 'rich_text_list' ? '- ' : '', text)));
    case 'rich_text_section':
    case 'rich_text_preformatted':
    case 'rich_text_quote':
      return inner('elements').join('');
    case 'text':
      return raw(block, 'text').slice(0, MAX_CHARACTERS);
    case 'link':
      return line(block, ['text', 'url'], 500);
    case 'emoji':
      return withEmoji(`:${raw(block, 'name').slice(0, 60)}:`);
    case 'user':
      return `@${raw(block, 'user_id').slice(0, 40)}`;
    case 'channel':
      return `#${raw(block, 'channel_id').slice(0, 40)}`;
    case 'broadcast':
      return `@${raw(block, 'range').slice(0, 40)}`;
    default:
      return '';
  }
}

/** The texts of the blocks of a message or of an attachment. */
function blocksOf(value: unknown): string[] {
  return items(value, 'blocks')
    .slice(0, MAX_PARTS)
    .map((block) => blockText(block, 0));
}

function attachmentText(attachment: unknown): string {
  const fields = items(attachment, 'fields')
    .slice(0, 20)
    .map((one) => joined(': ', [line(one, 'title', 80), oneLine(fromMrkdwn(raw(one, 'value')), 300)]));
  const parts = ['pretext', 'title', 'text'].map((part) => fromMrkdwn(raw(attachment, part)));
  const whole = lines(...parts, ...fields, ...blocksOf(attachment));
  return whole === '' ? fromMrkdwn(raw(attachment, 'fallback')) : whole;
}

const COLOURS: Readonly<Record<string, Priority>> = { danger: 'high', good: 'low' };

function firstLink(body: unknown, attachments: readonly unknown[]): string {
  const titled = attachments.map((one) => link(one, 'title_link', 'from_url')).find((url) => url !== '');
  if (titled !== undefined) return titled;
  const every = [...items(body, 'blocks'), ...attachments.flatMap((one) => items(one, 'blocks'))];
  const blocks = every.slice(0, MAX_PARTS);
  const buttons = blocks.flatMap((block) => [
    field(block, 'accessory'),
    ...items(block, 'elements').slice(0, 10),
  ]);
  const pressed = buttons.map((button) => link(button, 'url')).find((url) => url !== '');
  const texts = [body, ...blocks.map((block) => field(block, 'text')), ...attachments];
  const written = texts.map((one) => /<(https?:\/\/[^<>|\s]{1,2000})[|>]/.exec(raw(one, 'text'))?.[1]);
  return pressed ?? decodeEntities(written.find((url) => url !== undefined) ?? '');
}

export const slack: Preset = {
  id: 'slack',
  title: 'Slack-compatible',
  description:
    'Whatever can post to an incoming webhook of Slack: text, blocks and attachments as plain text.',
  scheme: 'none',
  setup: 'Wherever a tool asks for a Slack webhook URL, paste the address instead.',
  events: [],
  read({ value }) {
    // Old clients send a form with the JSON in a field.
    const body = jsonIn(value, 'payload') ?? value;
    if (!isObject(body)) return null;
    const attachments = items(body, 'attachments').slice(0, 20);
    const blocks = lines(...blocksOf(body));
    const text = fromMrkdwn(raw(body, 'text'));
    const content =
      manyLines(lines(blocks === '' ? text : blocks, ...attachments.map(attachmentText)), MAX_CHARACTERS) ||
      manyLines(text, MAX_CHARACTERS);
    if (content === '') return null;
    const colours = attachments.map((one) => priorityOf(raw(one, 'color')));
    const channel = line(body, 'channel', 50).replace(/^#/, '');
    return says('', {
      content,
      priority: colours.includes('high')
        ? 'high'
        : colours.length > 0 && colours.every((one) => one === 'low')
          ? 'low'
          : USUAL,
      tags: [line(body, 'username', 50), channel],
      url: firstLink(body, attachments),
    });
  },
  sample,
};
