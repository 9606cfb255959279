// The dialogue up to DATA: who may connect, whose password is a token, and for each recipient whether there is an intake that takes the
// mail in right now. What a store that is down cannot tell is answered 4xx, never 5xx.
import type { SMTPServerAuthentication, SMTPServerSession } from 'smtp-server';
import type { IntakeService, IntakeWithSecrets } from '#core/ports/adapter/intake.ts';
import type { Pace } from './throttle.ts';
import { isListedSender, readRecipient, tokenOf } from '../recipient.ts';
import { notAdmitted, REPLIES, replyOf, type Reply } from './reply.ts';
import { mustBeProven, senderRulesOf } from '../settings.ts';

/** What one session has said so far. */
export interface Conversation {
  /** Counts against its address until it is closed. */
  isCounted: boolean;
  /** The intake whose token was given as password. */
  signedIn: { token: string; intakeId: string } | null;
  /** Recipients of the message under way, each intake once. */
  readonly recipients: Map<string, IntakeWithSecrets>;
  /** What all of them ask of the sender. */
  policy: string | null;
}

export interface Dialogue {
  /** Null to go on. */
  connect(session: SMTPServerSession): Reply | null;
  disconnect(session: SMTPServerSession): void;
  signIn(credentials: SMTPServerAuthentication, session: SMTPServerSession): Promise<Reply | null>;
  begin(session: SMTPServerSession): Reply | null;
  recipient(address: string, session: SMTPServerSession): Promise<Reply | null>;
  /** Of this session; what it says of recipients is of the message that was begun last. */
  conversation(session: SMTPServerSession): Conversation;
}

export interface DialogueParts {
  intakeService: Pick<IntakeService, 'find' | 'checkPaused' | 'authorize' | 'refuse'>;
  pace: Pace;
  smtpDomain: string;
}

/** The id of the message under way, for logs and for the sender. */
export function requestIdOf({ id, transaction }: SMTPServerSession): string {
  return `mail-${id}-${transaction}`;
}

/** Sender of the message under way; empty for a bounce. */
export function senderOf({ envelope }: SMTPServerSession): string {
  return envelope.mailFrom === false ? '' : envelope.mailFrom.address;
}

/** Whether a message has been begun (MAIL) and is not over. Before the greeting a session has no envelope. */
export function hasBegun(session: SMTPServerSession): boolean {
  return 'envelope' in session && session.envelope.mailFrom !== false;
}

export function isSignedIn({ user }: SMTPServerSession): boolean {
  return user !== undefined && user !== false;
}

/** Id of the intake whose token the client has given as its password, or null. */
export function signedInForOf(session: SMTPServerSession, { signedIn }: Conversation): string | null {
  return isSignedIn(session) ? (signedIn?.intakeId ?? null) : null;
}

function isProvenLater(intake: IntakeWithSecrets, talk: Conversation, session: SMTPServerSession): boolean {
  return mustBeProven(intake, signedInForOf(session, talk));
}

export function createDialogue({ intakeService, pace, smtpDomain }: DialogueParts): Dialogue {
  const conversations = new WeakMap<SMTPServerSession, Conversation>();

  function conversation(session: SMTPServerSession): Conversation {
    const known = conversations.get(session);
    if (known !== undefined) return known;
    const fresh: Conversation = {
      isCounted: false,
      signedIn: null,
      recipients: new Map(),
      policy: null,
    };
    conversations.set(session, fresh);
    return fresh;
  }

  /** The intake that an address stands for in this session: its own, else that of whoever signed in. */
  async function intakeAt(address: string, session: SMTPServerSession): Promise<IntakeWithSecrets | Reply> {
    const talk = conversation(session);
    const named = readRecipient(address, smtpDomain);
    const own = named.kind === 'token' ? await intakeService.find(named.token) : null;
    if (own !== null) return own;
    const signedIn = isSignedIn(session) ? talk.signedIn : null;
    const theirs = signedIn === null ? null : await intakeService.find(signedIn.token);
    if (theirs !== null) return theirs;
    if (named.kind === 'foreign') return REPLIES.foreignRecipient;
    return pace.spend(session.remoteAddress) ? REPLIES.unknownRecipient : REPLIES.tooFast;
  }

  async function admit(intake: IntakeWithSecrets, session: SMTPServerSession): Promise<Reply | null> {
    const talk = conversation(session);
    const sender = senderOf(session);
    const rules = senderRulesOf(intake);
    if (talk.recipients.has(intake.id)) return null;
    if (!isListedSender(rules.allowedSenders, sender)) {
      const notes = { sender: sender === '' ? '<>' : sender, client: session.remoteAddress };
      const unprovenFrom = session.remoteAddress;
      intakeService.refuse(intake, 'The sender is not on the list of allowed senders.', {
        notes,
        unprovenFrom,
      });
      return REPLIES.senderNotAllowed;
    }
    // One answer ends a message. Where one recipient might refuse what another takes, each gets a message of its own.
    const policy = rules.requirePass === 'none' ? '' : JSON.stringify(rules);
    if (talk.policy !== null && talk.policy !== policy) return REPLIES.ownMessage;
    try {
      // What must be proven first is counted once it is; until then it is only known not to be paused.
      if (isProvenLater(intake, talk, session)) intakeService.checkPaused(intake);
      else await intakeService.authorize(intake, requestIdOf(session));
    } catch (fault) {
      if (intake.paused) return REPLIES.paused;
      return notAdmitted(fault);
    }
    if (intake.paused) return REPLIES.paused;
    talk.policy = policy;
    talk.recipients.set(intake.id, intake);
    return null;
  }

  return {
    conversation,
    connect(session) {
      if (!pace.enter(session.remoteAddress)) return REPLIES.tooManyConnections;
      conversation(session).isCounted = true;
      return null;
    },
    disconnect(session) {
      if (conversations.get(session)?.isCounted === true) pace.leave(session.remoteAddress);
      conversations.delete(session);
    },
    async signIn({ password }, session) {
      const token = tokenOf(password ?? '');
      if (!pace.spend(session.remoteAddress)) return REPLIES.authUnavailable;
      try {
        const intake = token === '' ? null : await intakeService.find(token);
        if (intake === null) return REPLIES.badPassword;
        conversation(session).signedIn = { token, intakeId: intake.id };
        return null;
      } catch {
        return REPLIES.authUnavailable;
      }
    },
    begin(session) {
      const talk = conversation(session);
      talk.recipients.clear();
      talk.policy = null;
      return pace.spend(session.remoteAddress) ? null : REPLIES.tooFast;
    },
    async recipient(address, session) {
      try {
        const found = await intakeAt(address, session);
        return 'code' in found ? found : await admit(found, session);
      } catch (fault) {
        return replyOf(fault);
      }
    },
  };
}
