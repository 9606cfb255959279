// Mail that Postmark took in: the subject is the content.
// https://postmarkapp.com/developer/webhooks/inbound-webhook
import type { Priority } from '#core/contract/index.ts';
import type { Preset } from '../preset.ts';
import { isObject, items, line, raw } from '../read.ts';
import { ignored, key, says, USUAL } from '../result.ts';
import { joined } from '#core/text/parts.ts';
import { around, manyLines, oneLine, plainHtml } from '../text.ts';
import sample from './sample.json' with { type: 'json' };

const MAX_BODY_CHARACTERS = 8000;

function header(mail: unknown, name: string): string {
  const found = items(mail, 'Headers').find((one) => raw(one, 'Name').toLowerCase() === name);
  return oneLine(raw(found, 'Value'), 300);
}

function priorityOf(mail: unknown): Priority | undefined {
  const said =
    `${header(mail, 'importance')} ${header(mail, 'priority')} ${header(mail, 'x-priority')}`.toLowerCase();
  if (/\b(high|urgent|[12])\b/.test(said)) return 'high';
  return /\b(low|non-urgent|[45])\b/.test(said) ? 'low' : USUAL;
}

/** `12.5 kB` */
function size(bytes: string): string {
  const many = Number(bytes);
  if (!(many >= 0)) return '';
  if (many < 1000) return `${many} B`;
  return many < 1e6 ? `${(many / 1000).toFixed(1)} kB` : `${(many / 1e6).toFixed(1)} MB`;
}

function attachments(mail: unknown): string[] {
  return (
    items(mail, 'Attachments')
      // What is shown inside the text is no attachment.
      .filter((one) => raw(one, 'ContentID') === '')
      .slice(0, 20)
      .map((one) => {
        const facts = joined(', ', [line(one, 'ContentType', 60), size(raw(one, 'ContentLength'))]);
        return `${line(one, 'Name', 120) || 'unnamed'}${around(' (', facts, ')')}`;
      })
  );
}

export const postmark: Preset = {
  id: 'postmark',
  title: 'Postmark (inbound mail)',
  description:
    'Mail that Postmark receives for you: the subject as content, the text, the sender and the names of attachments beside it.',
  scheme: 'basic',
  setup:
    'In the server’s inbound stream open Settings and set the webhook to the address, with the name and password in it: ' +
    'https://name:password@…. Then send or forward mail to the stream’s address.',
  events: ['inbound'],
  read({ value }) {
    if (!isObject(value) || raw(value, 'RecordType') !== '') return null;
    if (raw(value, 'From') === '' && !isObject(value['FromFull'])) return null;
    const auto = header(value, 'auto-submitted').toLowerCase();
    if (auto.startsWith('auto-replied') || header(value, 'x-autoreply') !== '')
      return ignored('inbound', 'An automatic reply.');
    const whole =
      raw(value, 'TextBody') === ''
        ? plainHtml(raw(value, 'HtmlBody'), MAX_BODY_CHARACTERS)
        : manyLines(raw(value, 'TextBody'), MAX_BODY_CHARACTERS);
    const body = manyLines(raw(value, 'StrippedTextReply'), MAX_BODY_CHARACTERS) || whole;
    const address = line(value, ['FromFull.Email', 'From'], 254);
    const from = line(value, ['FromFull.Name', 'FromName'], 100);
    const spam = header(value, 'x-spam-status').toLowerCase().startsWith('yes');
    const id = header(value, 'message-id') || raw(value, 'MessageID');
    const subject = line(value, 'Subject', 300) || oneLine(body.split('\n', 1)[0] ?? '', 100);
    return says('inbound', {
      content: subject || `A mail without text from ${from || address}`,
      priority: spam ? 'low' : priorityOf(value),
      tags: ['mail', line(value, ['MailboxHash', 'Tag'], 50), spam ? 'spam' : ''],
      dedupeKey: id === '' ? '' : key('mail', id),
      metadata: {
        from: from === '' || from === address ? address : `${from} <${address}>`,
        to: line(value, ['OriginalRecipient', 'To'], 300),
        cc: line(value, 'Cc', 300),
        replyTo: line(value, 'ReplyTo', 254),
        date: line(value, 'Date', 60),
        body,
        attachments: attachments(value),
      },
    });
  },
  sample,
};
