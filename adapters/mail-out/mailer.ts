// Hands mail to the operator's relay by nodemailer, over a few connections that are soon closed again. What
// is written is text, never a header, a recipient, a file or an address to fetch; no reason has a credential.
import { createHash } from 'node:crypto';
import { createTransport } from 'nodemailer';
import type { MailCheck, MailRelay, MailSender } from '#core/domain/mail-relay.ts';
import { readEmail } from '#core/domain/email.ts';
import type { Log } from '#core/ports/log.ts';
import type { Mailer, MailOutcome, OutgoingMail } from '#core/ports/mailer.ts';
import { cleanLine, cleanText } from '#core/text/clean-text.ts';
import { withTimeLimit } from '#core/time-limit.ts';

const MAX_CONNECTIONS = 3;
/** Below the shortest that relays wait for the next mail. */
const IDLE_MS = 5000;
const MAX_SUBJECT_CHARS = 200;
const MAX_REASON_CHARS = 300;

/** How long each is waited for, in milliseconds. */
interface MailLimits {
  /** Connection, TLS and greeting. */
  connectMs: number;
  /** Each answer. */
  answerMs: number;
  /** One mail, its wait for a connection included. */
  mailMs: number;
  /** What is under way when it closes. */
  closeMs: number;
}

const LIMITS: MailLimits = { connectMs: 10_000, answerMs: 30_000, mailMs: 60_000, closeMs: 3000 };

export interface SmtpMailerOptions {
  relay: MailRelay;
  from: MailSender;
  mayMail: MailCheck;
  log: Log;
  limits?: Partial<MailLimits>;
  /** Trusted instead of the system's certificates. */
  certificate?: string;
}

/** What nodemailer says of a mail that was not sent. */
interface SendError extends Error {
  code?: string;
  response?: string;
  responseCode?: number;
  /** The relay answered 5yz (RFC 5321, 4.2.1), but not 503. */
  permanent?: boolean;
}

/** Codes of 5yz that tell of the session, not of this mail (RFC 4954, 6; RFC 3207, 4). */
const SESSION_CODES = new Set([530, 534, 535, 538]);

export function createSmtpMailer(options: SmtpMailerOptions): Mailer {
  const { relay, from, mayMail, log } = options;
  const limits = { ...LIMITS, ...options.limits };
  const transport = createTransport(transportOptions(relay, limits, options.certificate));
  const closing = new AbortController();
  const underWay = new Set<Promise<MailOutcome>>();
  const hide = hideCredentials(relay);

  async function deliver(mail: OutgoingMail, to: string): Promise<MailOutcome> {
    try {
      await transport.sendMail({
        from,
        to: { name: '', address: to },
        envelope: { from: from.address, to: [to] },
        subject: subjectOf(mail.subject),
        text: cleanText(mail.text),
        textEncoding: 'quoted-printable',
        messageId: `<${idOf(mail.messageId)}@${domainOf(from.address)}>`,
        // RFC 3834, 5: nobody's absence is answered to it.
        headers: { 'Auto-Submitted': 'auto-generated' },
        signal: AbortSignal.any([AbortSignal.timeout(limits.mailMs), closing.signal]),
      });
      took();
      return { kind: 'sent' };
    } catch (error) {
      const fault = error as SendError;
      const reason = hide(reasonOf(fault, limits));
      if (isOfThisMail(fault)) return { kind: fault.permanent === true ? 'refused' : 'later', reason };
      warn(reason);
      return { kind: 'later', reason };
    }
  }

  /** Since the last warning, no mail has been taken. */
  let isWarned = false;

  function warn(cause: string): void {
    if (closing.signal.aborted || isWarned) return;
    isWarned = true;
    log.warn({ cause }, 'mail cannot be handed to the relay');
  }

  function took(): void {
    if (isWarned) log.info({}, 'the relay takes mail again');
    isWarned = false;
  }

  return {
    mayMail,
    async send(mail) {
      const reading = readEmail(mail.to);
      if ('fault' in reading) return { kind: 'refused', reason: `The address ${reading.fault}.` };
      if (closing.signal.aborted) return { kind: 'later', reason: 'The server is stopping.' };
      const sending = deliver(mail, reading.email);
      underWay.add(sending);
      return sending.finally(() => underWay.delete(sending));
    },
    async check() {
      try {
        await transport.verify();
        took();
        return true;
      } catch (error) {
        warn(hide(reasonOf(error as SendError, limits)));
        return false;
      }
    },
    async close() {
      await withTimeLimit(limits.closeMs, Promise.allSettled(underWay), () => []);
      closing.abort();
      transport.close({ force: true });
    },
  };
}

