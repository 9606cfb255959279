// What is left of a mail once it is read: bounded, well-formed text without control characters, whatever the sender wrote.
// The server, the verdicts and the reading of a kept mail all speak of this and never of MIME.
import type { Priority } from '#core/contract/index.ts';
import type { ParsedDelivery } from '#core/domain/delivery.ts';

/** Limits of a mail; what goes over `maxBytes` or `maxHeaderBytes` is refused, over the others it is read up to there. */
export const MAIL_LIMITS = {
  maxBytes: 10 * 1024 * 1024,
  /** Of the mail's own header, and of each part's. */
  maxHeaderBytes: 100 * 1024,
  maxParts: 100,
  maxNesting: 20,
  maxTextChars: 10_000,
  maxFoldedChars: 4000,
  maxAddresses: 50,
  maxAttachments: 50,
  maxNameChars: 200,
} as const;

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
  /** `2026-11-21 10:00 Europe/Berlin`, `… UTC`, without a zone when the sender names none, or a date alone; null when missing. */
  start: string | null;
  end: string | null;
  place: string | null;
  organizer: string | null;
  /** `REQUEST`, `CANCEL`, `REPLY`, `PUBLISH` and so on. */
  method: string;
  /** `weekly`, say; null for once. */
  repeats: string | null;
}

/** Why a mail is nobody's message: `bounce` (a delivery report), `auto-reply` (out of office, read receipt), `loop`. */
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
  /** What its writer said, readable: without quoted replies, signature and footers. Empty when there is nothing. */
  text: string;
  /** What was folded away of the text: quoted replies, signature, footers; null for nothing. */
  folded: string | null;
  /** Where it asks to be viewed, or the one place its text links to; null when there is none or several. `http:` or `https:`. */
  url: string | null;
  attachments: readonly MailAttachment[];
  automatic: AutomaticKind | null;
  /** As the headers say; left out where they say nothing or "normal", which many programs always write. */
  priority?: Exclude<Priority, 'normal'>;
  calendar: MailCalendar | null;
  /** `List-Id`, without angle brackets. */
  listId: string | null;
  /** What was not read because it is over a limit, in words for the owner; empty for most. */
  clipped: readonly string[];
}

/** What the envelope tells and the mail may not. */
export interface Envelope {
  /** Whether it came with `MAIL FROM:<>`. */
  nullSender?: boolean;
}

/** How readings are made of mails. */
export interface ReadingOptions {
  /** Whether `#tag`, `!high`, `!normal` and `!low` in the subject are marks; true unless given. */
  subjectMarks?: boolean;
  /** Addresses there are left out of `to` and `cc`, for they are tokens of intakes. */
  ownDomain?: string;
}

/** What became of the bytes of a mail. */
export type ReadMail = { kind: 'mail'; mail: Mail } | { kind: 'refused'; reason: string };

/** The same with what it says to the program. */
export type ReadDelivery =
  | { kind: 'mail'; mail: Mail; parsed: ParsedDelivery }
  | { kind: 'refused'; reason: string };

/** Reads mails, several at once and never for long on the calling thread. */
export interface MailReader {
  /** `raw` is the whole mail as it came after DATA, dot-unstuffed; it must not change until this resolves. Throws SERVICE_UNAVAILABLE when closed. */
  read(raw: Uint8Array, envelope?: Envelope): Promise<ReadDelivery>;
  /** What is under way is refused with SERVICE_UNAVAILABLE. Twice is fine. */
  close(): Promise<void>;
}
