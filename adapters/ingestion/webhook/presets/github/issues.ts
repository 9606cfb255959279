// GitHub's events about issues and discussions, and what is said in them.
import type { ParsedDelivery } from '#core/domain/delivery.ts';
import { entry, field, isObject, items, raw } from '../read.ts';
import { ignored, over, says, USUAL } from '../result.ts';
import { around, excerpt, lines, plain, spoken } from '../text.ts';
import {
  action,
  actor,
  assigned,
  comment,
  login,
  repo,
  repoKey,
  title,
  urlOf,
  type EventReader,
} from './fields.ts';
import { assignedKeys, threadKey } from './pulls.ts';

const issues: EventReader = (body, event) => {
  const verb = action(body);
  const number = raw(body, 'issue.number');
  const what = `issue #${number} in ${repo(body)}${around(': ', title(body, 'issue.title'))}`;
  const labels = items(body, 'issue.labels').map((label) => title(label, 'name'));
  const write = (content: string, ...key: string[]): ParsedDelivery =>
    says(event, {
      content,
      tags: ['github', 'issue', ...labels.slice(0, 4)],
      url: urlOf(body, 'issue.html_url'),
      dedupeKey: threadKey(body, number, ...key),
      metadata: {
        repository: repo(body),
        number,
        author: login(body, 'issue.user'),
        body: plain(raw(body, 'issue.body')),
      },
    });
  const assignee = login(body, 'assignee');
  switch (verb) {
    case 'opened':
    case 'reopened':
      return write(`${actor(body)} ${verb} ${what}`);
    case 'assigned':
      return write(assigned(body, what), 'assigned', assignee);
    case 'unassigned':
      return over(event, threadKey(body, number, 'assigned', assignee));
    case 'closed':
    case 'deleted':
    case 'transferred':
      return over(
        event,
        threadKey(body, number),
        threadKey(body, number, 'comments'),
        ...assignedKeys(body, 'issue', number),
      );
    default:
      return ignored(event, `Issue #${number} was ${spoken(verb) || 'changed'}; nothing to do.`);
  }
};

const issueComment: EventReader = (body, event) => {
  const number = raw(body, 'issue.number');
  // Gitea sends null where GitHub leaves it out.
  const kind = isObject(field(body, 'issue.pull_request')) ? 'pull request' : 'issue';
  if (action(body) !== 'created')
    return ignored(event, `A comment on ${kind} #${number} was ${action(body)}.`);
  const issue = `${kind} #${number} in ${repo(body)}${around(': ', title(body, 'issue.title'))}`;
  return comment(body, event, `on ${issue}`, {
    url: urlOf(body, 'comment.html_url', 'issue.html_url'),
    dedupeKey: threadKey(body, number, 'comments'),
    number,
  });
};

function discussionName(body: unknown, number: string): string {
  return `discussion #${number} in ${repo(body)}${around(': ', title(body, 'discussion.title'))}`;
}

const discussion: EventReader = (body, event) => {
  const verb = action(body);
  const number = raw(body, 'discussion.number');
  const key = repoKey(body, 'discussion', number);
  if (verb === 'closed' || verb === 'deleted' || verb === 'transferred')
    return over(event, key, repoKey(body, 'discussion', number, 'comments'));
  const did = entry({ created: 'started', reopened: 'reopened', answered: 'answered' }, verb);
  if (did === undefined)
    return ignored(event, `Discussion #${number} was ${spoken(verb) || 'changed'}; nothing to do.`);
  const said = plain(raw(body, verb === 'answered' ? 'answer.body' : 'discussion.body'));
  return says(
    event,
    {
      content: lines(
        `${actor(body)} ${did} ${discussionName(body, number)}`,
        verb === 'answered' ? excerpt(said, 300) : '',
      ),
      priority: verb === 'answered' ? 'low' : USUAL,
      tags: ['github', 'discussion'],
      url: urlOf(body, ...(verb === 'answered' ? ['answer.html_url'] : []), 'discussion.html_url'),
      dedupeKey: verb === 'answered' ? repoKey(body, 'discussion', number, 'answered') : key,
      metadata: { repository: repo(body), number, body: said },
    },
    verb === 'answered' ? [key] : [],
  );
};

const discussionComment: EventReader = (body, event) => {
  const number = raw(body, 'discussion.number');
  if (action(body) !== 'created')
    return ignored(event, `A comment in discussion #${number} was ${action(body)}.`);
  return comment(body, event, `in ${discussionName(body, number)}`, {
    url: urlOf(body, 'comment.html_url', 'discussion.html_url'),
    dedupeKey: repoKey(body, 'discussion', number, 'comments'),
    number,
  });
};

export const threads: Readonly<Record<string, EventReader>> = {
  issues,
  issue_comment: issueComment,
  discussion,
  discussion_comment: discussionComment,
};
