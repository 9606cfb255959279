// ntfy: JSON, or plain text with headers. https://docs.ntfy.sh/publish/
import type { Priority } from '#core/contract/index.ts';
import type { Payload, Preset } from '../preset.ts';
import { entry, field, isObject, items, line, link, raw } from '../read.ts';
import { key, says, USUAL } from '../result.ts';
import { joined, lines, manyLines, oneLine, plain } from '../text.ts';
import { emojiOf } from '../emoji.ts';
import sample from './sample.json' with { type: 'json' };

const MAX_CHARACTERS = 4096;

const PRIORITIES: Readonly<Record<string, Priority>> = {
  '1': 'low',
  '2': 'low',
  '3': 'normal',
  '4': 'high',
  '5': 'high',
  min: 'low',
  low: 'low',
  default: 'normal',
  high: 'high',
  max: 'high',
  urgent: 'high',
};

interface Message {
  topic: string;
  title: string;
  text: string;
  priority: string;
  tags: readonly string[];
  click: string;
  markdown: boolean;
  /** Of messages that replace one another. */
  sequence: string;
}

function fromJson(body: Readonly<Record<string, unknown>>): Message {
  return {
    topic: raw(body, 'topic'),
    title: raw(body, 'title'),
    text: raw(body, 'message'),
    priority: raw(body, 'priority'),
    tags: Array.isArray(body['tags'])
      ? items(body, 'tags').map((tag) => raw({ tag }, 'tag'))
      : raw(body, 'tags').split(','),
    click: link(body, 'click', 'actions.0.url', 'attach'),
    markdown: field(body, 'markdown') === true,
    sequence: raw(body, 'sequence_id'),
  };
}

function fromHeaders({ headers, text }: Payload): Message {
  const one = (...names: string[]): string => {
    const name = names.find((each) => (headers[each] ?? '') !== '');
    return name === undefined ? '' : unencoded(headers[name] ?? '');
  };
  return {
    topic: '',
    title: one('x-title', 'title', 'ti', 't'),
    text: text.trim() === '' ? one('x-message', 'message', 'm') : text,
    priority: one('x-priority', 'priority', 'prio', 'p'),
    tags: one('x-tags', 'tags', 'tag', 'ta').split(','),
    click: link({ click: one('x-click', 'click') }, 'click'),
    markdown: /^(1|yes|true)$/i.test(one('x-markdown', 'markdown', 'md')),
    sequence: one('x-sequence-id', 'sequence-id', 'sid'),
  };
}

/** Headers are ASCII; other letters come as RFC 2047 says, `=?UTF-8?B?…?=`. */
function unencoded(value: string): string {
  const joined = value.slice(0, 4000).replace(/\?=\s{1,10}=\?/g, '?==?');
  return joined.replace(/=\?utf-8\?([bq])\?([^?\s]{0,1000})\?=/gi, (_, how: string, text: string) =>
    how.toLowerCase() === 'b' ? Buffer.from(text, 'base64').toString('utf8') : quoted(text),
  );
}

function quoted(text: string): string {
  const bytes = text
    .replaceAll('_', ' ')
    .replace(/=([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, 'latin1').toString('utf8');
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
  read(payload) {
    const { value } = payload;
    const json =
      isObject(value) && ['message', 'title', 'topic'].some((name) => typeof value[name] === 'string');
    const message = json ? fromJson(value) : fromHeaders(payload);
    const text = message.markdown
      ? plain(message.text, MAX_CHARACTERS)
      : manyLines(message.text, MAX_CHARACTERS);
    const title = oneLine(message.title, 250);
    if (!json && typeof value !== 'string' && title === '') return null;
    const tags = message.tags.slice(0, 20).flatMap((tag) => oneLine(tag, 50) || []);
    const emoji = tags.flatMap((tag) => emojiOf(tag) || []).slice(0, 3);
    const content = lines(title, text === title ? '' : text);
    if (content === '' && tags.length === 0 && message.topic === '') return null;
    const topic = oneLine(message.topic, 50);
    return says('', {
      content: joined(' ', [emoji.join(''), content || `${topic || 'ntfy'} was triggered`]),
      priority: entry(PRIORITIES, message.priority.trim().toLowerCase()) ?? USUAL,
      tags: [...tags.filter((tag) => emojiOf(tag) === ''), topic],
      url: message.click,
      dedupeKey: message.sequence === '' ? '' : key('ntfy', message.topic, message.sequence),
      metadata: { attachment: json ? line(value, ['filename', 'attach'], 300) : '' },
    });
  },
  sample,
};
