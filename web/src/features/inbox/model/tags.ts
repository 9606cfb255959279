// Changes to the tags of a task.
import { MAX_TAG_CHARACTERS, MAX_TAGS } from '#core/contract/limits.ts';
import { plural } from '../../../lib/text.ts';

export function removeTags(tags: readonly string[], removed: ReadonlySet<string>): string[] {
  return tags.filter((tag) => !removed.has(tag));
}

/** Those that it has stay first. */
export function addTags(tags: readonly string[], added: readonly string[]): string[] {
  return [...new Set([...tags, ...added])];
}

/** Why the server would refuse these tags, one list for each item; null when it would not. */
export function tagProblem(lists: readonly (readonly string[])[]): string | null {
  if (lists.some((tags) => tags.some((tag) => Array.from(tag).length > MAX_TAG_CHARACTERS)))
    return `A tag has at most ${MAX_TAG_CHARACTERS} characters.`;
  const over = lists.filter((tags) => tags.length > MAX_TAGS).length;
  if (over === 0) return null;
  const limit = `An item has at most ${MAX_TAGS} tags`;
  return lists.length === 1 ? `${limit}.` : `${limit}: ${plural(over, 'item')} would have more.`;
}
