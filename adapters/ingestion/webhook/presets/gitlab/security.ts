// GitLab's vulnerabilities: each is one task until it is dismissed or resolved.
import { field, items, line, link, raw } from '../read.ts';
import { key, over, says, severityPriority } from '../result.ts';
import { around, plain, spoken } from '../text.ts';
import { called, project, type EventReader } from './fields.ts';

const vulnerability: EventReader = (body) => {
  const it = field(body, 'object_attributes');
  const url = link(it, 'url');
  const state = line(it, 'state', 40);
  const event = `vulnerability${around('.', state)}`;
  // The event has no project but in the address.
  const place = /^https?:\/\/[^/]+\/(.{1,200}?)\/-\//.exec(url)?.[1] ?? project(body);
  const ours = key('gitlab', 'vulnerability', url || called(it, 'title'));
  if (state === 'dismissed' || state === 'resolved') return over(event, ours);
  const severity = line(it, 'severity', 40);
  const file = line(it, 'location.file', 120);
  return says(event, {
    content: `${place}: ${called(it, 'title') || 'a vulnerability'}${around(' in ', file)} (${severity || 'unknown'} severity)`,
    priority: severityPriority(severity),
    tags: ['gitlab', 'security', spoken(raw(it, 'report_type'))],
    url,
    dedupeKey: ours,
    metadata: {
      project: place,
      package: line(it, 'location.dependency.package.name', 120),
      identifiers: items(it, 'identifiers')
        .slice(0, 10)
        .map((one) => line(one, 'name', 80)),
      body: plain(raw(it, 'description'), 2000),
    },
  });
};

export const security: Readonly<Record<string, EventReader>> = { vulnerability };
