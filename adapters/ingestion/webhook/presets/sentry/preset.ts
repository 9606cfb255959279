// Sentry: issues, errors and alerts of an internal or public integration. One task per issue, however it is
// heard of. https://docs.sentry.io/organization/integrations/integration-platform/webhooks/
import type { Priority } from '#core/contract/index.ts';
import type { ParsedDelivery } from '#core/domain/delivery.ts';
import type { Preset } from '../preset.ts';
import { entry, field, isObject, items, line, link, raw } from '../read.ts';
import { ignored, key, over, says, USUAL } from '../result.ts';
import { around, excerpt, lines, plain, spoken } from '../text.ts';
import sample from './sample.json' with { type: 'json' };

function issueKey(id: string, ...parts: readonly string[]): string {
  return key('sentry', 'issue', id, ...parts);
}

function actor(body: unknown): string {
  return line(body, 'actor.name', 60) || 'Sentry';
}

/** The level of an event is its priority, one step higher when somebody made a rule for it. */
function levelOf(level: string, ruled: boolean): Priority | undefined {
  const word = level.toLowerCase();
  if (word === 'fatal' || (ruled && (word === 'error' || word === ''))) return 'high';
  return word === 'error' || word === '' || ruled ? USUAL : 'low';
}

function issue(body: unknown, verb: string): ParsedDelivery {
  const about = field(body, 'data.issue');
  const id = raw(about, 'id');
  const event = `issue${around('.', verb)}`;
  const title =
    line(about, ['title', 'metadata.title', 'metadata.value', 'culprit'], 200) || 'An issue without a title';
  const place = line(about, ['project.slug', 'project.name', 'project'], 80);
  const url = link(about, 'web_url', 'permalink');
  const common = {
    tags: ['sentry', place, raw(about, 'level')],
    url,
    metadata: {
      project: place,
      issue: raw(about, 'shortId'),
      culprit: line(about, 'culprit'),
      events: raw(about, 'count'),
      users: raw(about, 'userCount'),
    },
  };
  const where = `${around('', place, ': ')}${title}${around(' (', line(about, 'shortId', 60), ')')}`;
  switch (verb) {
    case 'resolved':
    case 'archived':
    case 'ignored':
      return over(event, issueKey(id), issueKey(id, 'assigned'), issueKey(id, 'comments'));
    case 'assigned':
      return says(event, {
        ...common,
        content: `${actor(body)} assigned ${line(about, ['assignedTo.name', 'assignedTo.email'], 60) || 'somebody'} to ${where}`,
        dedupeKey: issueKey(id, 'assigned'),
      });
    case 'created':
    case 'unresolved': {
      const sub = raw(about, 'substatus');
      const again =
        verb === 'created'
          ? ''
          : (entry({ regressed: ' came back', escalating: ' is escalating' }, sub) ?? ' is open again');
      return says(event, {
        ...common,
        content: again === '' ? where : `${where}${again}`,
        priority: levelOf(raw(about, 'level'), false),
        dedupeKey: issueKey(id),
      });
    }
    default:
      return ignored(event, `An issue was ${spoken(verb) || 'changed'}; nothing to do.`);
  }
}

/** An error, alone or because a rule was triggered. */
function occurrence(about: unknown, event: string, rule: string): ParsedDelivery {
  const id =
    raw(about, 'issue_id') ||
    /\/issues\/(\d{1,20})\//.exec(raw(about, 'issue_url'))?.[1] ||
    raw(about, 'event_id');
  const place =
    line(about, ['project_slug', 'project_name'], 80) ||
    /\/projects\/[^/]{1,80}\/([^/]{1,80})\//.exec(raw(about, 'url'))?.[1] ||
    '';
  const level = raw(about, 'level');
  return says(event, {
    content: lines(
      `${around('', place, ': ')}${line(about, ['title', 'message', 'metadata.value', 'culprit'], 200) || 'An error without a title'}`,
      around('Rule: ', rule),
    ),
    priority: levelOf(level, rule !== ''),
    tags: ['sentry', place, level],
    url: link(about, 'web_url', 'issue_web_url'),
    dedupeKey: issueKey(id),
    metadata: {
      project: place,
      culprit: line(about, ['culprit', 'location']),
      release: line(about, ['release', 'release.version'], 80),
      environment: line(about, 'environment', 80),
      page: link(about, 'request.url'),
    },
  });
}

