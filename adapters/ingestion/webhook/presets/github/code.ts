// GitHub's events about code and its places: pushes, branches, tags, releases, packages, pages of the wiki.
import { entry, field, flag, items, raw } from '../read.ts';
import { ignored, over, says, USUAL } from '../result.ts';
import { around, count, lines, plain } from '../text.ts';
import { action, actor, branchOf, repo, repoKey, title, urlOf, type EventReader } from './fields.ts';

const SHOWN_COMMITS = 5;

const push: EventReader = (body) => {
  const ref = raw(body, 'ref');
  const branch = branchOf(ref);
  if (ref.startsWith('refs/tags/')) return tag(body, ref);
  const key = repoKey(body, 'push', ref);
  const where = `${branch} in ${repo(body)}`;
  const common = { tags: ['github', 'push'], metadata: { repository: repo(body), branch } };
  if (flag(body, 'deleted'))
    return says(
      'push.deleted',
      {
        ...common,
        content: `${actor(body)} deleted branch ${where}`,
        priority: 'low',
        url: urlOf(body),
        dedupeKey: repoKey(body, 'deleted', ref),
      },
      [key],
    );
  const url = urlOf(body, 'compare', 'head_commit.url');
  const commits = items(body, 'commits');
  const named = commits.map((commit) => title(commit, 'message')).filter((name) => name !== '');
  const head = title(body, 'head_commit.message') || named.at(-1) || '';
  if (flag(body, 'forced'))
    return says('push.forced', {
      ...common,
      content: `${actor(body)} force-pushed ${where}${around(': ', head)}`,
      priority: isDefault(body, ref) ? 'high' : 'low',
      url,
      dedupeKey: repoKey(body, 'forced', ref),
    });
  if (commits.length === 0)
    return flag(body, 'created')
      ? says('push.created', {
          ...common,
          content: `${actor(body)} created branch ${where}${around(' at: ', head)}`,
          priority: 'low',
          url,
          dedupeKey: key,
        })
      : ignored('push', `A push to ${branch} without commits.`);
  const rest = commits.length - SHOWN_COMMITS;
  return says(flag(body, 'created') ? 'push.created' : 'push', {
    ...common,
    content: lines(
      `${actor(body)} pushed ${count(commits.length, 'commit')} to ${flag(body, 'created') ? 'new branch ' : ''}${where}${around(': ', head)}`,
      ...(commits.length === 1 ? [] : named.slice(0, SHOWN_COMMITS).map((name) => `- ${name}`)),
      rest > 0 ? `- and ${count(rest, 'more commit')}` : '',
    ),
    priority: isDefault(body, ref) ? USUAL : 'low',
    url,
    dedupeKey: key,
  });
};

function isDefault(body: unknown, ref: string): boolean {
  const branch = raw(body, 'repository.default_branch') || raw(body, 'repository.master_branch');
  return branch !== '' && ref === `refs/heads/${branch}`;
}

function tag(body: unknown, ref: string) {
  const name = branchOf(ref);
  const key = repoKey(body, 'push', ref);
  const did = flag(body, 'deleted') ? 'deleted' : flag(body, 'created') ? 'created' : 'moved';
  const head = title(body, 'head_commit.message');
  return says(
    `push.${did === 'moved' ? 'forced' : did}`,
    {
      content: `${actor(body)} ${did} tag ${name} in ${repo(body)}${did === 'deleted' ? '' : around(' at: ', head)}`,
      priority: did === 'moved' ? USUAL : 'low',
      tags: ['github', 'tag'],
      url: did === 'deleted' ? urlOf(body) : urlOf(body, 'compare', 'head_commit.url'),
      dedupeKey: did === 'created' ? key : repoKey(body, did, ref),
      metadata: { repository: repo(body), tag: name },
    },
    did === 'deleted' ? [key] : [],
  );
}

/** The same as a push of a new branch or tag, with the same key, for those who only take this event. */
const create: EventReader = (body, event) => {
  const kind = entry({ tag: 'tag', repository: 'repository' }, raw(body, 'ref_type')) ?? 'branch';
  const name = branchOf(raw(body, 'ref'));
  return says(event, {
    content:
      kind === 'repository'
        ? `${actor(body)} created repository ${repo(body)}`
        : `${actor(body)} created ${kind} ${name} in ${repo(body)}`,
    priority: 'low',
    tags: ['github', kind],
    url: urlOf(body),
    dedupeKey: repoKey(body, 'push', refOf(body)),
    metadata: { repository: repo(body), [kind]: name },
  });
};

