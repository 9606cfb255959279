// The names of payload values in templates.

/** Steps from the payload's root: names of fields and places in lists. */
export type Path = readonly (string | number)[];

const PLAIN = /^[A-Za-z_][\w-]*$/;
/** Names with another meaning in templates. */
const TAKEN = new Set('payload headers true false nil null empty blank and or contains'.split(' '));

/** As a template writes it: `repository.owner.login`, `alerts[0].labels["job-name"]`, `payload[0]`. */
export function spellPath(path: Path, root: 'payload' | 'headers' = 'payload'): string {
  const [first, ...rest] = path;
  const isPlain = typeof first === 'string' && PLAIN.test(first) && !TAKEN.has(first);
  if (root === 'payload' && isPlain) return first + rest.map(step).join('');
  return root + path.map(step).join('');
}

function step(name: string | number): string {
  if (typeof name === 'number') return `[${name}]`;
  if (PLAIN.test(name)) return `.${name}`;
  // Liquid knows no escapes, but either quote.
  return name.includes('"') ? `['${name}']` : `["${name}"]`;
}

/** The payload as templates see it: JSON and forms as their fields, anything else as one text. */
export function payloadOf(body: string, contentType: string): unknown {
  if (/x-www-form-urlencoded/i.test(contentType)) return Object.fromEntries(new URLSearchParams(body));
  try {
    return JSON.parse(body) as unknown;
  } catch {
    return body;
  }
}

/** The text with `inserted` in place of the selection, and the new cursor. */
export function insertAt(
  text: string,
  inserted: string,
  [from, to]: readonly [number, number],
): { text: string; cursor: number } {
  return { text: text.slice(0, from) + inserted + text.slice(to), cursor: from + inserted.length };
}
