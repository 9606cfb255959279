// Checks that schemes share: comparison in constant time, secrets, the age of a signed time, replay keys.
import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { Type } from 'typebox';
import { TOLERANCE_MS, type Delivery } from './scheme.ts';

/** Whether two texts are equal, in a time that depends on neither their difference nor their lengths. */
export function sameText(a: string, b: string): boolean {
  return timingSafeEqual(sha256(a), sha256(b));
}

/** Whether the text is one of the secrets. All are compared, so that the time does not tell which it is. */
export function isOneOf(text: string, secrets: readonly string[]): boolean {
  let found = false;
  for (const secret of secrets) found = sameText(text, secret) || found;
  return found;
}

function sha256(data: string | Buffer): Buffer {
  return createHash('sha256').update(data).digest();
}

/** The secrets that prove a delivery: the present one, then the one before it. None that is empty. */
export function secretsOf({ secrets }: Pick<Delivery, 'secrets'>): string[] {
  return [secrets['secret'], secrets['previousSecret']].filter(
    (secret): secret is string => secret !== undefined && secret !== '',
  );
}

/** A text option, trimmed; `otherwise` when it is blank or no text. */
export function textOption(options: Delivery['options'], name: string, otherwise = ''): string {
  const value = options[name];
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : otherwise;
}

/** A header whose name the owner chose, in any case; undefined unless it was sent. */
export function headerOf(headers: Delivery['headers'], name: string): string | undefined {
  const lower = name.toLowerCase();
  return Object.hasOwn(headers, lower) ? headers[lower] : undefined;
}

export function hmac(key: string | Buffer, ...parts: readonly (string | Buffer)[]): Buffer {
  const mac = createHmac('sha256', key);
  for (const part of parts) mac.update(part);
  return mac.digest();
}

/** How a signature is written. */
export type Encoding = 'hex' | 'base64' | 'base64url';

/** A 32-byte signature as bytes, or null when the text is none. Padding and the case of hex do not matter. */
export function signatureBytes(text: string, encoding: Encoding): Buffer | null {
  const shape = encoding === 'hex' ? /^[0-9a-f]{64}$/i : /^[\w+/-]{43}=?$/;
  if (!shape.test(text)) return null;
  const bytes = Buffer.from(text, encoding);
  return bytes.length === 32 ? bytes : null;
}

/** Whether one of the keys signed these parts. All are tried, so that the time does not tell which did. */
export function signedBy(
  keys: readonly (string | Buffer)[],
  signatures: readonly Buffer[],
  parts: readonly (string | Buffer)[],
): boolean {
  let found = false;
  for (const key of keys) {
    const expected = hmac(key, ...parts);
    for (const signature of signatures) found = timingSafeEqual(expected, signature) || found;
  }
  return found;
}

/** Why a signed Unix time (in milliseconds from 12 digits on) is refused; null within ±5 minutes. */
export function staleness(timestamp: string, now: number): string | null {
  if (!/^\d{1,15}$/.test(timestamp)) return 'Its timestamp is not a Unix time.';
  const stated = Number(timestamp) * (timestamp.length >= 12 ? 1 : 1000);
  const ageMs = now - stated;
  if (Math.abs(ageMs) <= TOLERANCE_MS) return null;
  const distance = spell(Math.abs(ageMs));
  return ageMs > 0
    ? `It was signed ${distance} ago, over the 5 minutes that are allowed: it may be an old delivery sent again.`
    : `It is dated ${distance} from now, over the 5 minutes that are allowed: check the clocks of sender and server.`;
}

function spell(ms: number): string {
  const minutes = Math.floor(ms / 60_000);
  if (minutes < 120) return `${minutes} minutes`;
  const hours = Math.floor(minutes / 60);
  return hours < 72 ? `${hours} hours` : `${Math.floor(hours / 24)} days`;
}

/** A replay key of signed bytes: the same bytes are the same delivery, whatever id it has. */
export function keyOfBytes(...parts: readonly (string | Buffer)[]): string {
  const digest = createHash('sha256');
  for (const part of parts) digest.update(part);
  return `body:${digest.digest('base64url')}`;
}

/** A replay key of an id; a long one is hashed, since keys have 255 characters. */
export function keyOfId(id: string): string {
  return id.length <= 200 ? `id:${id}` : `id:#${sha256(id).toString('base64url')}`;
}

/**
 * Ids that well-known senders give a delivery and repeat in retries. Used where the delivery is not signed:
 * nobody can make a later delivery look like a repeat without guessing its id.
 */
const ID_HEADERS = (
  'idempotency-key webhook-id svix-id x-github-delivery x-gitea-delivery x-delivery-id ' +
  'x-amz-sns-message-id'
).split(' ');

/** The sender's own id of a delivery, or null. */
export function claimedId(headers: Delivery['headers']): string | null {
  for (const name of ID_HEADERS) {
    const id = headers[name]?.trim();
    if (id !== undefined && id !== '') return keyOfId(id);
  }
  // A CloudEvent is named by its source and id together (CloudEvents 1.0.2 §3.1).
  const id = headers['ce-id']?.trim() ?? '';
  return id === '' ? null : keyOfId(`${headers['ce-source'] ?? ''} ${id}`);
}

/** Characters of a secret, at least. Senders generate longer ones; people must not choose shorter ones. */
const MIN_SECRET_CHARACTERS = 8;

/** The form's fields for a secret and for the one before it. */
export function secretFields(title: string, description: string) {
  const options = { minLength: MIN_SECRET_CHARACTERS, maxLength: 1000, secret: true };
  return {
    secret: Type.String({ title, description, ...options }),
    previousSecret: Type.Optional(
      Type.String({
        title: `Previous ${title.toLowerCase()}`,
        description: 'Also good, until its grace is over. Kept by the program when the one above is changed.',
        ...options,
      }),
    ),
  };
}

/** The form's field for the name of a header. */
export function headerField(options: { title: string; description?: string; default: string }) {
  return Type.Optional(Type.String({ ...options, maxLength: 100, pattern: "^[A-Za-z0-9!#$%&'*+.^_`|~-]*$" }));
}
