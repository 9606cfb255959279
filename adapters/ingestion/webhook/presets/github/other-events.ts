// GitHub's remaining events: those that have a sentence of their own, and one sentence for all others.
import type { Priority } from '#core/contract/index.ts';
import { entry, line, raw } from '../read.ts';
import { ignored, says } from '../result.ts';
import { around, oneLine, spoken } from '../text.ts';
import { action, actor, login, plainly, repo, repoKey, title, urlOf, type EventReader } from './fields.ts';

const ping: EventReader = (body) =>
  ignored(
    'ping',
    `GitHub says hello${around(': “', title(body, 'zen'), '”')} The webhook of ${place(body)} works.`,
  );

function place(body: unknown): string {
  return line(body, ['repository.full_name', 'organization.login', 'hook.name'], 140) || 'GitHub';
}

/** Stars and watching are the same thing under two names. */
const star: EventReader = (body, event) =>
  action(body) === 'deleted'
    ? ignored(event, `${actor(body)} took a star back.`)
    : says(event, {
        content: `${actor(body)} starred ${repo(body)}`,
        priority: 'low',
        tags: ['github', 'star'],
        url: urlOf(body),
        dedupeKey: repoKey(body, 'stars'),
        metadata: { repository: repo(body), stars: raw(body, 'repository.stargazers_count') },
      });

/** Events that say little, or concern others. */
const QUIET: Readonly<Record<string, string>> = {
  label: 'A label was changed.',
  project_card: 'A card of a project was moved.',
  project_column: 'A column of a project was changed.',
  projects_v2_item: 'An item of a project was changed.',
  repository_import: 'An import of a repository goes on.',
  merge_group: 'A merge queue goes on.',
  branch_protection_configuration: 'Branch protection was configured.',
  installation_target: 'An account was renamed.',
};

interface Sentence {
  text: (body: unknown) => string;
  priority?: Priority | undefined;
}

