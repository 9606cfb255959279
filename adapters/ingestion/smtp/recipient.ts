// Recipient and sender of an envelope. Comparisons ignore case, because relays change it.
import { domainToASCII } from 'node:url';

/** The target of a recipient's address. */
export type Recipient =
  | { kind: 'token'; token: string }
  /** An address of our domain that cannot be a token. */
  | { kind: 'unknown' }
  /** An address of another domain. */
  | { kind: 'foreign' };

/** RFC 5321, 4.5.3.1.1: a local part has at most 64 octets. */
const TOKEN = /^[a-z0-9_-]{1,64}$/;

/** `<token>@domain` and `anything+<token>@domain` name a token; in quotes too, as some libraries write. */
export function readRecipient(address: string, domain: string): Recipient {
  const at = address.lastIndexOf('@');
  if (at === -1 || plainDomain(address.slice(at + 1)) !== plainDomain(domain)) return { kind: 'foreign' };
  const local = address.slice(0, at).replace(/^"(.*)"$/, '$1');
  const token = tokenOf(local.slice(local.lastIndexOf('+') + 1));
  return TOKEN.test(token) ? { kind: 'token', token } : { kind: 'unknown' };
}

/** A token in the form it is looked up by. */
export function tokenOf(text: string): string {
  return text.trim().toLowerCase();
}

/** The address of an intake with this token. */
export function addressOf(token: string, domain: string): string {
  return `${tokenOf(token)}@${domain}`;
}

/** An entry of a list of senders: a whole address, or `@domain` for the domain and its subdomains. */
export const SENDER_PATTERN = String.raw`^[^\s@]*@[^\s@]+$`;

/** Whether a list of senders names this address; an empty list names everyone. */
export function isListedSender(list: readonly string[], address: string): boolean {
  if (list.length === 0) return true;
  const [local, domain] = splitAddress(address);
  return list.some((entry) => {
    const [wantedLocal, wantedDomain] = splitAddress(entry);
    if (wantedDomain === '') return false;
    if (wantedLocal !== '') return local === wantedLocal && domain === wantedDomain;
    return domain === wantedDomain || domain.endsWith(`.${wantedDomain}`);
  });
}

function splitAddress(address: string): [local: string, domain: string] {
  const at = address.lastIndexOf('@');
  return at === -1 ? ['', ''] : [address.slice(0, at).toLowerCase(), plainDomain(address.slice(at + 1))];
}

// smtp-server gives domains in Unicode, settings have either form; both have the same ASCII form.
function plainDomain(domain: string): string {
  const lower = domain.trim().replace(/\.$/, '').toLowerCase();
  return /^[a-z0-9.-]*$/.test(lower) ? lower : domainToASCII(lower);
}
