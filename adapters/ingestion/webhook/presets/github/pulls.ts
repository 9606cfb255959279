// GitHub's events about pull requests. One task says that there is one, one that a named person is asked for,
// one each that it was approved, that changes are wanted, that it was talked about; closing it ends them all.
import type { Priority } from '#core/contract/index.ts';
import type { ParsedDelivery } from '#core/domain/delivery.ts';
import { entry, flag, items, raw } from '../read.ts';
import { ignored, over, says, USUAL } from '../result.ts';
import { around, excerpt, lines, plain } from '../text.ts';
import {
  action,
  actor,
  assigned,
  branchOf,
  comment,
  login,
  repo,
  repoKey,
  title,
  urlOf,
  type EventReader,
} from './fields.ts';

/** Keys of everything that may have been said of a pull request and does not depend on a person. */
function threadKeys(body: unknown, number: string): string[] {
  return ['', 'approved', 'changes', 'comments'].map((part) => threadKey(body, number, part));
}

/** Issues and pull requests of a repository share their numbers, and so their keys. */
export function threadKey(body: unknown, number: string, ...parts: readonly string[]): string {
  return repoKey(body, `#${number}`, ...parts.filter((part) => part !== ''));
}

function nameOf(body: unknown, number: string): string {
  return `pull request #${number} in ${repo(body)}${around(': ', title(body, 'pull_request.title'))}`;
}

const pullRequest: EventReader = (body, event) => {
  const verb = action(body);
  const number = raw(body, 'pull_request.number') || raw(body, 'number');
  const what = nameOf(body, number);
  const draft = flag(body, 'pull_request.draft');
  const write = (content: string, priority: Priority | undefined, ...key: string[]): ParsedDelivery =>
    says(event, {
      content,
      priority,
      tags: ['github', 'pull request'],
      url: urlOf(body, 'pull_request.html_url'),
      dedupeKey: threadKey(body, number, ...key),
      metadata: {
        repository: repo(body),
        number,
        author: login(body, 'pull_request.user'),
        branch: branchOf(raw(body, 'pull_request.head.ref')),
        into: branchOf(raw(body, 'pull_request.base.ref')),
        body: plain(raw(body, 'pull_request.body')),
      },
    });
  const asked = login(body, 'requested_reviewer') || login(body, 'requested_team');
  const assignee = login(body, 'assignee');
  switch (verb) {
    case 'opened':
      return write(`${actor(body)} opened ${draft ? 'draft ' : ''}${what}`, draft ? 'low' : USUAL);
    case 'reopened':
      return write(`${actor(body)} reopened ${what}`, draft ? 'low' : USUAL);
    case 'ready_for_review':
      return write(`${actor(body)} wants a review of ${what}`, USUAL);
    case 'review_requested':
      return write(
        `${actor(body)} asked ${asked || 'for somebody'} to review ${what}`,
        USUAL,
        'review',
        asked,
      );
    case 'review_request_removed':
      return over(event, threadKey(body, number, 'review', asked));
    case 'assigned':
      return write(assigned(body, what), USUAL, 'assigned', assignee);
    case 'unassigned':
      return over(event, threadKey(body, number, 'assigned', assignee));
    case 'converted_to_draft':
      return over(event, threadKey(body, number), ...reviewKeys(body, number));
    case 'closed':
      return over(
        event,
        ...threadKeys(body, number),
        ...reviewKeys(body, number),
        ...assignedKeys(body, 'pull_request', number),
      );
    case 'synchronize':
      return ignored(event, `New commits in pull request #${number}; it is already known.`);
    default:
      return ignored(
        event,
        `Pull request #${number} was ${verb.replaceAll('_', ' ') || 'changed'}; nothing to do.`,
      );
  }
};

function reviewKeys(body: unknown, number: string): string[] {
  const people = items(body, 'pull_request.requested_reviewers');
  return keysOf(body, number, 'review', [...people, ...items(body, 'pull_request.requested_teams')]);
}

/** Keys of those who are assigned to the issue or pull request at the path. */
export function assignedKeys(body: unknown, path: string, number: string): string[] {
  return keysOf(body, number, 'assigned', items(body, `${path}.assignees`));
}

function keysOf(body: unknown, number: string, part: string, people: readonly unknown[]): string[] {
  return people.slice(0, 50).map((one) => threadKey(body, number, part, login({ one }, 'one')));
}

const REVIEWS = {
  approved: { did: 'approved', key: 'approved' },
  changes_requested: { did: 'wants changes to', key: 'changes' },
};

const review: EventReader = (body, event) => {
  const number = raw(body, 'pull_request.number');
  const state = raw(body, 'review.state').toLowerCase();
  const who = login(body, 'review.user') || actor(body);
  if (action(body) === 'dismissed')
    return over(event, threadKey(body, number, 'approved'), threadKey(body, number, 'changes'));
  if (action(body) !== 'submitted') return ignored(event, `A review of pull request #${number} was edited.`);
  const what = nameOf(body, number);
  const said = plain(raw(body, 'review.body'));
  const { did, key } = entry(REVIEWS, state) ?? { did: 'commented on', key: 'comments' };
  return says(
    event,
    {
      content: lines(`${who} ${did} ${what}`, excerpt(said, 300)),
      tags: ['github', 'review'],
      url: urlOf(body, 'review.html_url', 'pull_request.html_url'),
      dedupeKey: threadKey(body, number, key),
      metadata: { repository: repo(body), number, reviewer: who, body: said },
    },
    // Who has reviewed is no longer asked to.
    [threadKey(body, number, 'review', who)],
  );
};

const reviewComment: EventReader = (body, event) => {
  const number = raw(body, 'pull_request.number');
  if (action(body) !== 'created')
    return ignored(event, `A comment on pull request #${number} was ${action(body)}.`);
  const file = title(body, 'comment.path');
  const at = around(':', raw(body, 'comment.line') || raw(body, 'comment.original_line'));
  return comment(body, event, `on ${around('', file, `${at} of `)}${nameOf(body, number)}`, {
    url: urlOf(body, 'comment.html_url'),
    dedupeKey: threadKey(body, number, 'comments'),
    number,
    file,
  });
};

const reviewThread: EventReader = (body, event) => {
  const how = action(body) === 'resolved' ? 'resolved' : 'opened again';
  return ignored(event, `A conversation in pull request #${raw(body, 'pull_request.number')} was ${how}.`);
};

export const pulls: Readonly<Record<string, EventReader>> = {
  pull_request: pullRequest,
  pull_request_target: pullRequest,
  pull_request_review: review,
  pull_request_review_comment: reviewComment,
  pull_request_review_thread: reviewThread,
};
