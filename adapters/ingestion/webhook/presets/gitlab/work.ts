// GitLab's merge requests, issues and incidents, each one task until it is closed or merged, and comments.
import type { ParsedDelivery } from '#core/domain/delivery.ts';
import { entry, field, flag, items, line, raw } from '../read.ts';
import { ignored, over, says, severityPriority, USUAL } from '../result.ts';
import { around, excerpt, lines, plain, spoken } from '../text.ts';
import { called, home, project, projectKey, who, type EventReader } from './fields.ts';

const mergeRequest: EventReader = (body) => {
  const given = field(body, 'object_attributes');
  const verb = raw(given, 'action');
  const event = `merge_request${around('.', verb)}`;
  const iid = raw(given, 'iid');
  const what = `merge request !${iid} in ${project(body)}${around(': ', called(given, 'title'))}`;
  const draft = flag(given, 'draft') || flag(given, 'work_in_progress');
  const keys = (...parts: readonly string[]): string => projectKey(body, `!${iid}`, ...parts);
  const reviewers = items(body, 'reviewers').slice(0, 20);
  const common = {
    tags: ['gitlab', 'merge request'],
    url: home(body, 'object_attributes.url'),
    metadata: {
      project: project(body),
      number: iid,
      branch: called(given, 'source_branch'),
      into: called(given, 'target_branch'),
      body: plain(raw(given, 'description')),
    },
  };
  switch (verb) {
    case 'open':
    case 'reopen':
      return says(event, {
        ...common,
        content: `${who(body)} ${verb}ed ${draft ? 'draft ' : ''}${what}`,
        priority: draft ? 'low' : USUAL,
        dedupeKey: keys(),
      });
    case 'approved':
    case 'approval':
      return says(event, {
        ...common,
        content: `${who(body)} approved ${what}`,
        dedupeKey: keys('approved'),
      });
    case 'unapproved':
    case 'unapproval':
      return over(event, keys('approved'));
    case 'close':
    case 'merge':
      return over(
        event,
        keys(),
        keys('approved'),
        keys('comments'),
        ...reviewers.map((one) => keys('review', raw(one, 'username') || raw(one, 'name'))),
      );
    case 'update':
      return updated();
    default:
      return ignored(
        event,
        `Merge request !${iid} was changed (${spoken(verb) || 'no verb'}); nothing to do.`,
      );
  }

  function updated(): ParsedDelivery {
    const before = new Set(items(body, 'changes.reviewers.previous').map((one) => raw(one, 'username')));
    const asked = items(body, 'changes.reviewers.current').filter((one) => !before.has(raw(one, 'username')));
    if (asked.length > 0)
      return {
        tasks: asked.slice(0, 20).flatMap((one) => {
          const name = raw(one, 'username') || raw(one, 'name');
          const content = `${who(body)} asked ${line(one, ['name', 'username'], 60)} to review ${what}`;
          return says(event, { ...common, content, dedupeKey: keys('review', name) }).tasks;
        }),
        resolves: [],
        event,
      };
    if (field(body, 'changes.draft.current') === false)
      return says(event, { ...common, content: `${who(body)} wants a review of ${what}`, dedupeKey: keys() });
    if (field(body, 'changes.draft.current') === true) return over(event, keys());
    const why = raw(given, 'oldrev') === '' ? 'was edited' : 'has new commits';
    return ignored(event, `Merge request !${iid} ${why}; nothing to do.`);
  }
};

const issue: EventReader = (body) => {
  const given = field(body, 'object_attributes');
  const verb = raw(given, 'action');
  const incident = raw(body, 'object_kind') === 'incident' || raw(given, 'type').toLowerCase() === 'incident';
  const kind = incident ? 'incident' : 'issue';
  const event = `issue${around('.', verb)}`;
  const iid = raw(given, 'iid');
  const keys = (...parts: readonly string[]): string => projectKey(body, `#${iid}`, ...parts);
  const labels = items(body, 'labels').slice(0, 4);
  const what = `${kind} #${iid} in ${project(body)}${around(': ', called(given, 'title'))}`;
  const common = {
    priority: incident ? severityPriority(raw(given, 'severity'), 'high') : USUAL,
    tags: ['gitlab', kind, ...labels.map((label) => raw(label, 'title'))],
    url: home(body, 'object_attributes.url'),
    metadata: { project: project(body), number: iid, body: plain(raw(given, 'description')) },
  };
  if (verb === 'open' || verb === 'reopen')
    return says(event, { ...common, content: `${who(body)} ${verb}ed ${what}`, dedupeKey: keys() });
  if (verb === 'close') return over(event, keys(), keys('assigned'), keys('comments'));
  const assigned = items(body, 'changes.assignees.current').map((one) => line(one, ['name', 'username'], 60));
  if (assigned.length > 0)
    return says(event, {
      ...common,
      content: `${who(body)} assigned ${assigned.slice(0, 5).join(', ')} to ${what}`,
      dedupeKey: keys('assigned'),
    });
  return ignored(event, `The ${kind} #${iid} was changed; nothing to do.`);
};

const note: EventReader = (body) => {
  const given = field(body, 'object_attributes');
  if (flag(given, 'system')) return ignored('note', 'A note that GitLab wrote itself.');
  if (raw(given, 'action') === 'update') return ignored('note.update', 'A comment was edited.');
  const about = entry(
    {
      MergeRequest: { kind: 'merge request', at: 'merge_request', sign: '!' },
      Issue: { kind: 'issue', at: 'issue', sign: '#' },
      Snippet: { kind: 'snippet', at: 'snippet', sign: '$' },
      Commit: { kind: 'commit', at: 'commit', sign: '@' },
    },
    raw(given, 'noteable_type'),
  ) ?? { kind: 'something', at: 'object_attributes', sign: '~' };
  const subject = field(body, about.at);
  const id =
    about.at === 'commit' ? raw(subject, 'id').slice(0, 8) : raw(subject, 'iid') || raw(subject, 'id');
  const shown = `${about.at === 'commit' ? '' : about.sign}${id}`;
  const said = plain(raw(given, 'note'));
  return says('note', {
    content: lines(
      `${who(body)} commented on ${about.kind} ${shown} in ${project(body)}${around(': ', called(subject, 'title', 'message'))}`,
      excerpt(said, 300),
    ),
    tags: ['gitlab', 'comment'],
    url: home(body, 'object_attributes.url'),
    dedupeKey: projectKey(body, `${about.sign}${id}`, 'comments'),
    metadata: { project: project(body), body: said },
  });
};

/** A reaction to a comment, an issue or a request: nobody waits for anything. */
const reaction: EventReader = (body) => {
  const verb = raw(body, 'object_attributes.action') || raw(body, 'event_type');
  return ignored(`emoji${around('.', verb)}`, 'A reaction was given or taken back; nothing to do.');
};

export const work: Readonly<Record<string, EventReader>> = {
  merge_request: mergeRequest,
  issue,
  incident: issue,
  work_item: issue,
  note,
  emoji: reaction,
};
