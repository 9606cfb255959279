// Reads the settings of the mail that leaves: the relay's address, who sends, who may be mailed.
import { isIPv4 } from 'node:net';
import { cleanLine } from '../text/clean-text.ts';
import { readEmail } from './email.ts';

/** Where mail is handed over (RFC 6409). */
export interface MailRelay {
  host: string;
  port: number;
  /**
   * TLS from the first byte (RFC 8314), by STARTTLS, without which nothing is sent, or none. Certificates are
   * always verified.
   */
  tls: 'implicit' | 'starttls' | 'none';
  credentials: { user: string; password: string } | null;
}

export interface MailSender {
  /** What mail programs show; empty for the address alone. */
  name: string;
  address: string;
}

/** Answers whether an address may be mailed. */
export type MailCheck = (address: string) => boolean;

const PORTS = { 'smtp:': 587, 'smtps:': 465 } as const;
const MAX_NAME_CHARS = 100;

/**
 * The relay of `smtp://user:password@host:587` or `smtps://host:465`, or null. `smtp` needs STARTTLS, unless
 * the host is this machine or `?starttls=off` follows; `?starttls=required` needs it here, too.
 */
export function readMailRelay(text: string): MailRelay | null {
  const url = URL.parse(text);
  if (url === null || (url.protocol !== 'smtp:' && url.protocol !== 'smtps:')) return null;
  const host =
    decoded(url.hostname)
      ?.replace(/^\[(.*)\]$/, '$1')
      .toLowerCase() ?? '';
  const [user, password] = [decoded(url.username), decoded(url.password)];
  const tls = tlsOf(url, host);
  const isBare = url.hash === '' && (url.pathname === '' || url.pathname === '/');
  if (!/^[a-z0-9.:_-]+$/.test(host) || url.port === '0' || tls === null || !isBare) return null;
  if (user === null || password === null || (user === '') !== (password === '')) return null;
  return {
    host,
    port: url.port === '' ? PORTS[url.protocol] : Number(url.port),
    tls,
    credentials: user === '' ? null : { user, password },
  };
}

function tlsOf({ protocol, searchParams }: URL, host: string): MailRelay['tls'] | null {
  const parameters = [...searchParams];
  const [name, value] = parameters[0] ?? [];
  if (protocol === 'smtps:') return name === undefined ? 'implicit' : null;
  if (name === undefined) return isThisMachine(host) ? 'none' : 'starttls';
  if (name !== 'starttls' || parameters.length > 1) return null;
  return value === 'required' ? 'starttls' : value === 'off' ? 'none' : null;
}

function isThisMachine(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIPv4(host) && host.startsWith('127.'));
}

function decoded(text: string): string | null {
  try {
    const result = decodeURIComponent(text);
    // SASL's PLAIN separates by NUL (RFC 4616).
    return /\p{Cc}/u.test(result) ? null : result;
  } catch {
    return null;
  }
}

/** `Qinbox <qinbox@example.com>` or an address alone; null where it is neither. */
export function readMailSender(text: string): MailSender | null {
  const [, shown = '', inBrackets] = /^([^<>]*)<([^<>]*)>$/.exec(text.trim()) ?? [];
  const reading = readEmail(inBrackets ?? text);
  const name = shown.trim().replace(/^"(.*)"$/, '$1');
  if ('fault' in reading || cleanLine(name, MAX_NAME_CHARS) !== name) return null;
  return { name, address: reading.email };
}

/**
 * The check that lets through these addresses and those of these domains (`@example.com`, each for itself and
 * not for those below it; `*` for everybody); null when one of them is none of these.
 */
export function createMailCheck(allowed: readonly string[]): MailCheck | null {
  const exact = new Set<string>();
  const domains = new Set<string>();
  for (const entry of allowed.filter((one) => one !== '*')) {
    const isDomain = entry.startsWith('@');
    const reading = readEmail(isDomain ? `x${entry}` : entry);
    if ('fault' in reading) return null;
    if (isDomain) domains.add(reading.email.slice('x@'.length));
    else exact.add(reading.email);
  }
  const everybody = allowed.includes('*');
  return (address) => {
    const reading = readEmail(address);
    if ('fault' in reading) return false;
    const domain = reading.email.slice(reading.email.indexOf('@') + 1);
    return everybody || exact.has(reading.email) || domains.has(domain);
  };
}
