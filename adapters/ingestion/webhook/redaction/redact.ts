// Takes the sender's credentials out of a delivery before it is read, shown or stored: fields with the name
// of a secret, the same text elsewhere in the body, and passwords in addresses. In time linear in the body.
import { maskUrlCredentials } from '#core/domain/url-credentials.ts';
import { hidden, MASK, maskMarkup, secretFieldsOf } from './mask.ts';
import type { Body } from '../decode/body.ts';

/** Credentials that are searched for elsewhere in the body; words of a language are none. */
const MAX_CREDENTIALS = 20;
const LIKE_A_KEY = /^(?=\S{8,200}$)(?:\S*\d|\S{16,})/;

/** The body without credentials; where there were some, the original value is under `raw`. */
export function redact(body: Body): Body {
  if (body.form === 'empty' || body.form === 'bytes') return body;
  if (body.form === 'text') {
    const text = maskMarkup(body.text);
    return text === body.text ? body : { ...body, value: text, text, raw: body.value };
  }
  const found = new Set<string>();
  const named = withoutSecrets(body.value, found);
  const value = found.size === 0 ? named : scrubbed(named, anyOf(found));
  return value === body.value ? body : { ...body, value, text: JSON.stringify(value), raw: body.value };
}

function anyOf(texts: ReadonlySet<string>): RegExp {
  return new RegExp([...texts].map((text) => text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')).join('|'), 'g');
}

function withoutSecrets(value: unknown, found: Set<string>): unknown {
  if (typeof value === 'string') return maskUrlCredentials(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return mapped(value, (item) => withoutSecrets(item, found));
  const isSecret = secretFieldsOf(value);
  // The token for confirming a subscription (Amazon SNS) is in the address that the owner is to open.
  const isSearched = !Object.hasOwn(value, 'SubscribeURL');
  return mappedFields(value, (inner, name) => {
    if (!isSecret(name)) return withoutSecrets(inner, found);
    if (isSearched && typeof inner === 'string' && found.size < MAX_CREDENTIALS && LIKE_A_KEY.test(inner))
      found.add(inner);
    return hidden(inner);
  });
}

/** Hides matches of `credentials` in every text. */
function scrubbed(value: unknown, credentials: RegExp): unknown {
  if (typeof value === 'string') return value === MASK ? value : value.replace(credentials, MASK);
  if (typeof value !== 'object' || value === null) return value;
  return Array.isArray(value)
    ? mapped(value, (item) => scrubbed(item, credentials))
    : mappedFields(value, (inner) => scrubbed(inner, credentials));
}

// An unchanged list stays the same object, so that callers can compare.
function mapped(list: readonly unknown[], change: (item: unknown) => unknown): readonly unknown[] {
  const changed = list.map(change);
  return changed.every((item, index) => item === list[index]) ? list : changed;
}

function mappedFields(object: object, change: (value: unknown, name: string) => unknown): object {
  let isChanged = false;
  const fields = Object.entries(object).map(([name, value]) => {
    const after = change(value, name);
    isChanged ||= after !== value;
    return [name, after] as const;
  });
  return isChanged ? Object.fromEntries(fields) : object;
}