function metric(body: unknown, verb: string): ParsedDelivery {
  const about = field(body, 'data.metric_alert');
  const event = `metric_alert${around('.', verb)}`;
  const ours = key('sentry', 'metric', raw(about, 'id') || raw(about, 'alert_rule.id'));
  if (verb === 'resolved') return over(event, ours);
  const name =
    line(about, ['alert_rule.name', 'title'], 160) ||
    line(body, 'data.description_title', 160).replace(/^\w+: /, '');
  const projects = items(about, 'alert_rule.projects').slice(0, 10);
  const text = plain(raw(body, 'data.description_text').replaceAll('\\n', '\n'), 600);
  const [first = '', ...more] = text.split('\n');
  return says(event, {
    content: lines(`${name || 'A metric alert'}${around(': ', first)}${around(' (', verb, ')')}`, ...more),
    priority: verb === 'critical' ? 'high' : 'normal',
    tags: ['sentry', 'metric', verb],
    url: link(body, 'data.web_url'),
    dedupeKey: ours,
    metadata: {
      query: line(about, 'alert_rule.query'),
      projects: projects.map((one) => line({ one }, 'one', 80)),
    },
  });
}

function comment(body: unknown, verb: string): ParsedDelivery {
  const event = `comment${around('.', verb)}`;
  if (verb !== 'created') return ignored(event, `A comment was ${verb || 'changed'}.`);
  const said = plain(raw(body, 'data.comment'));
  return says(event, {
    content: lines(
      `${actor(body)} commented on an issue of ${line(body, ['data.project_slug', 'data.project'], 80) || 'Sentry'}`,
      excerpt(said, 300),
    ),
    tags: ['sentry', 'comment'],
    dedupeKey: issueKey(raw(body, 'data.issue_id'), 'comments'),
    metadata: { body: said },
  });
}

function installation(body: unknown, verb: string): ParsedDelivery {
  const org = line(body, 'data.installation.organization.slug', 80) || 'an organisation';
  if (verb !== 'deleted')
    return ignored(
      `installation${around('.', verb)}`,
      `${actor(body)} installed the integration for ${org}; it works.`,
    );
  return says('installation.deleted', {
    content: `${actor(body)} uninstalled the Sentry integration of ${org}; nothing more will come from it`,
    tags: ['sentry'],
    dedupeKey: key('sentry', 'installation', raw(body, 'installation.uuid')),
  });
}

/** What the old plugin for projects sends. */
function fromPlugin(body: unknown): ParsedDelivery {
  const place = line(body, ['project_slug', 'project', 'project_name'], 80);
  return says('event', {
    content: `${around('', place, ': ')}${line(body, ['event.title', 'message', 'event.metadata.value', 'culprit'], 200) || 'An error without a title'}`,
    priority: levelOf(raw(body, 'level'), true),
    tags: ['sentry', place, raw(body, 'level')],
    url: link(body, 'url'),
    dedupeKey: issueKey(raw(body, 'id') || raw(body, 'event.issue_id') || raw(body, 'url')),
    metadata: { project: place, culprit: line(body, 'culprit') },
  });
}

export const sentry: Preset = {
  id: 'sentry',
  title: 'Sentry',
  description:
    'New and returning issues, alerts that were triggered, errors; what is resolved is acknowledged.',
  scheme: 'sentry',
  setup:
    'Open Settings → Developer Settings → Custom Integrations, create an internal integration, paste the address as webhook URL, switch “Alert ' +
    'Rule Action” on, pick the resources, and copy the client secret here.',
  events: (
    'issue issue.created issue.resolved issue.assigned event_alert metric_alert error comment ' +
    'installation'
  ).split(' '),
  read({ value, headers }) {
    if (!isObject(value)) return null;
    const verb = line(value, 'action', 40);
    const named = headers['sentry-hook-resource'] ?? '';
    const has = (path: string): boolean => isObject(field(value, `data.${path}`));
    const resource =
      named ||
      ['issue', 'event', 'metric_alert', 'error', 'installation'].find(has) ||
      (raw(value, 'data.comment') === '' ? '' : 'comment');
    if (resource === 'issue' && has('issue')) return issue(value, verb);
    if ((resource === 'event_alert' || resource === 'event') && has('event'))
      return occurrence(
        field(value, 'data.event'),
        'event_alert.triggered',
        line(value, ['data.triggered_rule', 'data.issue_alert.title'], 120),
      );
    if (resource === 'error' && has('error'))
      return occurrence(field(value, 'data.error'), 'error.created', '');
    if (resource === 'metric_alert' && has('metric_alert')) return metric(value, verb);
    if (resource === 'comment') return comment(value, verb);
    if (resource === 'installation') return installation(value, verb);
    return isObject(field(value, 'event')) && raw(value, 'url') !== '' ? fromPlugin(value) : null;
  },
  sample,
};
