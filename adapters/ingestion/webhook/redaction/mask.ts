// Hides what looks like a secret: by a field's name, and by patterns in a text. In time linear in any text.
import { maskUrlCredentials } from '#core/domain/url-credentials.ts';

/** Replaces a secret. */
export const MASK = '••••••';

const SECRET_WORDS = new Set(
  (
    'password passwd pwd passphrase passcode secret secrets token jwt bearer authorization auth cookie cookies credential ' +
    'credentials apikey cvv cvc csc otp pin ssn iban pan'
  ).split(' '),
);
/** Pairs of words, as they follow each other in a name. */
const SECRET_PAIRS =
  /(?:api|access|private|signing|secret|encryption|account|shared|auth|session|license|master|service|routing|integration|ingest|ingestion|write|webhook) ?key|card ?(?:number|no)|credit ?card|session ?id|connection ?string|security ?code|client ?secret|(?:access|auth|refresh|id|api|csrf|bearer|session) ?token|password|passwd/;
/** Words of fields that are about a secret and hold none: `token_count`, `password_changed_at`. */
const ABOUT = new Set(
  'count type expires expiry expiration at name length limit used usage status state enabled scanning scan reset changed updated'.split(
    ' ',
  ),
);

/** Every name of a secret matches this; most other names do not, which saves the work below. */
const HINT =
  /pass|pwd|secret|token|jwt|bearer|auth|cookie|cred|key|cv[vc]|csc|otp|pin|ssn|iban|pan|session|card|conn|code/i;

/** Whether a field of this name holds a secret: `apiKey`, `x-auth-token`, `DB_PASSWORD`. */
export function isSecretName(name: string): boolean {
  if (!HINT.test(name)) return false;
  const words = wordsOf(name.slice(0, 100));
  if (words.some((word) => ABOUT.has(word))) return false;
  return words.some((word) => SECRET_WORDS.has(word)) || SECRET_PAIRS.test(words.join(' '));
}

/** Which fields of an object hold a secret. */
export function secretFieldsOf(object: object): (name: string) => boolean {
  const { name: title, key, token, user, message } = object as Readonly<Record<string, unknown>>;
  // Variables and headers often come as `{ name: "DB_PASSWORD", value: "…" }`.
  const label = title ?? key;
  const isPair = typeof label === 'string' && isSecretName(label);
  // Pushover's user key stands beside the token of its application (pushover.net/api).
  const isPushover =
    isText(token) && isText(user) && (message !== undefined || /^[A-Za-z0-9]{30,31}(?:,|$)/.test(user));
  return (name) =>
    isSecretName(name) ||
    (isPair && name.toLowerCase() === 'value') ||
    (isPushover && name.toLowerCase() === 'user');
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

/** A secret's mask. Null, an empty text and booleans are no secrets. */
export function hidden(value: unknown): unknown {
  return value === null || value === '' || typeof value === 'boolean' ? value : MASK;
}

/** The words of a name in camelCase, snake_case, kebab-case or dotted, lower case. */
export function wordsOf(name: string): string[] {
  return name
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');
}

// Each pattern begins at a word boundary of its own, so that no text is scanned twice.
const PRIVATE_KEY = /-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]{0,50}-----|$)/g;
const JWT = /(?<![\w.-])eyJ[\w-]{8,}\.[\w-]{8,}(?:\.[\w-]*)?/g;
const KEYS =
  /(?<![\w-])(?:(?:sk|pk|rk)_(?:live|test)_\w{10,}|whsec_[\w+/=]{16,}|gh[oprsu]_\w{30,}|github_pat_\w{20,}|glpat-[\w-]{18,}|xox[a-z]-[\w-]{10,}|xapp-[\w-]{10,}|A(?:KIA|SIA)[A-Z\d]{16}|AIza[\w-]{30,}|sk-[\w-]{20,}|npm_\w{30,}|SG\.[\w-]{16,}\.[\w-]{16,}|hvs\.[\w-]{20,}|ya29\.[\w-]{20,}|dop_v1_\w{20,}|qi_\w{30,})/g;
const SCHEME = /(?<![\w-])(bearer|basic) {1,3}[\w.~+/=-]{12,}/gi;
const ASSIGNMENT =
  /(?<![a-z\d])(password|passwd|pwd|secret|token|(?:api|access|routing|service|integration)[_-]?key|client[_-]?secret|access[_-]?token)("?\s{0,3}[:=]\s{0,3}"?)([^\s"'&,;<>]{3,})/gi;
/** A field of a query or a form, with any value. */
const QUERY = /(?<=[?&]|^)([\w.-]{1,60})=[^\s&;"'<>#]{1,2000}/g;
const DIGITS = /(?<![\d.,-])\d(?:[ -]?\d){13,18}(?![\d.,-])/g;

/** The text with keys, tokens, passwords and card numbers hidden. */
export function maskText(text: string): string {
  return maskUrlCredentials(text)
    .replace(PRIVATE_KEY, MASK)
    .replace(JWT, MASK)
    .replace(KEYS, MASK)
    .replace(SCHEME, `$1 ${MASK}`)
    .replace(ASSIGNMENT, (all: string, name: string, sign: string, value: string) =>
      /\d/.test(value) || value.length >= 16 ? name + sign + MASK : all,
    )
    .replace(QUERY, (all: string, name: string) => (isSecretName(name) ? `${name}=${MASK}` : all))
    .replace(DIGITS, (digits: string) => (isCardNumber(digits) ? MASK : digits));
}

const PUSHOVER = [/(?<=[?&]|^)token=/m, /(?<=[?&]|^)message=/m];
const QUERY_USER = /(?<=[?&]|^)(user)=[^\s&;"'<>#]{1,2000}/gm;
const JSON_PAIR = /"([^"\\]{1,100})"(\s{0,10}:\s{0,10})"(?:[^"\\]|\\.){1,5000}"?/g;
const XML_PAIR = /<([\w.:-]{1,100})>([^<]{1,5000})/g;
const PART = /(name="?([^"\r\n]{1,100})"?\r?\n\r?\n)([^\r\n]{1,5000})/g;

/** As {@link maskText}, and by their names fields of JSON, XML and multipart: for a body as it came. */
export function maskMarkup(text: string): string {
  const isPushover = PUSHOVER.every((field) => field.test(text));
  return maskText(isPushover ? text.replace(QUERY_USER, `$1=${MASK}`) : text)
    .replace(JSON_PAIR, (all: string, name: string, colon: string) =>
      isSecretName(name) ? `"${name}"${colon}"${MASK}"` : all,
    )
    .replace(XML_PAIR, (all: string, name: string) => (isSecretName(name) ? `<${name}>${MASK}` : all))
    .replace(PART, (all: string, head: string, name: string) => (isSecretName(name) ? head + MASK : all));
}

/** Whether the digits are a payment card's: its brand's length, and the Luhn check (ISO/IEC 7812-1). */
export function isCardNumber(text: string): boolean {
  const digits = text.replaceAll(/[ -]/g, '');
  const brand =
    /^(?:4\d{15}|4\d{18}|5[1-5]\d{14}|2[2-7]\d{14}|3[47]\d{13}|3(?:0[0-5]|[68]\d)\d{11}|6(?:011|4[4-9]\d|5\d\d)\d{12}|35\d{14})$/;
  if (!brand.test(digits)) return false;
  let sum = 0;
  for (let at = 0; at < digits.length; at++) {
    const digit = digits.charCodeAt(digits.length - 1 - at) - 48;
    const doubled = at % 2 === 1 ? digit * 2 : digit;
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
}
