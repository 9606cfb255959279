// GitHub: repositories, organisations, apps. https://docs.github.com/en/webhooks/webhook-events-and-payloads
import { checks } from './checks.ts';
import { code } from './code.ts';
import { threads } from './issues.ts';
import { action } from './fields.ts';
import { asGitHub, taggedByHub } from './gitea.ts';
import { pulls } from './pulls.ts';
import { anyOther, rest } from './other-events.ts';
import { security } from './security.ts';
import type { Preset } from '../preset.ts';
import { entry, field, isObject, jsonIn } from '../read.ts';
import sample from './sample.json' with { type: 'json' };

const READERS = { ...code, ...pulls, ...threads, ...checks, ...security, ...rest };

export const github: Preset = {
  id: 'github',
  title: 'GitHub',
  description:
    'Pushes, pull requests, reviews, issues, comments, failed checks and workflows, releases, deployments and alerts.',
  scheme: 'github',
  setup:
    'In the repository or organisation open Settings → Webhooks → Add webhook. Paste the address, choose content type application/json, ' +
    'paste the secret, and pick the events you want to hear of.',
  events: (
    'push pull_request pull_request.opened pull_request.review_requested pull_request_review ' +
    'pull_request_review_comment issues issues.opened issues.assigned issue_comment discussion ' +
    'discussion_comment workflow_run check_run status deployment_status deployment_review ' +
    'release dependabot_alert code_scanning_alert secret_scanning_alert create delete ' +
    'commit_comment star fork member repository'
  ).split(' '),
  read({ value, headers }) {
    // With content type application/x-www-form-urlencoded GitHub puts the JSON into a field.
    const sent = jsonIn(value, 'payload') ?? value;
    // Gogs has no header of GitHub's.
    const given = headers['x-github-event'] ?? headers['x-gogs-event'] ?? guess(sent);
    if (given === '' || !isObject(sent)) return null;
    const { name, body } = asGitHub({ name: given, body: sent });
    const verb = action(body);
    const event = verb === '' ? name : `${name}.${verb}`;
    return taggedByHub((entry(READERS, name) ?? anyOther)(body, event), headers);
  },
  sample,
};

/** What event it is when a proxy has dropped the header. */
function guess(body: unknown): string {
  const has = (name: string): boolean => field(body, name) !== undefined;
  const parts = 'workflow_run check_run review comment pull_request issue release deployment_status'.split(
    ' ',
  );
  const found = parts.find(has);
  if (!has('repository') || !has('sender')) return has('zen') && has('hook') ? 'ping' : '';
  if (found === 'issue') return 'issues';
  if (found === 'review') return 'pull_request_review';
  if (found === 'comment' && has('issue')) return 'issue_comment';
  if (found === 'comment') return has('pull_request') ? 'pull_request_review_comment' : 'commit_comment';
  return found ?? (has('ref') && has('commits') ? 'push' : '');
}
