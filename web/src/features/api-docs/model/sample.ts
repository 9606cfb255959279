// A value that fits a schema, to begin a request with: its examples where it has some. Pure.
import type { ApiDocument, Schema } from './document.ts';

/** As deep as bodies go; a schema that contains itself ends there. */
const MAX_DEPTH = 6;

type Inner = (part: Schema, name?: string) => unknown;

/**
 * Objects have what they must have, and what has an example. A text without one is the name of its field, for
 * people to replace.
 */
export function sampleOf(schema: Schema, document: ApiDocument, name = 'text', depth = 0): unknown {
  if (schema.format === 'date-time') return tomorrow();
  const known = schema.examples?.[0] ?? schema.enum?.[0];
  if (known !== undefined) return known;
  if (depth > MAX_DEPTH) return null;
  const inner: Inner = (part, partName = name) => sampleOf(part, document, partName, depth + 1);
  const shape = document.components.schemas[schema.$ref?.split('/').at(-1) ?? ''];
  if (shape !== undefined) return inner(shape);
  if (schema.anyOf !== undefined) return choiceOf(schema.anyOf, inner);
  if (schema.properties !== undefined) return objectOf(schema, inner);
  return plainOf(schema, name, inner);
}

/** Null is better than a made-up name of something. */
function choiceOf(choices: readonly Schema[], inner: Inner): unknown {
  const [first = {}] = choices.filter(({ type }) => type !== 'null');
  const isMadeUp = first.properties === undefined && first.examples === undefined && first.$ref === undefined;
  return isMadeUp && choices.some(({ type }) => type === 'null') ? null : inner(first);
}

function objectOf({ properties = {}, required = [] }: Schema, inner: Inner): object {
  const entries = Object.entries(properties);
  const wanted = entries.filter(([name, part]) => required.includes(name) || hasExample(part));
  // One that needs nothing may still refuse an empty object.
  return Object.fromEntries(
    (wanted.length > 0 ? wanted : entries.slice(0, 1)).map(([name, part]) => [name, inner(part, name)]),
  );
}

function hasExample({ examples, format, type }: Schema): boolean {
  return examples !== undefined && format !== 'date-time' && typeof type === 'string';
}

function plainOf(schema: Schema, name: string, inner: Inner): unknown {
  const type = typeof schema.type === 'string' ? schema.type : schema.type?.[0];
  if (type === 'array')
    return schema.minItems === 0 ? [] : [inner(schema.items ?? {}, name.replace(/s$/, ''))];
  if (type === 'object') return {};
  if (type === 'integer' || type === 'number') return schema.minimum ?? 1;
  if (type === 'boolean') return true;
  if (type === 'null') return null;
  return name;
}

/** The same hour of the next day: the times of examples are over. */
function tomorrow(): string {
  const hourMs = 3_600_000;
  return new Date((Math.floor(Date.now() / hourMs) + 24) * hourMs).toISOString();
}
