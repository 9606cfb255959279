// GitHub's checks, workflows, statuses and deployments: what fails is a task until the same succeeds on the
// same branch.
import { entry, field, items, line, link, raw } from '../read.ts';
import { ignored, key as keyOf, over, says, USUAL } from '../result.ts';
import { around, excerpt, lines, oneLine, plain, spoken } from '../text.ts';
import { action, branchOf, login, repo, repoKey, title, urlOf, type EventReader } from './fields.ts';

const FAILED: Readonly<Record<string, string>> = {
  failure: 'failed',
  error: 'failed',
  timed_out: 'timed out',
  startup_failure: 'could not start',
};

const workflowRun: EventReader = (body, event) => {
  const run = field(body, 'workflow_run');
  const name = title(run, 'name') || title(body, 'workflow.name') || 'A workflow';
  const branch = branchOf(raw(run, 'head_branch'));
  const from = raw(run, 'head_repository.full_name');
  const theirs = from !== '' && from !== raw(body, 'repository.full_name');
  const key = repoKey(
    body,
    'workflow',
    raw(run, 'workflow_id') || raw(body, 'workflow.id') || name,
    // The main branch of a fork is not ours.
    ...(theirs ? [from] : []),
    raw(run, 'head_branch') || raw(run, 'head_sha'),
  );
  const owner = theirs ? `${oneLine(from.split('/', 1)[0] ?? '', 60)}:` : '';
  const where = branch === '' ? '' : ` on ${owner}${branch}`;
  const verdict = raw(run, 'conclusion');
  const failed = entry(FAILED, verdict);
  if (action(body) !== 'completed' || verdict === '')
    return ignored(event, `${name}${where} is not over yet${around(' (', spoken(raw(run, 'status')), ')')}.`);
  if (verdict === 'success') return over(event, key, keyOf(key, 'approval'));
  const common = {
    url: urlOf(body, 'workflow_run.html_url'),
    metadata: {
      repository: repo(body),
      workflow: name,
      run: raw(run, 'run_number'),
      branch,
      commit: raw(run, 'head_sha').slice(0, 12),
      by: login(run, 'actor'),
    },
  };
  const about = around(' (', title(run, 'display_title', 'head_commit.message'), ')');
  if (verdict === 'action_required')
    return says(event, {
      ...common,
      content: `${repo(body)}: ${name} waits for approval${where}${about}`,
      tags: ['github', 'ci'],
      dedupeKey: keyOf(key, 'approval'),
    });
  if (failed === undefined) return ignored(event, `${name}${where} was ${spoken(verdict)}.`);
  return says(event, {
    ...common,
    content: `${repo(body)}: ${name} ${failed}${where}${about}`,
    priority: 'high',
    tags: ['github', 'ci', 'failed'],
    dedupeKey: key,
  });
};

const checkRun: EventReader = (body, event) => {
  const run = field(body, 'check_run');
  const name = title(run, 'name') || 'A check';
  const branch = raw(run, 'check_suite.head_branch');
  const pull = raw(run, 'pull_requests.0.number');
  const place = branch || (pull === '' ? raw(run, 'head_sha') : `#${pull}`);
  const key = repoKey(body, 'check', raw(run, 'name'), place);
  const where = around(' on ', branchOf(branch)) || around(' on pull request #', pull);
  if (action(body) === 'requested_action')
    return ignored(event, `Somebody pressed a button of ${name}; that is for its app.`);
  if (action(body) !== 'completed')
    return ignored(event, `${name}${where} is not over yet${around(' (', spoken(raw(run, 'status')), ')')}.`);
  const verdict = raw(run, 'conclusion');
  const failed = entry(FAILED, verdict) ?? (verdict === 'action_required' ? 'needs somebody' : undefined);
  if (verdict === 'success') return over(event, key);
  if (failed === undefined)
    return ignored(event, `${name}${where} ended ${spoken(verdict) || 'without a verdict'}.`);
  const said = title(run, 'output.title');
  return says(event, {
    content: lines(
      `${repo(body)}: ${name} ${failed}${where}${around(' (', said, ')')}`,
      excerpt(raw(run, 'output.summary'), 300),
    ),
    priority: branch !== '' && branch === raw(body, 'repository.default_branch') ? 'high' : USUAL,
    tags: ['github', 'ci', 'failed'],
    url: urlOf(body, 'check_run.html_url', 'check_run.details_url'),
    dedupeKey: key,
    metadata: {
      repository: repo(body),
      check: name,
      app: title(run, 'app.name'),
      branch,
      number: pull,
      commit: raw(run, 'head_sha').slice(0, 12),
    },
  });
};

const checkSuite: EventReader = (body, event) =>
  ignored(
    event,
    `The checks of ${title(body, 'check_suite.app.name') || 'an app'} ${action(body) === 'completed' ? `ended: ${spoken(raw(body, 'check_suite.conclusion')) || 'no verdict'}` : 'were asked for'}; each check is reported by itself.`,
  );

