// GitHub's remaining events: those that have a sentence of their own, and one sentence for all others.
import type { Priority } from '#core/contract/index.ts';
import { entries, entry, field, isObject, line, link, raw } from '../read.ts';
import { ignored, says } from '../result.ts';
import { joined } from '#core/text/parts.ts';
import { around, oneLine, spoken } from '../text.ts';
import { action, actor, login, repo, repoKey, title, urlOf, type EventReader } from './fields.ts';

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

/** Sentences with fields in braces: a person, a title, or one of {@link FACTS}. */
const SENTENCES: Readonly<Record<string, string>> = {
  'member.added': '{member} is now a collaborator of {repo}',
  'member.removed': '{member} is no longer a collaborator of {repo}',
  'membership.added': '{actor} added {member} to team {team.name} of {repo}',
  'membership.removed': '{actor} removed {member} from team {team.name} of {repo}',
  'organization.member_added': '{membership.user} joined {repo}',
  'organization.member_removed': '{membership.user} left {repo}',
  'organization.member_invited': '{actor} invited {invited} to {repo}',
  'repository.created': '{actor} created repository {repo}',
  'repository.deleted': '{actor} deleted repository {repo}',
  'repository.archived': '{actor} archived {repo}',
  'repository.privatized': '{actor} made {repo} private',
  'repository.publicized': '{actor} made {repo} public',
  'repository.renamed': '{actor} renamed {changes.repository.name.from} to {repo}',
  'repository.transferred': '{actor} moved {repository.name} to {repo}{origin}',
  public: '{actor} made {repo} public',
  'meta.deleted': '{actor} deleted this webhook of {place}; nothing more will come from it',
  'milestone.created': '{actor} created milestone {milestone.title} in {repo}',
  'milestone.closed': '{actor} closed milestone {milestone.title} in {repo}',
  'deploy_key.created': '{actor} added deploy key {key.title} to {repo}',
  'deploy_key.deleted': '{actor} removed deploy key {key.title} from {repo}',
  'branch_protection_rule.created': '{actor} protected {rule.name} in {repo}',
  'branch_protection_rule.edited': '{actor} changed the protection of {rule.name} in {repo}',
  'branch_protection_rule.deleted': '{actor} removed the protection of {rule.name} in {repo}',
  'sponsorship.created': '{sponsorship.sponsor} sponsors {sponsorship.sponsorable}{tier}',
  'sponsorship.cancelled': '{sponsorship.sponsor} no longer sponsors {sponsorship.sponsorable}',
  'sponsorship.pending_tier_change':
    '{sponsorship.sponsor} will sponsor {sponsorship.sponsorable} with {sponsorship.tier.name} instead of {changes.tier.from.name}',
  'marketplace_purchase.purchased': '{marketplace_purchase.account} bought {marketplace_purchase.plan.name}',
  'marketplace_purchase.cancelled':
    '{marketplace_purchase.account} cancelled {marketplace_purchase.plan.name}',
  'installation.created': '{actor} installed {app} for {installation.account}',
  'installation.deleted': '{actor} uninstalled {app} from {installation.account}',
  'installation.suspend': '{actor} suspended {app} for {installation.account}',
  'installation.unsuspend': '{actor} resumed {app} for {installation.account}',
  'team.added_to_repository': '{actor} gave team {team.name} access to {repo}',
  'team.removed_from_repository': '{actor} took access to {repo} from team {team.name}',
  wiki: '{actor} {action} wiki page {page} of {repo}',
  'org_block.blocked': '{actor} blocked {blocked_user} from {repo}',
};

const FACTS: Readonly<Record<string, (body: unknown) => string>> = {
  actor,
  action,
  repo,
  place,
  app: (body) => title(body, 'installation.app_slug') || 'an app',
  invited: (body) => line(body, ['user.login', 'invitation.login', 'invitation.email'], 80) || 'somebody',
  origin: (body) =>
    around(
      ' from ',
      title(body, ...['user', 'organization'].map((kind) => `changes.owner.from.${kind}.login`)),
    ),
  tier: (body) => around(': ', title(body, 'sponsorship.tier.name')),
};

const PRIORITIES: Readonly<Record<string, Priority>> = {
  'repository.deleted': 'high',
  'repository.publicized': 'high',
  public: 'high',
  'meta.deleted': 'high',
  'milestone.closed': 'low',
  'branch_protection_rule.deleted': 'high',
  wiki: 'low',
};

function sentenceOf(body: unknown, template: string): string {
  const fill = (_: string, path: string): string =>
    entry(FACTS, path)?.(body) ?? (login(body, path) || title(body, path));
  return oneLine(template.replace(/\{([\w.]+)\}/g, fill), 400);
}

/** Every event that no other file knows; without a sentence: `o/r: milestone created by ada (Spring)`. */
export const anyOther: EventReader = (body, event) => {
  const [name = '', verb = ''] = event.split('.');
  const quiet = entry(QUIET, name);
  if (quiet !== undefined) return ignored(event, quiet);
  const about = aboutOf(body, name);
  const common = { url: link(about, 'html_url') || urlOf(body), tags: ['github', spoken(name)] };
  const known = [event, name].find((each) => entry(SENTENCES, each) !== undefined);
  if (known !== undefined) {
    const content = sentenceOf(body, SENTENCES[known] ?? '');
    // The sentence is part of the key, because it says what the event is about.
    const dedupeKey = repoKey(body, event, content);
    return says(event, { ...common, content, priority: entry(PRIORITIES, known), dedupeKey });
  }
  const called = title(about, ...NAME_FIELDS);
  const did = joined(' ', [spoken(name), spoken(verb)]);
  return says(event, {
    ...common,
    content: `${repo(body)}: ${did} by ${actor(body)}${around(' (', called, ')')}`,
    priority: 'low',
    dedupeKey: repoKey(body, event, raw(about, 'id') || raw(about, 'number') || called),
  });
};

const NAME_FIELDS = 'title name summary message tag_name login ref body key'.split(' ');
const NOT_THE_SUBJECT = 'repository sender organization installation enterprise changes'.split(' ');

/** The object named like the event, or whatever object there is that is not about its circumstances. */
function aboutOf(body: unknown, name: string): unknown {
  const named = field(body, name);
  if (isObject(named)) return named;
  return entries(body, '').find(([part, value]) => !NOT_THE_SUBJECT.includes(part) && isObject(value))?.[1];
}

export const rest: Readonly<Record<string, EventReader>> = { ping, star, watch: star };
