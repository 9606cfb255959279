// GitLab: projects and groups. https://docs.gitlab.com/user/project/integrations/webhook_events/
import { ci } from './ci.ts';
import { code } from './code.ts';
import { home, project, projectKey, who } from './fields.ts';
import { security } from './security.ts';
import { work } from './work.ts';
import type { ParsedDelivery } from '#core/domain/delivery.ts';
import type { Preset } from '../preset.ts';
import { entry, flag, isObject, line, raw } from '../read.ts';
import { says, USUAL } from '../result.ts';
import { around, oneLine, spoken } from '../text.ts';
import sample from './sample.json' with { type: 'json' };

/** A sentence for some of the events that are rarer; else nothing. */
function sentenceOf(body: unknown, kind: string, title: string): string {
  const group = project(body);
  switch (kind) {
    case 'feature_flag':
      return `${who(body)} switched feature flag ${title} ${flag(body, 'object_attributes.active') ? 'on' : 'off'} in ${group}`;
    case 'access_token':
      return `${group}: access token ${title} ends ${line(body, 'object_attributes.expires_at', 40) || 'soon'}`;
    case 'user_add_to_group':
    case 'user_add_to_team':
      return `${title} was added to ${group}${around(' as ', line(body, ['group_access', 'project_access', 'access_level'], 40))}`;
    case 'user_remove_from_group':
    case 'user_remove_from_team':
      return `${title} was removed from ${group}`;
    case 'user_access_request_to_group':
    case 'user_access_request_to_project':
      return `${title} asks to join ${group}`;
    default:
      return '';
  }
}

/** Any other event: `o/r: wiki page create by ada (Home)`. */
function anyOther(body: unknown, kind: string): ParsedDelivery {
  const verb = raw(body, 'object_attributes.action') || raw(body, 'action');
  const paths = [
    'object_attributes.title',
    'object_attributes.name',
    'name',
    'title',
    'user_name',
    'access_token.name',
    'full_path',
    'path',
  ];
  const title = line(body, paths, 160);
  const event = `${kind}${around('.', verb)}`;
  const sentence = sentenceOf(body, kind, title);
  const actor = who(body);
  const past =
    verb === ''
      ? ''
      : ` ${entry({ create: 'created', update: 'updated', delete: 'deleted' }, verb) ?? spoken(verb)}`;
  return says(event, {
    content:
      sentence ||
      `${project(body)}: ${spoken(kind)}${past}${actor === 'Someone' || actor === title ? '' : ` by ${actor}`}${around(' (', title, ')')}`,
    priority: sentence === '' ? 'low' : USUAL,
    tags: ['gitlab', spoken(kind)],
    url: home(body, 'object_attributes.url', 'url', 'web_url', 'wiki.web_url'),
    dedupeKey: projectKey(
      body,
      event,
      raw(body, 'object_attributes.id') || raw(body, 'object_attributes.slug') || title,
    ),
  });
}

const READERS = { ...code, ...work, ...ci, ...security };

export const gitlab: Preset = {
  id: 'gitlab',
  title: 'GitLab',
  description:
    'Pushes, tags, merge requests, failed pipelines and jobs, issues, comments, releases and deployments.',
  scheme: 'gitlab',
  setup:
    'In the project or group open Settings → Webhooks → Add new webhook. Paste the address, put the secret into “Secret token”, and pick ' +
    'the triggers you want to hear of.',
  events: (
    'push tag_push merge_request merge_request.open pipeline pipeline.failed job issue note ' +
    'deployment release vulnerability'
  ).split(' '),
  read({ value }) {
    if (!isObject(value)) return null;
    const kind = raw(value, 'object_kind') || raw(value, 'event_name') || raw(value, 'event_type');
    if (kind === '') return null;
    return (entry(READERS, kind) ?? ((body: unknown) => anyOther(body, oneLine(kind, 60))))(value);
  },
  sample,
};
