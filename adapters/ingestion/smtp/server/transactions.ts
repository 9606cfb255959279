// The commands up to DATA: connections, passwords that are tokens, recipients. While the store cannot be
// reached the answer is 4xx, never 5xx.
import type { SMTPServerAuthentication, SMTPServerSession } from 'smtp-server';
import type { IntakeService, IntakeWithSecrets } from '#core/ports/adapter/intake.ts';
import { isListedSender, readRecipient, tokenOf } from '../recipient.ts';
import { mustBeProven, senderRulesOf } from '../settings.ts';
import { notAuthorized, REPLIES, replyOf, type Reply } from './reply.ts';
import type { Throttle } from './throttle.ts';

/** State of one session. */
export interface SessionState {
  /** Whether it counts against the connections of its address. */
  isCounted: boolean;
  /** The intake whose token was given as password. */
  signedIn: { token: string; intakeId: string } | null;
  /** Intakes of the recipients of the message in flight, by id. */
  readonly recipients: Map<string, IntakeWithSecrets>;
  /** The rules for senders that all of them share. */
  policy: string | null;
}

export type Transactions = ReturnType<typeof createTransactions>;

export interface TransactionParts {
  intakeService: Pick<IntakeService, 'find' | 'checkPaused' | 'authorize' | 'refuse'>;
  throttle: Throttle;
  smtpDomain: string;
}

/** The id of the message in flight, for logs and for the sender. */
export function requestIdOf({ id, transaction }: SMTPServerSession): string {
  return `mail-${id}-${transaction}`;
}

/** Sender of the message in flight; empty for a bounce. */
export function senderOf({ envelope }: SMTPServerSession): string {
  return envelope.mailFrom === false ? '' : envelope.mailFrom.address;
}

/** Whether a message has begun (MAIL) and is not over. Before the greeting a session has no envelope. */
export function hasBegun(session: SMTPServerSession): boolean {
  return 'envelope' in session && session.envelope.mailFrom !== false;
}

export function isSignedIn({ user }: SMTPServerSession): boolean {
  return user !== undefined && user !== false;
}

/** Id of the intake whose token the client has given as its password, or null. */
export function signedInForOf(session: SMTPServerSession, { signedIn }: SessionState): string | null {
  return isSignedIn(session) ? (signedIn?.intakeId ?? null) : null;
}

export function createTransactions({ intakeService, throttle, smtpDomain }: TransactionParts) {
  const states = new WeakMap<SMTPServerSession, SessionState>();

  function stateOf(session: SMTPServerSession): SessionState {
    const known = states.get(session);
    if (known !== undefined) return known;
    const fresh: SessionState = { isCounted: false, signedIn: null, recipients: new Map(), policy: null };
    states.set(session, fresh);
    return fresh;
  }

  /** The intake of an address in this session: the one it names, else the one of the password. */
  async function intakeAt(address: string, session: SMTPServerSession): Promise<IntakeWithSecrets | Reply> {
    const named = readRecipient(address, smtpDomain);
    const own = named.kind === 'token' ? await intakeService.find(named.token) : null;
    if (own !== null) return own;
    const signedIn = isSignedIn(session) ? stateOf(session).signedIn : null;
    const theirs = signedIn === null ? null : await intakeService.find(signedIn.token);
    if (theirs !== null) return theirs;
    if (named.kind === 'foreign') return REPLIES.foreignRecipient;
    return throttle.attempt(session.remoteAddress) ? REPLIES.unknownRecipient : REPLIES.tooFast;
  }

  async function authorize(intake: IntakeWithSecrets, session: SMTPServerSession): Promise<Reply | null> {
    const state = stateOf(session);
    const sender = senderOf(session);
    const rules = senderRulesOf(intake);
    if (state.recipients.has(intake.id)) return null;
    if (!isListedSender(rules.allowedSenders, sender)) {
      const client = session.remoteAddress;
      const facts = { notes: { sender: sender === '' ? '<>' : sender, client }, unprovenFrom: client };
      intakeService.refuse(intake, 'The sender is not on the list of allowed senders.', facts);
      return REPLIES.senderNotAllowed;
    }
    // A message gets one answer: where one recipient might refuse what another accepts, each needs its own.
    const policy = rules.requirePass === 'none' ? '' : JSON.stringify(rules);
    if (state.policy !== null && state.policy !== policy) return REPLIES.ownMessage;
    try {
      // A message that needs proof is counted once it is proven; until then only a pause refuses it.
      if (mustBeProven(intake, signedInForOf(session, state))) intakeService.checkPaused(intake);
      else await intakeService.authorize(intake, requestIdOf(session));
    } catch (fault) {
      return intake.paused ? REPLIES.paused : notAuthorized(fault);
    }
    if (intake.paused) return REPLIES.paused;
    state.policy = policy;
    state.recipients.set(intake.id, intake);
    return null;
  }

  return {
    stateOf,
    /** Null to go on, here and below. */
    connect(session: SMTPServerSession): Reply | null {
      if (!throttle.connect(session.remoteAddress)) return REPLIES.tooManyConnections;
      stateOf(session).isCounted = true;
      return null;
    },
    disconnect(session: SMTPServerSession): void {
      if (states.get(session)?.isCounted === true) throttle.disconnect(session.remoteAddress);
      states.delete(session);
    },
    async signIn({ password }: SMTPServerAuthentication, session: SMTPServerSession): Promise<Reply | null> {
      const token = tokenOf(password ?? '');
      if (!throttle.attempt(session.remoteAddress)) return REPLIES.authUnavailable;
      try {
        const intake = token === '' ? null : await intakeService.find(token);
        if (intake === null) return REPLIES.badPassword;
        stateOf(session).signedIn = { token, intakeId: intake.id };
        return null;
      } catch {
        return REPLIES.authUnavailable;
      }
    },
    /** Begins a message; forgets the recipients of the last one. */
    begin(session: SMTPServerSession): Reply | null {
      const state = stateOf(session);
      state.recipients.clear();
      state.policy = null;
      return throttle.attempt(session.remoteAddress) ? null : REPLIES.tooFast;
    },
    async addRecipient(address: string, session: SMTPServerSession): Promise<Reply | null> {
      try {
        const found = await intakeAt(address, session);
        return 'code' in found ? found : await authorize(found, session);
      } catch (fault) {
        return replyOf(fault);
      }
    },
  };
}
