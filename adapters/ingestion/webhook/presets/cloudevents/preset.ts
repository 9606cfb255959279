// CloudEvents 1.0 over HTTP: structured (one JSON), batched (a list) and binary (attributes in ce- headers).
// https://github.com/cloudevents/spec/blob/v1.0.2/cloudevents/bindings/http-protocol-binding.md
import type { ParsedTask } from '#core/domain/delivery.ts';
import type { Payload, Preset } from '../preset.ts';
import { entries, field, isObject, line, link, raw } from '../read.ts';
import { filled } from '#core/domain/filled.ts';
import { key, severityPriority, task, USUAL } from '../result.ts';
import { around, lines, oneLine, plainHtml, spoken } from '../text.ts';
import sample from './sample.json' with { type: 'json' };

const MAX_EVENTS = 500;

interface CloudEvent {
  /** id, source, type, subject, time and extensions. */
  attributes: unknown;
  data: unknown;
}

function eventsOf({ value, text, headers }: Payload): CloudEvent[] {
  if ((headers['ce-specversion'] ?? '') !== '' || (headers['ce-type'] ?? '') !== '') {
    const named = Object.entries(headers)
      .filter(([name]) => name.startsWith('ce-'))
      .slice(0, 50);
    const attributes = Object.fromEntries(named.map(([name, given]) => [name.slice(3), unescaped(given)]));
    return [{ attributes, data: value ?? text }];
  }
  const list: readonly unknown[] = Array.isArray(value) ? value : [value];
  return list
    .filter((one) => isObject(one) && line(one, 'specversion') !== '' && line(one, 'type') !== '')
    .slice(0, MAX_EVENTS)
    .map((one) => ({ attributes: one, data: field(one, 'data') }));
}

/** Header values are percent-encoded where they are not plain ASCII. */
function unescaped(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}

/** `com.example.shop.order_placed` is “shop order placed”; what has no words, such as `v1`, is “event v1”. */
function spokenType(type: string): string {
  const parts = type.split('.').filter((part) => !/^v\d{1,3}$/.test(part));
  const bare =
    parts.length > 2 && /^(com|org|net|io|dev|de|eu|app|cloud)$/.test(parts[0] ?? '')
      ? parts.slice(2)
      : parts;
  const words = bare
    .join(' ')
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase();
  return spoken(oneLine(words, 120)) || `event ${type}`.trim();
}

/** The values of data that a person can read at a glance. */
function facts(data: unknown, said: string): string[] {
  if (typeof data === 'string') return [oneLine(plainHtml(data), 400)];
  return entries(data, '')
    .filter(([, value]) => ['string', 'number', 'boolean'].includes(typeof value))
    .map(([name, value]) => [
      spoken(oneLine(name, 40)),
      oneLine(typeof value === 'boolean' ? String(value) : raw({ value }, 'value'), 120),
    ])
    .filter(([, value]) => value !== '' && value !== said)
    .slice(0, 6)
    .map(([name, value]) => `${name}: ${value}`);
}

function taskOf({ attributes, data }: CloudEvent): ParsedTask {
  const type = line(attributes, 'type', 200);
  const subject = line(attributes, 'subject', 120);
  const source = line(attributes, 'source', 120);
  const said = line(data, ['message', 'title', 'summary', 'text', 'name', 'description'], 240);
  const severity =
    line(attributes, ['severitytext', 'severity'], 30) || line(data, ['severity', 'level', 'priority'], 30);
  const what = `${spokenType(type)}${subject === '' || said.includes(subject) ? '' : ` ${subject}`}`;
  return task({
    content: lines(
      `${what.charAt(0).toUpperCase()}${what.slice(1)}${around(': ', said)}${around(' (', source, ')')}`,
      ...facts(data, said),
    ),
    priority: severity === '' ? USUAL : severityPriority(severity),
    tags: ['cloudevents'],
    url: link(data, 'html_url', 'web_url', 'url', 'link', 'href') || link(attributes, 'source'),
    dedupeKey: key('cloudevents', raw(attributes, 'source'), raw(attributes, 'id')),
    metadata: { type, source, subject, time: line(attributes, 'time', 40) },
  });
}

export const cloudevents: Preset = {
  id: 'cloudevents',
  title: 'CloudEvents',
  description:
    'Events in the CNCF’s form, one or many: what happened to what, where, and the facts that came along.',
  scheme: 'bearer',
  setup: 'Give your broker or SDK the address as HTTP sink, and the secret as Authorization: Bearer header.',
  events: [],
  read(payload) {
    const events = eventsOf(payload);
    const [first] = events;
    if (first === undefined) return null;
    const type = line(first.attributes, 'type', 100);
    return { tasks: events.map(taskOf), resolves: [], ...filled({ event: type }) };
  },
  sample,
};
