// Makes a task of a mail: the subject is its content, text and addresses are its metadata.
import { createHash } from 'node:crypto';
import { collapsePrefixes, readMarks } from './subject.ts';
import { isBlank } from '#core/domain/blank.ts';
import type { ParsedTask, ParsedDelivery } from '#core/domain/delivery.ts';
import { shownAddress, type AutomaticKind, type Mail, type MailAddress, type MailCalendar } from './mail.ts';
import { fingerprintOf } from '#core/domain/hash.ts';
import { clip } from '#core/text/clean-text.ts';

const IGNORED: Readonly<Record<AutomaticKind, string>> = {
  bounce: 'A report that a mail could not be delivered (bounce).',
  'auto-reply': 'An automatic reply.',
  loop: 'A mail that goes round in circles.',
};
const MAX_TITLE_CHARS = 140;

/**
 * The one task of a mail; none for an automatic answer. Addresses at `ownDomain` are left out of `to` and
 * `cc`: they are tokens of intakes, and people who may read tasks need not be able to write to them.
 */
export function toDelivery(mail: Mail, ownDomain?: string): ParsedDelivery {
  if (mail.automatic !== null)
    return { tasks: [], resolves: [], event: mail.automatic, ignored: IGNORED[mail.automatic] };
  const plain = mail.subject === null ? '' : collapsePrefixes(mail.subject);
  const marked = readMarks(plain);
  const priority = marked.priority ?? mail.priority;
  const task: ParsedTask = {
    content: title(mail, marked.text),
    ...(priority === undefined ? {} : { priority }),
    ...(marked.tags.length === 0 ? {} : { tags: marked.tags }),
    ...(mail.url === null ? {} : { url: mail.url }),
    ...(isNamed(mail) ? {} : { dedupeKey: sameTextKey(mail) }),
    metadata: metadata(mail, ownDomain),
  };
  return { tasks: [task], resolves: [], event: mail.calendar === null ? 'message' : 'invitation' };
}

function title(mail: Mail, subject: string): string {
  const { calendar } = mail;
  const bare = subject.replace(/^(?:Re|Fwd):\s*$/, '');
  if (/[\p{L}\p{N}\p{S}]/u.test(bare) && !isBlank(bare)) {
    return calendar?.method === 'CANCEL' && !/cancel|abgesagt|annul|storn/i.test(bare)
      ? `Cancelled: ${bare}`
      : bare;
  }
  if (calendar !== null)
    return calendar.method === 'CANCEL' ? `Cancelled: ${calendar.title}` : calendar.title;
  const first = mail.text.split('\n').find((line) => /[\p{L}\p{N}]/u.test(line) && !isBlank(line));
  if (first !== undefined) return firstWords(first.trim());
  const [file, ...others] = mail.attachments;
  const sender = mail.from?.name || mail.from?.address || 'somebody';
  if (file !== undefined)
    return `${file.name}${others.length === 0 ? '' : ` and ${others.length} more`} from ${sender}`;
  return `Empty mail from ${sender}`;
}

function firstWords(line: string): string {
  if (line.length <= MAX_TITLE_CHARS) return line;
  const space = line.lastIndexOf(' ', MAX_TITLE_CHARS - 1);
  return space > MAX_TITLE_CHARS / 2 ? `${line.slice(0, space)}…` : clip(line, MAX_TITLE_CHARS);
}

function metadata(mail: Mail, ownDomain: string | undefined): Record<string, unknown> {
  const own = ownDomain === undefined ? null : `@${ownDomain.toLowerCase()}`;
  const others = (list: readonly MailAddress[]) =>
    list.filter(({ address }) => own === null || !address.toLowerCase().endsWith(own)).map(shownAddress);
  const facts: Record<string, unknown> = {
    body: withEvent(mail.text, mail.calendar),
    from: mail.from === null ? null : shownAddress(mail.from),
    replyTo:
      mail.replyTo === null || mail.replyTo.address === mail.from?.address
        ? null
        : shownAddress(mail.replyTo),
    to: others(mail.to),
    cc: others(mail.cc),
    date: mail.date === null ? null : new Date(mail.date).toISOString(),
    messageId: mail.messageId,
    list: mail.listId,
    attachments: mail.attachments,
    calendar: mail.calendar,
    folded: mail.folded,
    notRead: mail.clipped,
  };
  for (const [name, value] of Object.entries(facts)) {
    if (value === null || value === '' || (Array.isArray(value) && value.length === 0)) delete facts[name];
  }
  return facts;
}

function withEvent(text: string, calendar: MailCalendar | null): string {
  if (calendar === null) return text;
  const { start, end, place, organizer, repeats } = calendar;
  const facts = [
    start === null ? null : `When: ${span(start, end)}${repeats === null ? '' : `, ${repeats}`}`,
    place === null ? null : `Where: ${place}`,
    organizer === null ? null : `Organizer: ${organizer}`,
  ].filter((fact) => fact !== null);
  return [...facts, '', text].join('\n').trim();
}

/** `2026-11-21 10:00 – 11:00 UTC`: the day and the zone are said once when they are the same. */
function span(start: string, end: string | null): string {
  if (end === null || end === start) return start;
  const timed = start.length > 11 && end.length > 11;
  if (!timed || end.slice(16) !== start.slice(16)) return `${start} – ${end}`;
  const until = end.startsWith(start.slice(0, 11)) ? end.slice(11, 16) : end.slice(0, 16);
  return `${start.slice(0, 16)} – ${until}${start.slice(16)}`;
}

/** Scripts and devices write mails without either; the next one with the same text is another mail. */
function isNamed({ messageId, date }: Mail): boolean {
  return messageId !== null || date !== null;
}

function sameTextKey({ subject, from, to, text, folded, attachments }: Mail): string {
  return `mail:same:${fingerprintOf([subject, from, to, text, folded, attachments])}`;
}

/**
 * The same for every repeat of a mail, 5..255 characters: its Message-ID, or else a hash of its subject,
 * addresses, date and body. Headers that relays change do not count. Null where no repeat can be told from a
 * new mail: it then counts on the task that is there.
 */
export function replayKeyOf(mail: Mail, raw: Uint8Array): string | null {
  if (!isNamed(mail)) return null;
  if (mail.messageId !== null && mail.messageId.length <= 250) return `mail:${mail.messageId}`;
  const hash = createHash('sha256');
  if (mail.messageId !== null) return `mail:${hash.update(mail.messageId).digest('hex')}`;
  hash.update(JSON.stringify([mail.subject, mail.from, mail.to, mail.date]));
  return `mail:${hash.update(bodyBytes(raw)).digest('hex')}`;
}

function bodyBytes(raw: Uint8Array): Uint8Array {
  const bytes = Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength);
  const crlf = bytes.indexOf('\r\n\r\n');
  const lf = bytes.indexOf('\n\n');
  if (crlf === -1 && lf === -1) return bytes;
  return bytes.subarray(crlf === -1 || (lf !== -1 && lf < crlf) ? lf + 2 : crlf + 4);
}
