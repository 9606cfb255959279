// GitLab's pipelines, jobs and deployments: what fails is a task until the same succeeds on the same branch.
import { field, flag, items, link, raw } from '../read.ts';
import { ignored, over, says } from '../result.ts';
import { around, lines, spoken } from '../text.ts';
import { called, home, project, projectKey, who, type EventReader } from './fields.ts';

const pipeline: EventReader = (body) => {
  const given = field(body, 'object_attributes');
  const status = raw(given, 'status');
  const request = raw(body, 'merge_request.iid');
  const ref = called(given, 'ref');
  const ours = projectKey(body, 'pipeline', request === '' ? raw(given, 'ref') : `!${request}`);
  if (status === 'success') return over('pipeline.success', ours);
  if (status !== 'failed')
    return ignored(
      `pipeline${around('.', status)}`,
      `The pipeline on ${ref} is ${spoken(status) || 'not over'}.`,
    );
  const failed = items(body, 'builds').filter(
    (job) => raw(job, 'status') === 'failed' && !flag(job, 'allow_failure'),
  );
  const names = failed.slice(0, 3).map((job) => called(job, 'name'));
  const where = request === '' ? ref : `!${request}`;
  return says('pipeline.failed', {
    content: lines(
      `${project(body)}: pipeline failed on ${where}${around(' (', called(body, 'merge_request.title') || called(body, 'commit.title', 'commit.message'), ')')}`,
      around('Failed: ', names.join(', '), failed.length > 3 ? ` and ${failed.length - 3} more` : ''),
    ),
    priority: 'high',
    tags: ['gitlab', 'ci', 'failed'],
    url:
      link(given, 'url') ||
      (link(body, 'project.web_url') === ''
        ? ''
        : `${link(body, 'project.web_url')}/-/pipelines/${raw(given, 'id')}`),
    dedupeKey: ours,
    metadata: { project: project(body), branch: ref, commit: raw(given, 'sha').slice(0, 12), by: who(body) },
  });
};

const job: EventReader = (body) => {
  const status = raw(body, 'build_status');
  const name = called(body, 'build_name') || 'A job';
  const ref = called(body, 'ref');
  const ours = projectKey(body, 'job', raw(body, 'ref'), raw(body, 'build_name'));
  if (status === 'success') return over('job.success', ours);
  if (status !== 'failed')
    return ignored(`job${around('.', status)}`, `Job ${name} on ${ref} is ${spoken(status) || 'not over'}.`);
  if (flag(body, 'build_allow_failure'))
    return ignored('job.failed', `Job ${name} on ${ref} failed, which it may.`);
  return says('job.failed', {
    content: `${project(body)}: job ${name} failed on ${ref}${around(' (', spoken(raw(body, 'build_failure_reason')), ')')}`,
    tags: ['gitlab', 'ci', 'failed'],
    url: home(body) === '' ? '' : `${home(body)}/-/jobs/${raw(body, 'build_id')}`,
    dedupeKey: ours,
    metadata: {
      project: project(body),
      stage: called(body, 'build_stage'),
      branch: ref,
      commit: raw(body, 'sha').slice(0, 12),
      by: who(body),
    },
  });
};

const deployment: EventReader = (body) => {
  const place = called(body, 'environment') || 'an environment';
  const status = raw(body, 'status');
  const ours = projectKey(body, 'deployment', place);
  if (status === 'success') return over('deployment.success', ours);
  if (status !== 'failed')
    return ignored(
      `deployment${around('.', status)}`,
      `The deployment to ${place} is ${spoken(status) || 'under way'}.`,
    );
  return says('deployment.failed', {
    content: `${project(body)}: deployment of ${called(body, 'ref')} to ${place} failed${around(' (', called(body, 'commit_title'), ')')}`,
    priority: 'high',
    tags: ['gitlab', 'deployment', place],
    url: home(body, 'deployable_url', 'commit_url'),
    dedupeKey: ours,
    metadata: { project: project(body), environment: place, by: who(body) },
  });
};

export const ci: Readonly<Record<string, EventReader>> = { pipeline, build: job, job, deployment };
