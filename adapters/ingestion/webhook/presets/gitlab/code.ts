// GitLab's events about code: pushes, branches, tags, releases.
import { items, link, number, raw } from '../read.ts';
import { ignored, over, says, USUAL } from '../result.ts';
import { around, count, lines, oneLine, plain } from '../text.ts';
import { called, home, project, projectKey, who, type EventReader } from './fields.ts';

const NOTHING = /^0{40}$/;

const push: EventReader = (body) => {
  const ref = raw(body, 'ref');
  const isTag = ref.startsWith('refs/tags/');
  const event = isTag ? 'tag_push' : 'push';
  const name = oneLine(ref.replace(/^refs\/(heads|tags)\//, ''), 120);
  const thing = isTag ? 'tag' : 'branch';
  const ours = projectKey(body, 'push', ref);
  const common = {
    tags: ['gitlab', isTag ? 'tag' : 'push'],
    metadata: { project: project(body), [thing]: name },
  };
  if (NOTHING.test(raw(body, 'after')))
    return says(
      `${event}.deleted`,
      {
        ...common,
        content: `${who(body)} deleted ${thing} ${name} in ${project(body)}`,
        priority: 'low',
        url: home(body),
        dedupeKey: projectKey(body, 'deleted', ref),
      },
      [ours],
    );
  const commits = items(body, 'commits');
  const total = number(body, 'total_commits_count') ?? commits.length;
  const titles = commits.map((commit) => called(commit, 'title', 'message')).filter((title) => title !== '');
  const head = commits.find((commit) => raw(commit, 'id') === raw(body, 'checkout_sha')) ?? commits.at(-1);
  const said = called(head, 'title', 'message') || called(body, 'message');
  const before = raw(body, 'before').slice(0, 12);
  const compare = around(
    link(body, 'project.web_url'),
    `/-/compare/${before}...${raw(body, 'after').slice(0, 12)}`,
  );
  const fresh = NOTHING.test(raw(body, 'before'));
  const url = !fresh && total > 1 && compare.startsWith('http') ? compare : home(body, 'commits.0.url');
  if (isTag || total === 0)
    return says(fresh ? `${event}.created` : event, {
      ...common,
      content: `${who(body)} ${fresh ? 'created' : 'moved'} ${thing} ${name} in ${project(body)}${around(isTag ? ': ' : ' at: ', said)}`,
      priority: 'low',
      url,
      dedupeKey: ours,
    });
  return says(fresh ? `${event}.created` : event, {
    ...common,
    content: lines(
      `${who(body)} pushed ${count(total, 'commit')} to ${fresh ? 'new branch ' : ''}${name} in ${project(body)}${around(': ', said)}`,
      ...(total === 1 ? [] : titles.slice(0, 5).map((title) => `- ${title}`)),
      total > 5 ? `- and ${count(total - 5, 'more commit')}` : '',
    ),
    priority: ref === `refs/heads/${raw(body, 'project.default_branch')}` ? USUAL : 'low',
    url,
    dedupeKey: ours,
  });
};

const release: EventReader = (body) => {
  const tag = called(body, 'tag', 'name');
  const verb = raw(body, 'action');
  const ours = projectKey(body, 'release', tag);
  if (verb === 'delete') return over('release.delete', ours);
  if (verb !== 'create') return ignored(`release${around('.', verb)}`, `Release ${tag} was changed.`);
  const name = called(body, 'name');
  return says('release.create', {
    content: `${project(body)}: ${tag} was released${name === tag ? '' : around(': ', name)}`,
    tags: ['gitlab', 'release'],
    url: home(body, 'url'),
    dedupeKey: ours,
    metadata: { project: project(body), body: plain(raw(body, 'description')) },
  });
};

export const code: Readonly<Record<string, EventReader>> = { push, tag_push: push, release };
