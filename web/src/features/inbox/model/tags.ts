// Tags of several tasks at once.
import type { Task } from '#core/contract/index.ts';
import { MAX_TAGS } from '#core/contract/limits.ts';

/** Each tag and how many of the tasks have it: those of most first. */
export function countTags(tasks: readonly Task[]): { tag: string; count: number }[] {
  const counts = new Map<string, number>();
  for (const { tags } of tasks) for (const tag of tags) counts.set(tag, (counts.get(tag) ?? 0) + 1);
  return [...counts]
    .map(([tag, count]) => ({ tag, count }))
    .toSorted((a, b) => b.count - a.count || (a.tag < b.tag ? -1 : 1));
}

export function removeTags(tags: readonly string[], removed: ReadonlySet<string>): string[] {
  return tags.filter((tag) => !removed.has(tag));
}

/** As many as a task may have; those that it has stay first. */
export function addTags(tags: readonly string[], added: readonly string[]): string[] {
  return [...new Set([...tags, ...added])].slice(0, MAX_TAGS);
}
