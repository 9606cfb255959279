// Entity tags of tasks, which are their versions, and conditional requests (RFC 9110, 8.8.3 and 13.1).
import type { FastifyRequest } from 'fastify';
import type { Task } from '#core/domain/task.ts';

/** The tag of the task as it is now: `"v3"`. Strong: nothing of a task changes without its version. */
export function taskTag({ version }: Pick<Task, 'version'>): string {
  return `"v${version}"`;
}

/** The versions that `If-Match` allows, undefined for any. Strong comparison: a weak tag allows none. */
export function allowedVersions({ headers }: FastifyRequest): ReadonlySet<number> | undefined {
  const header = headers['if-match']?.trim();
  if (header === undefined || header === '*') return undefined;
  return new Set(
    header.split(',').flatMap((tag) => {
      const version = /^"v([1-9]\d{0,14})"$/.exec(tag.trim())?.[1];
      return version === undefined ? [] : [Number(version)];
    }),
  );
}

/** Whether `If-None-Match` names this tag, by the weak comparison, or any. */
export function isKnown({ headers }: FastifyRequest, etag: string): boolean {
  const header = headers['if-none-match'];
  if (header === undefined) return false;
  if (header.trim() === '*') return true;
  const opaque = etag.replace(/^W\//, '');
  return header.split(',').some((candidate) => candidate.trim().replace(/^W\//, '') === opaque);
}
