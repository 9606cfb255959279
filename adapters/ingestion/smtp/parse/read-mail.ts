// Reads the bytes of a mail: a Mail within MAIL_LIMITS, or the reason for refusing it. Never throws.
import type { Priority } from '#core/contract/index.ts';
import { cleanLine, clip } from '#core/text/clean-text.ts';
import { trimLink } from '#core/text/trim-link.ts';
import { automaticKind } from './automatic-answers.ts';
import { readBody } from './body.ts';
import { addressesOf, dateOf, rawField, type Header } from './header.ts';
import { MAIL_LIMITS, TOO_LARGE, type Envelope, type Mail, type MailAddress, type ReadMail } from './mail.ts';
import { importantLink } from './important-link.ts';
import { readParts, UnreadableMail } from './message-parts.ts';
import { StepBudget, StepBudgetSpent } from './step-budget.ts';

/** Reads one mail; `budget` bounds the work on its text. */
export async function readMail(
  raw: Uint8Array,
  envelope: Envelope = {},
  budget: StepBudget = new StepBudget(),
): Promise<ReadMail> {
  if (raw.byteLength > MAIL_LIMITS.maxBytes) return refused(TOO_LARGE);
  try {
    const root = await readParts(Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength));
    const { header } = root;
    const clipped = new Set<string>();
    const body = readBody(root, budget, clipped);
    if (body.text.length > MAIL_LIMITS.maxTextChars)
      clipped.add(`text after ${MAIL_LIMITS.maxTextChars} characters`);
    const text = clip(body.text, MAIL_LIMITS.maxTextChars);
    const subject = textOrNull(cleanLine(header.subject ?? '', 1000));
    const from = firstAddress(header, 'from') ?? firstAddress(header, 'sender');
    const priority = headerPriority(header);
    const mail: Mail = {
      messageId: messageId(header),
      subject,
      from,
      to: addresses(header, 'to'),
      cc: addresses(header, 'cc'),
      replyTo: firstAddress(header, 'reply-to'),
      date: dateOf(header),
      text,
      folded: body.folded === '' ? null : clip(body.folded, MAIL_LIMITS.maxFoldedChars),
      url:
        viewUrl(`${text}\n${body.folded.slice(0, 4000)}`) ??
        onlyUrl(text) ??
        textOrNull(importantLink(body.links, isList(header))),
      attachments: body.attachments,
      automatic: automaticKind(header, { subject, from, report: body.report }, envelope),
      ...(priority === undefined ? {} : { priority }),
      calendar: body.calendar,
      listId: listId(header),
      clipped: [...clipped],
    };
    return { kind: 'mail', mail };
  } catch (cause) {
    if (cause instanceof UnreadableMail) return refused(cause.message);
    if (cause instanceof StepBudgetSpent)
      return refused('The mail is made so that it takes too much work to read.');
    throw cause;
  }
}

function refused(reason: string): ReadMail {
  return { kind: 'refused', reason };
}

function textOrNull(text: string): string | null {
  return text === '' ? null : text;
}

function addresses(header: Header, name: string): MailAddress[] {
  return addressesOf(header, name).filter(({ address }) => address !== '');
}

function firstAddress(header: Header, name: string): MailAddress | null {
  return addressesOf(header, name, 1)[0] ?? null;
}

// Some appliances write the same short id into every mail; such a one would make all but the first a repeat.
function messageId(header: Header): string | null {
  const value = cleanLine(rawField(header, 'message-id') ?? '', 1000);
  const id = /<[^<>\s]{1,900}>/.exec(value)?.[0] ?? `<${value}>`;
  return /^<[^@\s]{4,}@[^@\s]+>$/.test(id) || /^<[^\s@]{20,900}>$/.test(id) ? id : null;
}

function isList(header: Header): boolean {
  return (
    ['list-id', 'list-unsubscribe'].some((name) => rawField(header, name) !== null) ||
    /^(?:bulk|list)\b/i.test(rawField(header, 'precedence') ?? '')
  );
}

function listId(header: Header): string | null {
  const value = rawField(header, 'list-id');
  if (value === null) return null;
  return textOrNull(cleanLine(/<([^<>]{1,255})>/.exec(value)?.[1] ?? value, 255));
}

/** What the three headers in use say; the highest counts, "normal" says nothing. */
function headerPriority(header: Header): Exclude<Priority, 'normal'> | undefined {
  const said = [
    'importance',
    'x-msmail-priority',
    'priority',
    'x-priority',
    'x-ms-exchange-organization-importance',
  ]
    .map((name) => (rawField(header, name) ?? '').toLowerCase())
    .map((value) => {
      if (/^(?:[12]\b|high|highest|urgent)/.test(value)) return 'high';
      return /^(?:[45]\b|low|lowest|non-urgent)/.test(value) ? 'low' : undefined;
    });
  return said.find((each) => each === 'high') ?? said.find((each) => each === 'low');
}

// "View it on GitHub: https://…", which services write into their footers.
function viewUrl(text: string): string | null {
  const found = /\bview (?:it|this|the) [^\n]{0,60}?[\s(:]\n?(https?:\/\/[^\s<>"]+)/i.exec(text)?.[1];
  const url = found === undefined ? '' : trimLink(found);
  return URL.canParse(url) ? url : null;
}

function onlyUrl(text: string): string | null {
  const found = new Set<string>();
  for (const [url] of text.matchAll(/https?:\/\/[^\s<>"]+/gi)) {
    found.add(trimLink(url));
    if (found.size > 1) return null;
  }
  const [url] = found;
  return url === undefined || !URL.canParse(url) ? null : url;
}
