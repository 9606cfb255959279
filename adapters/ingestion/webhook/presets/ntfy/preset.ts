// ntfy: JSON, or plain text with headers. https://docs.ntfy.sh/publish/
import type { Priority } from '#core/contract/index.ts';
import type { Preset } from '../preset.ts';
import { entry, raw } from '../read.ts';
import { key, over, says, USUAL } from '../result.ts';
import { joined } from '#core/text/parts.ts';
import { around, lines, manyLines, oneLine, plain } from '../text.ts';
import { emojiNamed } from '#core/text/emoji.ts';
import { isMessageJson, LEVELS, messageOf, PARAMETERS } from '../ntfy-message.ts';
import sample from './sample.json' with { type: 'json' };

const MAX_CHARACTERS = 4096;

const PRIORITIES: Readonly<Record<number, Priority>> = {
  1: 'low',
  2: 'low',
  3: 'normal',
  4: 'high',
  5: 'high',
};

/** Events of a message that is over. */
const ENDS = new Set(['message_delete', 'message_clear']);

export const ntfy: Preset = {
  id: 'ntfy',
  title: 'ntfy-compatible',
  description:
    'Whatever can publish to ntfy: JSON, or text with the headers Title, Priority, Tags and Click.',
  scheme: 'bearer',
  setup:
    'Use the address instead of the topic’s, and the secret as access token: curl -H "Authorization: Bearer …" -H "Title: Backup" -d "It failed" ADDRESS',
  events: [],
  parameters: PARAMETERS,
  read(payload) {
    const { value } = payload;
    const json = isMessageJson(value);
    const message = messageOf(payload);
    const dedupeKey = message.sequence === '' ? '' : key('ntfy', message.topic, message.sequence);
    if (json && ENDS.has(raw(value, 'event')) && dedupeKey !== '') return over('', dedupeKey);
    const text = message.markdown
      ? plain(message.text, MAX_CHARACTERS)
      : manyLines(message.text, MAX_CHARACTERS);
    const title = oneLine(message.title, 250);
    if (!json && typeof value !== 'string' && title === '') return null;
    const tags = message.tags.slice(0, 20).flatMap((tag) => oneLine(tag, 50) || []);
    const emoji = tags.flatMap((tag) => emojiNamed(tag) || []).slice(0, 3);
    const content = lines(title, text === title ? '' : text);
    const file = oneLine(message.attachment, 300);
    if (content === '' && tags.length === 0 && message.topic === '' && file === '') return null;
    const level = entry(LEVELS, message.priority.trim().toLowerCase());
    const topic = oneLine(message.topic, 50);
    return says('', {
      content: joined(' ', [
        emoji.join(''),
        content || around('File: ', file) || `${topic || 'ntfy'} was triggered`,
      ]),
      priority: level === undefined ? USUAL : PRIORITIES[level],
      tags: [...tags.filter((tag) => emojiNamed(tag) === ''), topic],
      url: message.click,
      dedupeKey,
      replaces: dedupeKey === '' ? undefined : true,
      metadata: { attachment: file, delay: oneLine(message.delay, 100) },
    });
  },
  sample,
};
