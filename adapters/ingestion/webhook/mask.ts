// Hides what looks like a secret, by the name of a field and by the look of a text. In time linear in the text, whatever it is.

/** What stands where a secret was. */
export const MASK = '••••••';

const SECRET_WORDS = new Set(
  (
    'password passwd pwd passphrase passcode secret secrets token jwt bearer authorization auth cookie cookies credential ' +
    'credentials apikey cvv cvc csc otp pin ssn iban pan'
  ).split(' '),
);
/** Pairs of words, as they follow each other in a name. */
const SECRET_PAIRS =
  /(?:api|access|private|signing|secret|encryption|account|shared|auth|session|license|master|service) ?key|card ?(?:number|no)|credit ?card|session ?id|connection ?string|security ?code|client ?secret|(?:access|auth|refresh|id|api|csrf|bearer|session) ?token|password|passwd/;
/** Words that say that the field is about a secret, and is none: `token_count`, `password_changed_at`. */
const ABOUT = new Set(
  'count type expires expiry expiration at name length limit used usage status state enabled scanning scan reset changed updated'.split(
    ' ',
  ),
);

/** Whether a field of this name holds a secret: `apiKey`, `x-auth-token`, `DB_PASSWORD`. */
export function isSecretName(name: string): boolean {
  const words = wordsOf(name.slice(0, 100));
  if (words.some((word) => ABOUT.has(word))) return false;
  return words.some((word) => SECRET_WORDS.has(word)) || SECRET_PAIRS.test(words.join(' '));
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

// Each pattern begins where no letter, digit or dash stands before, so that no text is walked over twice.
const PRIVATE_KEY = /-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]{0,50}-----|$)/g;
const JWT = /(?<![\w.-])eyJ[\w-]{8,}\.[\w-]{8,}(?:\.[\w-]*)?/g;
const KEYS =
  /(?<![\w-])(?:(?:sk|pk|rk)_(?:live|test)_\w{10,}|whsec_[\w+/=]{16,}|gh[oprsu]_\w{30,}|github_pat_\w{20,}|glpat-[\w-]{18,}|xox[a-z]-[\w-]{10,}|xapp-[\w-]{10,}|A(?:KIA|SIA)[A-Z\d]{16}|AIza[\w-]{30,}|sk-[\w-]{20,}|npm_\w{30,}|SG\.[\w-]{16,}\.[\w-]{16,}|hvs\.[\w-]{20,}|ya29\.[\w-]{20,}|dop_v1_\w{20,}|qi_\w{30,})/g;
const SCHEME = /(?<![\w-])(bearer|basic) {1,3}[\w.~+/=-]{12,}/gi;
const URL_CREDENTIALS = /:\/\/[^\s/:@]{0,200}:[^\s/@]{1,200}@/g;
const ASSIGNMENT =
  /(?<![a-z\d])(password|passwd|pwd|secret|token|api[_-]?key|access[_-]?key|client[_-]?secret|access[_-]?token)("?\s{0,3}[:=]\s{0,3}"?)([^\s"'&,;<>]{3,})/gi;
const DIGITS = /(?<![\d.,-])\d(?:[ -]?\d){13,18}(?![\d.,-])/g;

/** The text with keys, tokens, passwords and card numbers hidden. */
export function maskText(text: string): string {
  return text
    .replace(PRIVATE_KEY, MASK)
    .replace(JWT, MASK)
    .replace(KEYS, MASK)
    .replace(SCHEME, `$1 ${MASK}`)
    .replace(URL_CREDENTIALS, `://${MASK}@`)
    .replace(ASSIGNMENT, (all: string, name: string, sign: string, value: string) =>
      /\d/.test(value) || value.length >= 16 ? name + sign + MASK : all,
    )
    .replace(DIGITS, (digits: string) => (isCardNumber(digits) ? MASK : digits));
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
