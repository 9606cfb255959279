// Slack's incoming webhook, so that what can post to Slack can post here. Blocks win over text, as in Slack;
// its mrkdwn becomes plain. https://docs.slack.dev/messaging/formatting-message-text and .../block-kit
import type { Priority } from '#core/contract/index.ts';
import { colourPriority } from '../colour.ts';
import type { Preset } from '../preset.ts';
import { entry, field, isObject, items, jsonIn, line, link, raw } from '../read.ts';
import { says, USUAL } from '../result.ts';
import { lines, manyLines } from '../text.ts';
import { decodeEntities } from '#core/text/html-entities.ts';
import { withEmoji } from '#core/text/emoji.ts';
import { slackAttachment, slackBlocks, type SlackReading } from '#core/text/slack-message.ts';
import { withoutMrkdwn, type SlackReferences } from '#core/text/slack-mrkdwn.ts';
import sample from './sample.json' with { type: 'json' };

const MAX_CHARACTERS = 4000;
const MAX_PARTS = 100;

const REFERENCES: SlackReferences = { person: (id) => `@${id}`, link: (url, label) => label || url };

/** Slack's mrkdwn, and the Markdown of Mattermost and Rocket.Chat, as plain text. */
function fromMrkdwn(text: string): string {
  const mrkdwn = text
    .slice(0, 3 * MAX_CHARACTERS)
    .replace(/\*\*(?=[^\s*])([^*\n]{1,500})\*\*/g, '$1')
    .replace(/(?<!!)\[([^[\]\n]{1,300})\]\(https?:[^()\s]{1,1000}\)/g, '$1');
  return decodeEntities(withoutMrkdwn(mrkdwn, REFERENCES));
}

/** Of a colour by name or as `#RRGGBB`. */
function priorityOf(colour: string): Priority {
  const hex = /^#([0-9a-f]{6})$/i.exec(colour)?.[1];
  const number = hex === undefined ? null : Number.parseInt(hex, 16);
  return entry(COLOURS, colour) ?? colourPriority(number) ?? 'normal';
}

const READING: SlackReading = {
  mrkdwn: fromMrkdwn,
  plain: (text) => withEmoji(text),
  ...REFERENCES,
};

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
    const blocks = lines(...slackBlocks(field(body, 'blocks'), READING));
    const text = fromMrkdwn(raw(body, 'text'));
    const content =
      manyLines(
        lines(blocks === '' ? text : blocks, ...attachments.map((one) => slackAttachment(one, READING))),
        MAX_CHARACTERS,
      ) || manyLines(text, MAX_CHARACTERS);
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
