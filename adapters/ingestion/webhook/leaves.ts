// Finds the values of a payload that say something: breadth first, the outermost first, never more than a few hundred.
import { wordsOf } from './mask.ts';

/** A text, number or boolean somewhere in a payload. */
export interface Leaf {
  /** The field's name without case and separators: `htmlurl` for `html_url` and `htmlUrl`. */
  name: string;
  words: readonly string[];
  /** The same of the objects around it, the outermost first; lists do not count. */
  parents: readonly string[];
  value: string | number | boolean;
}

const MAX_LEAVES = 300;
const MAX_DEPTH = 5;
const MAX_FIELDS = 100;

/** The leaves of a value; of a list, those of its first item. */
export function leavesOf(root: unknown): Leaf[] {
  const leaves: Leaf[] = [];
  const queue: { value: unknown; parents: string[] }[] = [{ value: root, parents: [] }];
  for (let at = 0; at < queue.length && leaves.length < MAX_LEAVES; at++) {
    const { value, parents } = queue[at] as (typeof queue)[number];
    if (Array.isArray(value)) {
      if (queue.length < MAX_LEAVES) queue.push({ value: (value as unknown[])[0], parents });
      continue;
    }
    if (typeof value !== 'object' || value === null) continue;
    for (const key of Object.keys(value).slice(0, MAX_FIELDS)) {
      const inner = (value as Record<string, unknown>)[key];
      const words = wordsOf(key.slice(0, 100));
      const name = words.join('');
      if (typeof inner === 'string' || typeof inner === 'number' || typeof inner === 'boolean') {
        if (leaves.length < MAX_LEAVES) leaves.push({ name, words, parents, value: inner });
      } else if (parents.length < MAX_DEPTH && queue.length < MAX_LEAVES) {
        queue.push({ value: inner, parents: [...parents, name] });
      }
    }
  }
  return leaves;
}
