// Lists the texts, numbers and booleans of a payload with their names: breadth first, at most a few hundred.
import { wordsOf } from '../redaction/mask.ts';

/** A text, number or boolean somewhere in a payload. */
export interface ScalarField {
  /** The field's name without case and separators: `htmlurl` for `html_url` and `htmlUrl`. */
  name: string;
  words: readonly string[];
  /** The same of the objects around it, the outermost first; lists do not count. */
  parents: readonly string[];
  value: string | number | boolean;
}

const MAX_FOUND = 300;
const MAX_DEPTH = 5;
const MAX_FIELDS = 100;

/** The scalar fields of a value; of a list, those of its first item. */
export function scalarFieldsOf(root: unknown): ScalarField[] {
  const found: ScalarField[] = [];
  const queue: { value: unknown; parents: string[] }[] = [{ value: root, parents: [] }];
  for (let at = 0; at < queue.length && found.length < MAX_FOUND; at++) {
    const { value, parents } = queue[at] as (typeof queue)[number];
    if (Array.isArray(value)) {
      if (queue.length < MAX_FOUND) queue.push({ value: (value as unknown[])[0], parents });
      continue;
    }
    if (typeof value !== 'object' || value === null) continue;
    for (const key of Object.keys(value).slice(0, MAX_FIELDS)) {
      const inner = (value as Record<string, unknown>)[key];
      const words = wordsOf(key.slice(0, 100));
      const name = words.join('');
      if (typeof inner === 'string' || typeof inner === 'number' || typeof inner === 'boolean') {
        if (found.length < MAX_FOUND) found.push({ name, words, parents, value: inner });
      } else if (parents.length < MAX_DEPTH && queue.length < MAX_FOUND) {
        queue.push({ value: inner, parents: [...parents, name] });
      }
    }
  }
  return found;
}