const SENTENCES: Readonly<Record<string, Sentence>> = {
  'member.added': {
    text: (body) => `${login(body, 'member')} is now a collaborator of ${repo(body)}`,
  },
  'member.removed': {
    text: (body) => `${login(body, 'member')} is no longer a collaborator of ${repo(body)}`,
  },
  'membership.added': {
    text: (body) =>
      `${actor(body)} added ${login(body, 'member')} to team ${title(body, 'team.name')} of ${repo(body)}`,
  },
  'membership.removed': {
    text: (body) =>
      `${actor(body)} removed ${login(body, 'member')} from team ${title(body, 'team.name')} of ${repo(body)}`,
  },
  'organization.member_added': { text: (body) => `${login(body, 'membership.user')} joined ${repo(body)}` },
  'organization.member_removed': { text: (body) => `${login(body, 'membership.user')} left ${repo(body)}` },
  'organization.member_invited': {
    text: (body) =>
      `${actor(body)} invited ${line(body, ['user.login', 'invitation.login', 'invitation.email'], 80) || 'somebody'} to ${repo(body)}`,
  },
  'repository.created': { text: (body) => `${actor(body)} created repository ${repo(body)}` },
  'repository.deleted': {
    text: (body) => `${actor(body)} deleted repository ${repo(body)}`,
    priority: 'high',
  },
  'repository.archived': { text: (body) => `${actor(body)} archived ${repo(body)}` },
  'repository.privatized': { text: (body) => `${actor(body)} made ${repo(body)} private` },
  'repository.publicized': { text: (body) => `${actor(body)} made ${repo(body)} public`, priority: 'high' },
  'repository.renamed': {
    text: (body) => `${actor(body)} renamed ${title(body, 'changes.repository.name.from')} to ${repo(body)}`,
  },
  'repository.transferred': {
    text: (body) =>
      `${actor(body)} moved ${title(body, 'repository.name')} to ${repo(body)}${around(' from ', title(body, 'changes.owner.from.user.login', 'changes.owner.from.organization.login'))}`,
  },
  public: { text: (body) => `${actor(body)} made ${repo(body)} public`, priority: 'high' },
  'meta.deleted': {
    text: (body) => `${actor(body)} deleted this webhook of ${place(body)}; nothing more will come from it`,
    priority: 'high',
  },
  'milestone.created': {
    text: (body) => `${actor(body)} created milestone ${title(body, 'milestone.title')} in ${repo(body)}`,
  },
  'milestone.closed': {
    text: (body) => `${actor(body)} closed milestone ${title(body, 'milestone.title')} in ${repo(body)}`,
    priority: 'low',
  },
  'deploy_key.created': {
    text: (body) => `${actor(body)} added deploy key ${title(body, 'key.title')} to ${repo(body)}`,
  },
  'deploy_key.deleted': {
    text: (body) => `${actor(body)} removed deploy key ${title(body, 'key.title')} from ${repo(body)}`,
  },
  'branch_protection_rule.created': {
    text: (body) => `${actor(body)} protected ${title(body, 'rule.name')} in ${repo(body)}`,
  },
  'branch_protection_rule.edited': {
    text: (body) => `${actor(body)} changed the protection of ${title(body, 'rule.name')} in ${repo(body)}`,
  },
  'branch_protection_rule.deleted': {
    text: (body) => `${actor(body)} removed the protection of ${title(body, 'rule.name')} in ${repo(body)}`,
    priority: 'high',
  },
  'sponsorship.created': {
    text: (body) =>
      `${login(body, 'sponsorship.sponsor')} sponsors ${login(body, 'sponsorship.sponsorable')}${around(': ', title(body, 'sponsorship.tier.name'))}`,
  },
  'sponsorship.cancelled': {
    text: (body) =>
      `${login(body, 'sponsorship.sponsor')} no longer sponsors ${login(body, 'sponsorship.sponsorable')}`,
  },
  'sponsorship.pending_tier_change': {
    text: (body) =>
      `${login(body, 'sponsorship.sponsor')} will sponsor ${login(body, 'sponsorship.sponsorable')} with ${title(body, 'sponsorship.tier.name')} instead of ${title(body, 'changes.tier.from.name')}`,
  },
  'marketplace_purchase.purchased': {
    text: (body) =>
      `${login(body, 'marketplace_purchase.account')} bought ${title(body, 'marketplace_purchase.plan.name')}`,
  },
  'marketplace_purchase.cancelled': {
    text: (body) =>
      `${login(body, 'marketplace_purchase.account')} cancelled ${title(body, 'marketplace_purchase.plan.name')}`,
  },
  'installation.created': {
    text: (body) =>
      `${actor(body)} installed ${title(body, 'installation.app_slug') || 'an app'} for ${login(body, 'installation.account')}`,
  },
  'installation.deleted': {
    text: (body) =>
      `${actor(body)} uninstalled ${title(body, 'installation.app_slug') || 'an app'} from ${login(body, 'installation.account')}`,
  },
  'installation.suspend': {
    text: (body) =>
      `${actor(body)} suspended ${title(body, 'installation.app_slug') || 'an app'} for ${login(body, 'installation.account')}`,
  },
  'installation.unsuspend': {
    text: (body) =>
      `${actor(body)} resumed ${title(body, 'installation.app_slug') || 'an app'} for ${login(body, 'installation.account')}`,
  },
  'team.added_to_repository': {
    text: (body) => `${actor(body)} gave team ${title(body, 'team.name')} access to ${repo(body)}`,
  },
  'team.removed_from_repository': {
    text: (body) => `${actor(body)} took access to ${repo(body)} from team ${title(body, 'team.name')}`,
  },
  'org_block.blocked': {
    text: (body) => `${actor(body)} blocked ${login(body, 'blocked_user')} from ${repo(body)}`,
  },
};

/** Every event that no other file knows. */
export const anyOther: EventReader = (body, event) => {
  const [name = ''] = event.split('.');
  const quiet = entry(QUIET, name);
  if (quiet !== undefined) return ignored(event, quiet);
  const plainTask = plainly(body, event);
  const sentence = entry(SENTENCES, event) ?? entry(SENTENCES, name);
  if (sentence === undefined)
    return says(event, { ...plainTask, priority: 'low', tags: ['github', spoken(name)] });
  const content = oneLine(sentence.text(body), 400);
  return says(event, {
    content,
    url: plainTask.url,
    priority: sentence.priority,
    tags: ['github', spoken(name)],
    // What the sentence says is what makes it another one.
    dedupeKey: repoKey(body, event, content),
  });
};

export const rest: Readonly<Record<string, EventReader>> = { ping, star, watch: star };
