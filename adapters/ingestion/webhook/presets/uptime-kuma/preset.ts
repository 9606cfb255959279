// Uptime Kuma: a monitor that is down is one task until it is up. Its form is that of
// server/notification-providers/webhook.js there.
import type { ParsedDelivery } from '#core/domain/delivery.ts';
import type { Preset } from '../preset.ts';
import { field, isObject, items, jsonIn, line, link, number, raw } from '../read.ts';
import { ignored, key, over, says } from '../result.ts';
import { around, oneLine } from '../text.ts';
import sample from './sample.json' with { type: 'json' };

const DOWN = 0;
const UP = 1;

function beat(body: unknown): ParsedDelivery {
  const name =
    line(body, ['monitor.pathName', 'monitor.name'], 120) || `Monitor ${raw(body, 'heartbeat.monitorID')}`;
  const id = raw(body, 'monitor.id') || raw(body, 'heartbeat.monitorID') || raw(body, 'heartbeat.monitor_id');
  const ours = key('uptime-kuma', id, raw(body, 'monitor.name'));
  const status = number(body, 'heartbeat.status');
  if (status === UP) return over('up', ours);
  if (status !== DOWN)
    return ignored(
      status === 3 ? 'maintenance' : 'pending',
      `${name} is ${status === 3 ? 'under maintenance' : 'being tried again'}.`,
    );
  const tags = items(body, 'monitor.tags').slice(0, 4);
  return says('down', {
    content: `${name} is down${around(': ', line(body, 'heartbeat.msg', 300))}`,
    priority: 'high',
    tags: ['uptime-kuma', ...tags.map((tag) => line(tag, 'name', 50))],
    url: target(body),
    dedupeKey: ours,
    metadata: {
      monitor: name,
      host: line(body, 'monitor.hostname', 120),
      since: line(body, ['heartbeat.localDateTime', 'heartbeat.time'], 40),
      timezone: line(body, 'heartbeat.timezone', 40),
    },
  });
}

/** A monitor without an address has a bare `https://`, which leads nowhere. */
function target(body: unknown): string {
  const found = link(body, 'monitor.url');
  return /^https?:\/\/$/.test(found) ? '' : found;
}

export const uptimeKuma: Preset = {
  id: 'uptime-kuma',
  title: 'Uptime Kuma',
  description: 'A task for each monitor that is down; it is acknowledged when the monitor is up again.',
  scheme: 'bearer',
  setup:
    'Open Settings → Notifications → Setup Notification, choose Webhook, paste the address, take the preset body application/json, and add ' +
    'the header Authorization: Bearer with the secret under “Additional Headers”.',
  events: ['down', 'up', 'notice'],
  read({ value }) {
    // With content type form-data the JSON is in a field.
    const body = jsonIn(value, 'data') ?? value;
    if (!isObject(body)) return null;
    if (isObject(field(body, 'heartbeat'))) return beat(body);
    const said = line(body, 'msg', 400);
    if (said === '') return null;
    if (/\bTesting$/.test(said)) return ignored('test', `Uptime Kuma is trying it out: ${said}`);
    // Certificates that end soon: the days left are not part of what it is about.
    return says('notice', {
      content: said.replace(/^\[([^\]]{1,120})\]\[[^\]]{1,300}\] /, '$1: '),
      tags: ['uptime-kuma'],
      url: target(body) || (/https?:\/\/[^\s\]]{1,500}/.exec(said)?.[0] ?? ''),
      dedupeKey: key('uptime-kuma', 'notice', oneLine(said.replace(/\d+/g, '#'))),
    });
  },
  sample,
};
