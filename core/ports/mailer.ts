// Sends mail to people, over the relay that the operator names.

/** One mail to one person: plain text, UTF-8. */
export interface OutgoingMail {
  /** An address as `readEmail` takes it: ASCII before the @, any domain. */
  to: string;
  /** One line; what does not fit into 200 characters is cut. */
  subject: string;
  text: string;
  /** Stable: a mail that is sent again after a crash has the same, by which receivers tell repeats. */
  messageId: string;
}

export type MailOutcome =
  /** The relay has taken it over. */
  | { kind: 'sent' }
  /** Trying again is no use: the relay refused the address or the mail for good. */
  | { kind: 'refused'; reason: string }
  /**
   * Try again: the relay said so, does not answer, lets nobody in, or did not say what became of the mail, so
   * that a repeat may arrive twice. The reason is for logs and people, and holds no credential.
   */
  | { kind: 'later'; reason: string };

export interface Mailer {
  /** Resolves within the relay's time limit. Never rejects. */
  send(mail: OutgoingMail): Promise<MailOutcome>;
  /**
   * Whether the relay lets this server in, which is logged where it does not: a wrong password is found at
   * the start, not by the first mail that somebody needs. Sends nothing. Never rejects.
   */
  check(): Promise<boolean>;
  /**
   * Whether the operator lets this address be mailed, besides the proven addresses of this server's own
   * users, which the caller knows.
   */
  mayMail(address: string): boolean;
  /** Gives what is under way a moment, then ends it. Twice is fine. */
  close(): Promise<void>;
}
