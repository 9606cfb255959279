// The e-mail addresses that accounts may have, in the one form that is stored and compared: plain ASCII, so
// that no two accounts look alike (RFC 6531 allows more).
import { domainToASCII } from 'node:url';

/** The stored form, or why there is none, as the sentence that follows the field's name. */
export type EmailReading = { email: string } | { fault: string };

/** Longest address that SMTP can carry (RFC 5321, 4.5.3.1.3, without the brackets). */
const MAX_CHARACTERS = 254;
/** `atext` of RFC 5322 and dots; quoted local parts are nobody's. */
const LOCAL_PART = /^[\w.!#$%&'*+/=?^`{|}~-]{1,64}$/;
const LABEL = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?';
const DOMAIN = new RegExp(`^(?=.{1,253}$)${LABEL}(?:\\.${LABEL})*$`);
// Control and format characters (NUL, zero-width, text direction), spaces, unassigned ones.
const UNSEEN = /[\p{C}\p{Z}\s]/u;
const ASCII = /^[\x21-\x7e]*$/;

/**
 * Reads an address: trimmed, lower case, its domain in ASCII (`bücher.example` is `xn--bcher-kva.example`, by
 * UTS 46), which never equals the domain that it looks like.
 */
export function readEmail(text: string): EmailReading {
  const [local, domain, ...more] = trim(text).split('@');
  if (local === undefined || domain === undefined || more.length > 0) return not;
  if (UNSEEN.test(local + domain))
    return { fault: 'must be an e-mail address without spaces or unseen characters' };
  if (!ASCII.test(local))
    return { fault: 'must have only unaccented letters, digits and signs before the @' };
  const host = ASCII.test(domain) ? domain.toLowerCase() : asciiDomain(domain);
  const email = `${local.toLowerCase()}@${host}`;
  return LOCAL_PART.test(local) && DOMAIN.test(host) && email.length <= MAX_CHARACTERS ? { email } : not;
}

const not: EmailReading = { fault: 'must be an e-mail address' };

/**
 * The forms under which an account with this address may be stored: the present one, then the one of before
 * {@link readEmail}. Never one that only looks the same.
 */
export function storedForms(text: string): string[] {
  const reading = readEmail(text);
  const given = trim(text);
  const before = given.toLowerCase();
  // Small letters turn some that look like ASCII into ASCII (the sign for kelvin into a k).
  const isItself = ASCII.test(given) || (given.normalize('NFKC') === given && !ASCII.test(before));
  return [...new Set([...('email' in reading ? [reading.email] : []), ...(isItself ? [before] : [])])];
}

// ASCII in a domain must be a host name's already: the conversion would read the rest as parts of a URL.
function asciiDomain(domain: string): string {
  return /^[a-zA-Z0-9.\-\u0080-\u{10ffff}]+$/u.test(domain) ? domainToASCII(domain) : '';
}

function trim(text: string): string {
  return text.replace(/^[ \t\r\n]+|[ \t\r\n]+$/g, '');
}
