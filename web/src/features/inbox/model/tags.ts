// Changes to the tags of a task.
import { MAX_TAGS } from '#core/contract/limits.ts';

export function removeTags(tags: readonly string[], removed: ReadonlySet<string>): string[] {
  return tags.filter((tag) => !removed.has(tag));
}

/** As many as a task may have; those that it has stay first. */
export function addTags(tags: readonly string[], added: readonly string[]): string[] {
  return [...new Set([...tags, ...added])].slice(0, MAX_TAGS);
}
