// A mail once read: bounded, well-formed text. Nothing outside of this folder handles MIME. The event loop's
// thread loads this module and not those that read mails.
import type { Priority } from '#core/contract/index.ts';

/** Over `maxBytes`, `maxHeaderBytes` or `maxParts` a mail is refused; up to the others it is read. */
export const MAIL_LIMITS = {
  maxBytes: 10 * 1024 * 1024,
  /** Of the header of the mail, and of each part. */
  maxHeaderBytes: 100 * 1024,
  maxParts: 1000,
  maxNesting: 20,
  maxTextChars: 10_000,
  maxFoldedChars: 4000,
  maxAddresses: 50,
  maxAttachments: 50,
  maxNameChars: 200,
} as const;

/** Why a mail over {@link MAIL_LIMITS.maxBytes} is refused. */
export const TOO_LARGE = 'The mail is larger than 10 MiB.';

/** `Jo Doe <jo@example.com>`, or the half of it that there is. */
export function shownAddress({ address, name }: MailAddress): string {
  return name === '' || address === '' ? name || address : `${name} <${address}>`;
}

export interface MailAddress {
  /** As written, without display name; not checked beyond its form. At most 320 characters. */
  address: string;
  /** Empty when there is none. */
  name: string;
}

export interface MailAttachment {
  /** Without folders; "unnamed" when the sender gave none. */
  name: string;
  /** Media type in lower case. */
  type: string;
  /** Once decoded. */
  bytes: number;
}

/** An invitation, its change or its cancellation. */
export interface MailCalendar {
  title: string;
  /** `2026-11-21 10:00 Europe/Berlin`, `… UTC`, without a zone if none is named, or a date; or null. */
  start: string | null;
  end: string | null;
  place: string | null;
  organizer: string | null;
  /** `REQUEST`, `CANCEL`, `REPLY`, `PUBLISH` and so on. */
  method: string;
  /** `weekly`, say; null for once. */
  repeats: string | null;
}

/** `bounce` is a delivery report, `auto-reply` an absence or a read receipt. */
export type AutomaticKind = 'bounce' | 'auto-reply' | 'loop';

export interface Mail {
  /** With its angle brackets; null when it is missing or plainly not unique. */
  messageId: string | null;
  /** Decoded, one line. */
  subject: string | null;
  from: MailAddress | null;
  to: readonly MailAddress[];
  cc: readonly MailAddress[];
  replyTo: MailAddress | null;
  /** In milliseconds; null when missing or unreadable. */
  date: number | null;
  /** The writer's own text, without quoted replies, signature and footers. Empty when there is none. */
  text: string;
  /** Quoted replies, signature and footers that were taken out of the text; null for none. */
  folded: string | null;
  /**
   * `http(s)` address of its "view it" link, or the only link in its text; where that has none, the one that
   * matters in the HTML. Null for none or several.
   */
  url: string | null;
  attachments: readonly MailAttachment[];
  automatic: AutomaticKind | null;
  /** As the headers say; left out where they say nothing or "normal", which many programs always write. */
  priority?: Exclude<Priority, 'normal'>;
  calendar: MailCalendar | null;
  /** `List-Id`, without angle brackets. */
  listId: string | null;
  /** The parts that were not read because of a limit, in words for the owner; empty for most mails. */
  clipped: readonly string[];
}

/** Facts of the envelope that the mail itself may not tell. */
export interface Envelope {
  /** Whether it came with `MAIL FROM:<>`. */
  nullSender?: boolean;
}

/** The result of reading the bytes of a mail. */
export type ReadMail = { kind: 'mail'; mail: Mail } | { kind: 'refused'; reason: string };

/** Reads mails, several at once and never for long on the calling thread. */
export interface MailReader {
  /** `raw`, dot-unstuffed, must not change until this resolves. Throws SERVICE_UNAVAILABLE when closed. */
  read(raw: Uint8Array, envelope?: Envelope): Promise<ReadMail>;
  /** Fails the mails in flight with SERVICE_UNAVAILABLE. Twice is fine. */
  close(): Promise<void>;
}
