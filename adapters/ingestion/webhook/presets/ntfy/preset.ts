// ntfy: JSON, or plain text with headers. https://docs.ntfy.sh/publish/
import type { Priority } from '#core/contract/index.ts';
import type { ParsedDelivery } from '#core/domain/delivery.ts';
import { filled } from '#core/domain/filled.ts';
import type { Payload, Preset } from '../preset.ts';
import { entry, raw } from '../read.ts';
import { key, over, says, USUAL } from '../result.ts';
import { joined } from '#core/text/parts.ts';
import { around, labelledLink, lines, manyLines, oneLine, plain } from '../text.ts';
import { emojiNamed } from '#core/text/emoji.ts';
import { alertmanager } from '../alertmanager/preset.ts';
import { github } from '../github/preset.ts';
import { grafana } from '../grafana/preset.ts';
import { isMessageJson, LEVELS, messageOf, PARAMETERS, templateOf, type Message } from '../ntfy-message.ts';
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

/** ntfy's own templates, by the presets that read the same payloads: they also close what is resolved. */
const TEMPLATES: Readonly<Record<string, Preset>> = { alertmanager, github, grafana };

/** What a named template would show, with the message's own priority, tags and link. */
function byTemplate(payload: Payload, { template, priority, tags, click }: Message): ParsedDelivery | null {
  const reading = entry(TEMPLATES, template)?.read(payload) ?? null;
  if (reading === null) return null;
  const level = entry(LEVELS, priority.trim().toLowerCase());
  const named = tags.slice(0, 20).flatMap((tag) => (emojiNamed(tag) === '' ? oneLine(tag, 50) || [] : []));
  const tasks = reading.tasks.map((task) => ({
    ...task,
    tags: [...(task.tags ?? []), ...named],
    ...filled({ priority: level === undefined ? task.priority : PRIORITIES[level], url: click || task.url }),
  }));
  return { ...reading, tasks };
}

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
    const message = messageOf(payload);
    if (message.template !== '') return byTemplate(payload, message);
    const json = templateOf(payload) === '' && isMessageJson(value);
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
    const isNothing = content === '' && tags.length === 0 && message.topic === '' && file === '';
    if (isNothing && !json) return null;
    const level = entry(LEVELS, message.priority.trim().toLowerCase());
    const topic = oneLine(message.topic, 50);
    return says('', {
      content: joined(' ', [
        emoji.join(''),
        content || around('File: ', file) || `${topic || 'ntfy'} was triggered`,
      ]),
      priority: level === undefined ? USUAL : PRIORITIES[level],
      tags: [...tags.filter((tag) => emojiNamed(tag) === ''), topic],
      url: message.click || (message.markdown ? labelledLink(message.text) : ''),
      dedupeKey,
      replaces: dedupeKey === '' ? undefined : true,
      metadata: {
        attachment: file,
        attachmentBytes: message.attachmentBytes,
        delay: oneLine(message.delay, 100),
      },
    });
  },
  sample,
};
