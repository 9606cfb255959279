// What GitLab's events have in common: who did it, where, and the keys that tie follow-ups to their task.
import type { ParsedDelivery } from '#core/domain/delivery.ts';
import { line, link, raw } from '../read.ts';
import { key } from '../result.ts';
import { oneLine } from '../text.ts';

/** Reads one event. */
export type EventReader = (body: unknown) => ParsedDelivery | null;

/** Who did it. */
export function who(body: unknown): string {
  return line(body, ['user.name', 'user_name', 'user.username', 'user_username'], 60) || 'Someone';
}

/** `group/name`. */
export function project(body: unknown): string {
  const paths = [
    'project.path_with_namespace',
    'project.name',
    'group_path',
    'group.full_path',
    'project_name',
    'repository.name',
    'wiki.path_with_namespace',
  ];
  return line(body, paths, 140) || 'GitLab';
}

/** A key of a thing in the project. */
export function projectKey(body: unknown, ...parts: readonly string[]): string {
  return key(
    'gitlab',
    raw(body, 'project.path_with_namespace') || raw(body, 'project_id') || project(body),
    ...parts,
  );
}

/** What a commit, issue or request is called: the first line of it. */
export function called(value: unknown, ...paths: string[]): string {
  const found = paths.map((path) => raw(value, path).trim()).find((text) => text !== '') ?? '';
  return oneLine(found.split(/[\r\n]/, 1)[0] ?? '', 160);
}

/** Where to click: one of the paths, else the project. */
export function home(body: unknown, ...paths: string[]): string {
  return link(body, ...paths, 'project.web_url', 'repository.homepage');
}