function transportOptions({ host, port, tls, credentials }: MailRelay, limits: MailLimits, ca?: string) {
  return {
    pool: true as const,
    host,
    port,
    secure: tls === 'implicit',
    requireTLS: tls === 'starttls',
    ignoreTLS: tls === 'none',
    ...(ca === undefined ? {} : { tls: { ca } }),
    ...(credentials === null
      ? {}
      : { auth: { user: credentials.user, pass: credentials.password }, forceAuth: true }),
    maxConnections: MAX_CONNECTIONS,
    idleTimeout: IDLE_MS,
    // The caller tries again, at times that are stored.
    maxRequeues: 0,
    dnsTimeout: limits.connectMs,
    connectionTimeout: limits.connectMs,
    greetingTimeout: limits.connectMs,
    socketTimeout: limits.answerMs,
    socketCloseTimeout: 1000,
    maxResponseSize: 64 * 1024,
    disableFileAccess: true,
    disableUrlAccess: true,
    xMailer: false as const,
    logger: false,
  };
}

/** Of a whole subject that is encoded here, so many characters in a word: 40 bytes at the most. */
const ENCODED_TOGETHER = 10;

/**
 * One line. Where it looks encoded already, who shows it would decode it into what was cleaned out of it: it
 * is encoded here, as it stands (RFC 2047, 2 and 5).
 */
function subjectOf(text: string): string {
  const line = cleanLine(text, MAX_SUBJECT_CHARS);
  if (!line.includes('=?')) return line;
  const characters = Array.from(line);
  const words: string[] = [];
  for (let at = 0; at < characters.length; at += ENCODED_TOGETHER) {
    const part = characters.slice(at, at + ENCODED_TOGETHER).join('');
    words.push(`=?UTF-8?B?${Buffer.from(part).toString('base64')}?=`);
  }
  return words.join(' ');
}

/** The relay's word on sender, recipient or content, not on the connection or who we are. */
function isOfThisMail({ code, responseCode }: SendError): boolean {
  return (code === 'EENVELOPE' || code === 'EMESSAGE') && !SESSION_CODES.has(responseCode ?? 0);
}

function reasonOf({ code, responseCode, response, message }: SendError, { mailMs }: MailLimits): string {
  if (code === 'EABORT') return `The relay did not take the mail within ${mailMs / 1000} seconds.`;
  // Its text is not shown: it may repeat what it was sent.
  if (code === 'EAUTH')
    return `The relay does not take the user name and password${responseCode === undefined ? '' : ` (${responseCode})`}.`;
  return cleanLine(response ?? message, MAX_REASON_CHARS);
}

/** A relay may repeat what it was sent; what could be a credential is taken out of its words. */
function hideCredentials({ credentials }: MailRelay): (text: string) => string {
  if (credentials === null) return (text) => text;
  const { user, password } = credentials;
  const base64 = (text: string) => Buffer.from(text).toString('base64');
  const secrets = [
    base64(`\0${user}\0${password}`),
    base64(password),
    encodeURIComponent(password),
    password,
  ];
  return (text) => secrets.reduce((shown, one) => shown.replaceAll(one, '…'), text);
}

/** The part of a Message-ID before the @ (RFC 5322, 3.6.4): the id itself where it can be. */
function idOf(id: string): string {
  return /^[\w-]+(?:\.[\w-]+)*$/.test(id) && id.length <= 100
    ? id
    : createHash('sha256').update(id).digest('hex');
}

function domainOf(address: string): string {
  return address.slice(address.indexOf('@') + 1);
}
