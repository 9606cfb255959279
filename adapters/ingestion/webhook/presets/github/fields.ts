// What GitHub's events have in common: who did it, where, and the keys that tie follow-ups to their task.
import type { ParsedDelivery } from '#core/domain/delivery.ts';
import { line, link, raw } from '../read.ts';
import { key, says } from '../result.ts';
import { excerpt, lines, oneLine, plain } from '../text.ts';

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

/** A comment: who made it `on` a thing (`issue #3 in o/r`), and its first words. */
export function comment(
  body: unknown,
  event: string,
  on: string,
  more: { url: string; dedupeKey: string; number: string; file?: string },
): ParsedDelivery {
  const { url, dedupeKey, ...facts } = more;
  const said = plain(raw(body, 'comment.body'));
  return says(event, {
    content: lines(`${actor(body)} commented ${on}`, excerpt(said, 300)),
    tags: ['github', 'comment'],
    url,
    dedupeKey,
    metadata: { repository: repo(body), ...facts, body: said },
  });
}

/** Who is now assigned, as a person says it. */
export function assigned(body: unknown, what: string): string {
  const assignee = login(body, 'assignee');
  return `${actor(body)} assigned ${assignee === actor(body) ? 'themselves' : assignee} to ${what}`;
}