/** The whole ref, as pushes name it. */
function refOf(body: unknown): string {
  return `refs/${raw(body, 'ref_type') === 'tag' ? 'tags' : 'heads'}/${raw(body, 'ref')}`;
}

const remove: EventReader = (body, event) => {
  const kind = raw(body, 'ref_type') === 'tag' ? 'tag' : 'branch';
  const name = branchOf(raw(body, 'ref'));
  return says(
    event,
    {
      content: `${actor(body)} deleted ${kind} ${name} in ${repo(body)}`,
      priority: 'low',
      tags: ['github', kind],
      url: urlOf(body),
      dedupeKey: repoKey(body, 'deleted', refOf(body)),
      metadata: { repository: repo(body), [kind]: name },
    },
    [repoKey(body, 'push', refOf(body))],
  );
};

const release: EventReader = (body, event) => {
  const verb = action(body);
  const version = title(body, 'release.tag_name', 'release.name') || 'a version';
  const key = repoKey(body, 'release', raw(body, 'release.id') || version);
  if (verb === 'deleted' || verb === 'unpublished') return over(event, key);
  if (verb !== 'published')
    return ignored(
      event,
      `Release ${version} was ${verb || 'changed'}; it is reported when it is published.`,
    );
  const name = title(body, 'release.name');
  return says(event, {
    content: `${actor(body)} ${flag(body, 'release.prerelease') ? 'pre-released' : 'released'} ${version} of ${repo(body)}${name === version ? '' : around(': ', name)}`,
    tags: ['github', 'release'],
    url: urlOf(body, 'release.html_url'),
    dedupeKey: key,
    metadata: { repository: repo(body), version, body: plain(raw(body, 'release.body')) },
  });
};

const commitComment: EventReader = (body, event) => {
  const commit = raw(body, 'comment.commit_id').slice(0, 7);
  const said = plain(raw(body, 'comment.body'), 300);
  return says(event, {
    content: lines(`${actor(body)} commented on commit ${commit} in ${repo(body)}`, said),
    tags: ['github', 'comment'],
    url: urlOf(body, 'comment.html_url'),
    dedupeKey: repoKey(body, 'commit', raw(body, 'comment.commit_id'), 'comments'),
    metadata: { repository: repo(body), commit, file: raw(body, 'comment.path') },
  });
};

const fork: EventReader = (body, event) =>
  says(event, {
    content: `${actor(body)} forked ${repo(body)} to ${title(body, 'forkee.full_name')}`,
    priority: 'low',
    tags: ['github', 'fork'],
    url: urlOf(body, 'forkee.html_url'),
    dedupeKey: repoKey(body, 'fork', raw(body, 'forkee.id')),
  });

const gollum: EventReader = (body, event) => {
  const pages = items(body, 'pages').map((page) => ({
    name: title(page, 'title', 'page_name'),
    did: raw(page, 'action') === 'created' ? 'created' : 'edited',
    url: urlOf(page, 'html_url'),
  }));
  const [first] = pages;
  if (first === undefined) return ignored(event, 'No page of the wiki was named.');
  const what =
    pages.length === 1
      ? `${first.did} wiki page ${first.name}`
      : `changed ${pages.length} wiki pages (${first.name}, …)`;
  return says(event, {
    content: `${actor(body)} ${what} in ${repo(body)}`,
    priority: 'low',
    tags: ['github', 'wiki'],
    url: first.url || urlOf(body),
    dedupeKey: repoKey(body, 'wiki', pages.length === 1 ? first.name : ''),
  });
};

const published: EventReader = (body, event) => {
  const at = field(body, 'package') === undefined ? 'registry_package' : 'package';
  const name = title(body, `${at}.name`);
  const version = title(body, `${at}.package_version.version`, `${at}.package_version.name`);
  return says(event, {
    content: `${actor(body)} ${action(body) || 'changed'} package ${name}${around(' ', version)} in ${repo(body)}`,
    priority: 'low',
    tags: ['github', 'package'],
    url: urlOf(body, `${at}.package_version.html_url`, `${at}.html_url`),
    dedupeKey: repoKey(body, 'package', raw(body, `${at}.id`) || name, version),
  });
};

export const code: Readonly<Record<string, EventReader>> = {
  push,
  create,
  delete: remove,
  release,
  commit_comment: commitComment,
  fork,
  gollum,
  package: published,
  registry_package: published,
};
