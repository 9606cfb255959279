// What monitoring tools send to PagerDuty's Events API, versions 2 and 1. A problem is one task from when it
// is triggered until it is resolved. https://developer.pagerduty.com/docs/send-alert-event
import type { ParsedDelivery } from '#core/domain/delivery.ts';
import type { Metadata } from '#core/domain/task.ts';
import { entry, field, isObject, items, line, link, raw } from '../read.ts';
import { ignored, key, over, says, severityPriority } from '../result.ts';
import { joined } from '#core/text/parts.ts';
import { around, lines, manyLines } from '../text.ts';

const ACTIONS: Readonly<Record<string, 'trigger' | 'acknowledge' | 'resolve'>> = {
  trigger: 'trigger',
  acknowledge: 'acknowledge',
  resolve: 'resolve',
};

/** Null for what is no event. */
export function readEvent(value: unknown): ParsedDelivery | null {
  const isFirst = raw(value, 'service_key') !== '' && raw(value, 'event_type') !== '';
  const action = entry(ACTIONS, raw(value, isFirst ? 'event_type' : 'event_action'));
  if (action === undefined)
    return isObject(field(value, 'payload')) && isChange(value) ? change(value) : null;
  const given = raw(value, isFirst ? 'incident_key' : 'dedup_key');
  const ours = given === '' ? '' : key('pagerduty', 'event', given);
  if (action === 'resolve') return ours === '' ? null : over(action, ours);
  const summary = line(value, ['payload.summary', 'description'], 1024);
  if (action === 'acknowledge')
    return ignored(action, `Somebody is on it${around(': ', summary)}. It stays until it is resolved.`);
  if (summary === '') return null;
  const source = line(value, 'payload.source', 200);
  const parts = ['payload.component', 'payload.group', 'payload.class'].map((path) => line(value, path, 80));
  const about = joined(' · ', [...new Set([source, ...parts, line(value, 'client', 80)])]);
  return says(action, {
    content: lines(summary, about),
    priority: isFirst ? 'high' : severityPriority(raw(value, 'payload.severity')),
    tags: [line(value, 'payload.component', 50), line(value, 'payload.group', 50)],
    url: link(value, 'links.0.href', 'client_url', 'contexts.0.href'),
    dedupeKey: ours,
    metadata: detailsOf(value, isFirst),
  });
}

/** A change that was made: good to know, with nothing to resolve. */
function change(value: unknown): ParsedDelivery {
  return says('change', {
    content: lines(line(value, 'payload.summary', 1024), line(value, 'payload.source', 200)),
    priority: 'low',
    url: link(value, 'links.0.href'),
  });
}

function isChange(value: unknown): boolean {
  return line(value, 'payload.summary') !== '' && raw(value, 'event_action') === '';
}

function detailsOf(value: unknown, isFirst: boolean): Metadata {
  const details = field(value, isFirst ? 'details' : 'payload.custom_details');
  const links = items(value, 'links')
    .slice(0, 10)
    .map((each) => joined(' ', [line(each, 'text', 100), link(each, 'href')]));
  return {
    severity: line(value, 'payload.severity', 20),
    links: links.filter((each) => each !== ''),
    ...(typeof details === 'string' ? { details: manyLines(details, 2000) } : {}),
  };
}