const workflowJob: EventReader = (body, event) =>
  ignored(
    event,
    `Job ${title(body, 'workflow_job.name')}: ${spoken(raw(body, 'workflow_job.conclusion') || raw(body, 'workflow_job.status'))}; its workflow is reported as a whole.`,
  );

const status: EventReader = (body, event) => {
  const state = raw(body, 'state');
  const context = title(body, 'context') || 'A status';
  const branch = raw(body, 'branches.0.name');
  const key = repoKey(body, 'status', raw(body, 'context'), branch || raw(body, 'sha'));
  if (state === 'success') return over(event, key);
  if (state !== 'failure' && state !== 'error')
    return ignored(event, `${context} is not over yet${around(' (', spoken(state), ')')}.`);
  return says(event, {
    content: `${repo(body)}: ${context} failed${around(' on ', branchOf(branch))}${around(' (', title(body, 'description', 'commit.commit.message'), ')')}`,
    priority: branch !== '' && branch === raw(body, 'repository.default_branch') ? 'high' : USUAL,
    tags: ['github', 'ci', 'failed'],
    url: urlOf(body, 'target_url', 'commit.html_url'),
    dedupeKey: key,
    metadata: { repository: repo(body), context, branch, commit: raw(body, 'sha').slice(0, 12) },
  });
};

const deploymentStatus: EventReader = (body, event) => {
  const given = field(body, 'deployment_status');
  const state = raw(given, 'state');
  const place = title(given, 'environment') || title(body, 'deployment.environment') || 'an environment';
  const key = repoKey(body, 'deployment', place);
  if (state === 'success') return over(event, key, keyOf(key, 'waiting'));
  const common = {
    tags: ['github', 'deployment', place],
    url: link(given, 'log_url', 'target_url', 'environment_url') || urlOf(body, 'workflow_run.html_url'),
    metadata: {
      repository: repo(body),
      environment: place,
      ref: branchOf(raw(body, 'deployment.ref')),
      commit: raw(body, 'deployment.sha').slice(0, 12),
      by: login(body, 'deployment.creator'),
    },
  };
  const what = `deployment of ${branchOf(raw(body, 'deployment.ref')) || 'a commit'} to ${place}`;
  if (state === 'waiting')
    return says(event, {
      ...common,
      content: `${repo(body)}: ${what} waits for approval`,
      dedupeKey: keyOf(key, 'waiting'),
    });
  if (state !== 'failure' && state !== 'error')
    return ignored(event, `The ${what} is ${spoken(state) || 'under way'}.`);
  return says(
    event,
    {
      ...common,
      content: `${repo(body)}: ${what} failed${around(': ', title(given, 'description'))}`,
      priority: 'high',
      dedupeKey: key,
    },
    [keyOf(key, 'waiting')],
  );
};

const deploymentReview: EventReader = (body, event) => {
  const place = title(body, 'environment', 'workflow_job_runs.0.environment') || 'an environment';
  const waiting = keyOf(repoKey(body, 'deployment', place), 'waiting');
  if (action(body) !== 'requested') return over(event, waiting);
  const asked = items(body, 'reviewers').map((one) =>
    line(one, ['reviewer.login', 'reviewer.slug', 'reviewer.name'], 60),
  );
  return says(event, {
    content: `${repo(body)}: deployment to ${place} waits for approval${around(' of ', asked.slice(0, 5).join(', '))}${around(' (', title(body, 'workflow_run.display_title', 'workflow_run.head_commit.message'), ')')}`,
    tags: ['github', 'deployment', place],
    url: urlOf(body, 'workflow_run.html_url'),
    dedupeKey: waiting,
    metadata: { repository: repo(body), environment: place, by: login(body, 'requestor') },
  });
};

const deployment: EventReader = (body, event) =>
  ignored(
    event,
    `A deployment to ${title(body, 'deployment.environment') || 'an environment'} was started; how it goes is reported by itself.`,
  );

const pageBuild: EventReader = (body, event) => {
  const key = repoKey(body, 'pages');
  const state = raw(body, 'build.status');
  if (state === 'built') return over(event, key);
  if (state !== 'errored')
    return ignored(event, `The pages of ${repo(body)} are ${spoken(state) || 'being built'}.`);
  return says(event, {
    content: `${repo(body)}: the pages could not be built${around(': ', excerpt(plain(raw(body, 'build.error.message'), 300)))}`,
    priority: 'high',
    tags: ['github', 'pages', 'failed'],
    url: urlOf(body),
    dedupeKey: key,
    metadata: { repository: repo(body) },
  });
};

export const checks: Readonly<Record<string, EventReader>> = {
  workflow_run: workflowRun,
  workflow_job: workflowJob,
  check_run: checkRun,
  check_suite: checkSuite,
  status,
  deployment,
  deployment_status: deploymentStatus,
  deployment_review: deploymentReview,
  page_build: pageBuild,
};
