// PagerDuty, webhooks version 3, and what others send to its Events API (events.ts). An incident is one task
// from when it is triggered until it is resolved, even if somebody acknowledges it there.
// https://developer.pagerduty.com/docs/webhooks-overview
import type { Priority } from '#core/contract/index.ts';
import type { ParsedDelivery } from '#core/domain/delivery.ts';
import type { Preset } from '../preset.ts';
import { field, isObject, items, line, link, raw } from '../read.ts';
import { ignored, key, over, says } from '../result.ts';
import { joined } from '#core/text/parts.ts';
import { around, excerpt, lines, plain, spoken } from '../text.ts';
import { readEvent } from './events.ts';
import sample from './sample.json' with { type: 'json' };

/** Verbs after which an incident wants attention (again), and how that is said. */
const WANTED = new Map([
  ['triggered', ''],
  ['reopened', 'opened again'],
  ['unacknowledged', 'nobody is on it any more'],
  ['escalated', 'escalated'],
  ['delegated', 'handed to others'],
  ['reassigned', 'reassigned'],
  ['priority_updated', 'new priority'],
]);

function incident(event: unknown, type: string, verb: string): ParsedDelivery {
  const about = field(event, 'data');
  const id = raw(about, 'id');
  const ours = key('pagerduty', id);
  const title = line(about, ['title', 'summary'], 200) || 'An incident without a title';
  if (verb === 'resolved') return over(type, ours, key(ours, 'notes'));
  const who = line(event, 'agent.summary', 60);
  if (verb === 'acknowledged')
    return ignored(type, `${who || 'Somebody'} is on it: ${title}. It stays until it is resolved.`);
  const how = WANTED.get(verb);
  if (how === undefined) return ignored(type, `The incident was changed (${spoken(verb)}); nothing to do.`);
  const rank = line(about, 'priority.summary', 20);
  const service = line(about, 'service.summary', 80);
  const assignees = items(about, 'assignees').slice(0, 5);
  const assigned = assignees.map((one) => line(one, 'summary', 60));
  return says(type, {
    content: lines(
      `${around('', rank, ': ')}${title}${around(' (', joined(', ', [service, how]), ')')}`,
      around('Assigned to ', assigned.join(', ')),
    ),
    priority: priorityOf(raw(about, 'urgency'), rank),
    tags: ['pagerduty', rank, line(about, 'service.summary', 50)],
    url: link(about, 'html_url'),
    dedupeKey: ours,
    metadata: {
      number: raw(about, 'number'),
      service,
      by: who,
      call: line(about, 'conference_bridge.conference_url', 300),
    },
  });
}

function priorityOf(urgency: string, rank: string): Priority {
  if (urgency === 'low') return /^P[12]$/.test(rank) ? 'normal' : 'low';
  return /^P[45]$/.test(rank) ? 'normal' : 'high';
}

/** What was said about an incident, and who was asked to help. */
function aside(event: unknown, type: string): ParsedDelivery | null {
  const about = field(event, 'data');
  const ours = key('pagerduty', raw(about, 'incident.id'));
  const title = line(about, 'incident.summary', 160) || 'an incident';
  const who = line(event, 'agent.summary', 60) || 'Somebody';
  const common = { tags: ['pagerduty'], url: link(about, 'incident.html_url', 'html_url') };
  if (type === 'incident.annotated' || type === 'incident.status_update_published') {
    const said = plain(raw(about, 'content') || raw(about, 'message'));
    return says(type, {
      ...common,
      content: lines(
        `${who} ${type.endsWith('annotated') ? 'commented on' : 'gave an update on'} “${title}”`,
        excerpt(said, 300),
      ),
      dedupeKey: key(ours, 'notes'),
      metadata: { body: said },
    });
  }
  if (type === 'incident.responder.added') {
    const asked = line(about, ['user.summary', 'escalation_policy.summary'], 60) || 'somebody';
    return says(type, {
      ...common,
      content: lines(`${who} asked ${asked} to help with “${title}”`, excerpt(raw(about, 'message'), 300)),
      priority: 'high',
      dedupeKey: key(ours, 'responder', asked),
    });
  }
  if (type.startsWith('incident.'))
    return ignored(type, `About ${title}: ${spoken(type.slice('incident.'.length))}.`);
  return null;
}

export const pagerduty: Preset = {
  id: 'pagerduty',
  title: 'PagerDuty',
  description:
    'Incidents that are triggered, escalated or reassigned, notes and requests for help; what is resolved is acknowledged.',
  scheme: 'hmac-sha256',
  options: { header: 'X-PagerDuty-Signature', encoding: 'hex', prefix: 'v1=' },
  setup:
    'Open Integrations → Generic Webhooks (v3) → New Webhook, paste the address and pick the events. Copy the secret here.',
  events: (
    'incident.triggered incident.acknowledged incident.resolved incident.escalated ' +
    'incident.reassigned incident.reopened incident.annotated incident.responder.added ' +
    'incident.status_update_published incident.priority_updated'
  ).split(' '),
  read({ value }) {
    const sent = readEvent(value);
    if (sent !== null) return sent;
    const event = field(value, 'event');
    const type = line(event, 'event_type', 80);
    if (!isObject(event) || type === '') return null;
    if (type === 'pagey.ping') return ignored(type, 'PagerDuty says hello. The webhook works.');
    if (raw(event, 'data.type') === 'incident') return incident(event, type, type.replace(/^incident\./, ''));
    const other = aside(event, type);
    if (other !== null) return other;
    return says(type, {
      content: `PagerDuty: ${spoken(type)}${around(' by ', line(event, 'agent.summary', 60))}${around(' (', line(event, ['data.summary', 'data.name', 'data.service.summary'], 160), ')')}`,
      priority: 'low',
      tags: ['pagerduty'],
      url: link(event, 'data.html_url', 'data.service.html_url'),
      dedupeKey: key('pagerduty', type, raw(event, 'data.id') || raw(event, 'data.service.id')),
    });
  },
  sample,
};
