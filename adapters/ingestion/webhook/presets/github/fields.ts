// What GitHub's events have in common: who did it, where, and the keys that tie follow-ups to the task they
// belong to.
import type { ParsedDelivery } from '#core/domain/delivery.ts';
import { field, isObject, line, link, raw } from '../read.ts';
import { key } from '../result.ts';
import { oneLine, spoken } from '../text.ts';

/** Reads one event; `event` is its name with its verb (`issues.opened`). */
export type EventReader = (body: unknown, event: string) => ParsedDelivery | null;

/** Who did it; apps without their `[bot]`. */
export function actor(body: unknown): string {
  return login(body, 'sender') || login(body, 'pusher') || 'Someone';
}

/** The login or name of a person, app or team at the path. */
export function login(body: unknown, path: string): string {
  return line(body, [`${path}.login`, `${path}.slug`, `${path}.name`], 60).replace(/\[bot\]$/, '');
}

/** `owner/name`, or the organisation when it is about no repository. */
export function repo(body: unknown): string {
  return line(body, ['repository.full_name', 'repository.name', 'organization.login'], 140) || 'GitHub';
}

/** The verb of the event. */
export function action(body: unknown): string {
  return line(body, 'action', 60);
}

/** A key of a thing in the repository. */
export function repoKey(body: unknown, ...parts: readonly string[]): string {
  return key(
    'github',
    raw(body, 'repository.full_name') || raw(body, 'repository.id') || raw(body, 'organization.login'),
    ...parts,
  );
}

/** What a commit, issue or alert is called: the first line of it. */
export function title(value: unknown, ...paths: string[]): string {
  const found = paths.map((path) => raw(value, path)).find((text) => text.trim() !== '') ?? '';
  return oneLine(found.trim().split(/[\r\n]/, 1)[0] ?? '', 160);
}

/** Where to click: the thing itself, else the repository. */
export function urlOf(body: unknown, ...paths: string[]): string {
  return link(body, ...paths, 'repository.html_url', 'organization.html_url');
}

/** `refs/heads/main` as `main`, for people. */
export function branchOf(ref: string): string {
  return oneLine(ref.replace(/^refs\/(heads|tags)\//, ''), 120);
}

/**
 * An event without a sentence of its own: `o/r: milestone created by ada (Spring)`. What it is about is the
 * object named like the event, or whatever object there is that has a name.
 */
export function plainly(body: unknown, event: string): { content: string; url: string; dedupeKey: string } {
  const [name = '', verb = ''] = event.split('.');
  const about = aboutOf(body, name);
  const called = title(
    about,
    'title',
    'name',
    'summary',
    'message',
    'tag_name',
    'login',
    'ref',
    'body',
    'key',
  );
  const who = actor(body);
  const did = `${spoken(name)}${verb === '' ? '' : ` ${spoken(verb)}`}`;
  return {
    content: `${repo(body)}: ${did} by ${who}${called === '' ? '' : ` (${called})`}`,
    url: link(about, 'html_url') || urlOf(body),
    dedupeKey: repoKey(body, event, raw(about, 'id') || raw(about, 'number') || called),
  };
}

const NOT_THE_SUBJECT = new Set([
  'repository',
  'sender',
  'organization',
  'installation',
  'enterprise',
  'changes',
]);

function aboutOf(body: unknown, name: string): unknown {
  const named = field(body, name);
  if (isObject(named)) return named;
  if (!isObject(body)) return undefined;
  return Object.entries(body).find(([part, value]) => !NOT_THE_SUBJECT.has(part) && isObject(value))?.[1];
}
