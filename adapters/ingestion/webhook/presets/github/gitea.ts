// Gitea and Forgejo send GitHub's headers, and mostly GitHub's fields. Where they do not, their event is
// written as GitHub would have sent it. https://docs.gitea.com/usage/webhooks
import type { ParsedDelivery } from '#core/domain/delivery.ts';
import { entry, field, isObject, items, raw } from '../read.ts';

interface Sent {
  name: string;
  body: Readonly<Record<string, unknown>>;
}

/** Forgejo sends Gitea's headers as well. */
const HUBS: readonly (readonly [header: string, tag: string])[] = [
  ['x-forgejo-event', 'forgejo'],
  ['x-gitea-event', 'gitea'],
  ['x-gogs-event', 'gogs'],
];

/** What was read, with the tag of the hub that sent it. */
export function taggedByHub(
  reading: ParsedDelivery | null,
  headers: Readonly<Record<string, string>>,
): ParsedDelivery | null {
  const hub = HUBS.find(([header]) => headers[header] !== undefined)?.[1];
  if (hub === undefined || reading === null) return reading;
  const tasks = reading.tasks.map((task) => ({
    ...task,
    tags: (task.tags ?? []).map((tag) => (tag === 'github' ? hub : tag)),
  }));
  return { ...reading, tasks };
}

/** Events of a review, and the state that GitHub gives it. */
const REVIEWS: Readonly<Record<string, string>> = {
  pull_request_approved: 'approved',
  pull_request_rejected: 'changes_requested',
  pull_request_comment: 'commented',
};

/** What Forgejo tells of a run of its actions; a run that recovered has succeeded. */
const RUNS: Readonly<Record<string, string>> = {
  action_run_failure: 'failure',
  action_run_success: 'success',
  action_run_recover: 'success',
};

/** The event in GitHub's words; what GitHub sends stays as it is. */
export function asGitHub({ name, body }: Sent): Sent {
  const state = entry(REVIEWS, name);
  if (state !== undefined) return { name: 'pull_request_review', body: reviewOf(body, state) };
  const conclusion = entry(RUNS, name);
  if (conclusion !== undefined) return { name: 'workflow_run', body: runOf(body, conclusion) };
  if (name === 'push' && field(body, 'compare') === undefined)
    return { name, body: { ...body, compare: body['compare_url'] } };
  if ((name === 'issues' || name === 'pull_request') && field(body, 'assignee') === undefined)
    return { name, body: { ...body, assignee: assigneeOf(body, name) } };
  return { name, body };
}

function reviewOf(body: Sent['body'], state: string): Sent['body'] {
  const review = { state, body: raw(body, 'review.content'), user: body['sender'] };
  return { ...body, action: 'submitted', review };
}

function runOf(body: Sent['body'], conclusion: string): Sent['body'] {
  const run = field(body, 'run');
  return {
    action: 'completed',
    repository: field(run, 'repository') ?? body['repository'],
    sender: field(run, 'trigger_user') ?? body['sender'],
    workflow_run: {
      name: raw(run, 'workflow_id'),
      workflow_id: raw(run, 'workflow_id'),
      head_branch: raw(run, 'prettyref'),
      head_sha: raw(run, 'commit_sha'),
      run_number: raw(run, 'index_in_repo'),
      display_title: raw(run, 'title'),
      html_url: raw(run, 'html_url'),
      actor: field(run, 'trigger_user'),
      conclusion,
    },
  };
}

/** They list who is assigned, the newest last, and do not say who it was just now. */
function assigneeOf(body: unknown, name: string): unknown {
  const about = name === 'issues' ? 'issue' : 'pull_request';
  return items(body, `${about}.assignees`).filter(isObject).at(-1);
}
