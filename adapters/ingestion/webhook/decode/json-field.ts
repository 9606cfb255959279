// The JSON in a field of a form: many senders put all that they say into one, beside a file or a token.
import { looksLikeJson, readJson } from './json.ts';

/** Fields that GitHub and Slack, Discord and others use for it, the surest first. */
const NAMES = ['payload', 'payload_json', 'data', 'event', 'json'];
/** These have the whole message, whatever stands beside them. */
const WHOLE = new Set(['payload', 'payload_json']);

/**
 * The JSON where it is all that the form says, else the fields with it in its place. `typed` is the field
 * whose part says that it is JSON. One field is read, so that a form costs no more than a body of JSON.
 */
export function withJsonField(fields: Readonly<Record<string, unknown>>, typed: string | null): unknown {
  for (const name of typed === null ? NAMES : [typed, ...NAMES]) {
    const text = Object.hasOwn(fields, name) ? fields[name] : undefined;
    if (typeof text !== 'string' || !looksLikeJson(text)) continue;
    const read = readJson(text);
    if (!read.ok) continue;
    const texts = Object.values(fields).filter((value) => typeof value === 'string' || Array.isArray(value));
    return WHOLE.has(name) || texts.length === 1 ? read.value : { ...fields, [name]: read.value };
  }
  return fields;
}
