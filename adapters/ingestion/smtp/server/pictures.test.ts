// Mails with a picture of several MiB in their text are taken in over SMTP: with the text before and after
// it, and nothing of the picture.
import { expect, onTestFinished, test } from 'vitest';
import { envelopeTo, intakeOf, mailOf, openClient, startMail } from '#test/helpers/mail.ts';
import { NOT_CHECKED } from '../sender-checks/verdicts.ts';

const PICTURE = Buffer.alloc(3 * 1024 * 1024, 'a picture ').toString('base64');
const DATA_URL = `data:image/png;base64,${PICTURE}`;
const IN_BASE64 = 'Content-Transfer-Encoding: base64';
const BEFORE = 'This is the plan of the first floor:';
const AFTER = 'The builders need an answer by Friday.';

const wrapped = (base64: string) => base64.replace(/.{76}/g, '$&\r\n');
const inBase64 = (text: string) => wrapped(Buffer.from(text).toString('base64'));
const html = (source: string) => `<p>${BEFORE}</p><p><img src="${source}" alt=""></p><p>${AFTER}</p>`;
const multipart = (...parts: string[]) => `${parts.map((part) => `--b\r\n${part}\r\n`).join('')}--b--`;

const SHOWN_BY_ID = multipart(
  `Content-Type: text/html\r\n\r\n${html('cid:plan@example.org')}`,
  `Content-Type: image/png\r\n${IN_BASE64}\r\nContent-Disposition: inline; filename=plan.png\r\n` +
    `Content-ID: <plan@example.org>\r\n\r\n${wrapped(PICTURE)}`,
);
const WITH_A_FILE = multipart(
  `Content-Type: text/html\r\n${IN_BASE64}\r\n\r\n${inBase64(html(DATA_URL))}`,
  'Content-Type: application/pdf; name=offer.pdf\r\n\r\n%PDF',
);
const LIST = [{ name: 'offer.pdf', type: 'application/pdf', bytes: 4 }];

test.each<[where: string, type: string, body: string, text: string, more: object]>([
  ['by its Content-ID', 'multipart/related; boundary=b', SHOWN_BY_ID, `${BEFORE}\n\n${AFTER}`, {}],
  ['as a data: URL', 'text/html', html(DATA_URL), `${BEFORE}\n\n${AFTER}`, {}],
  [
    'as a data: URL, beside a file',
    'multipart/mixed; boundary=b',
    WITH_A_FILE,
    `${BEFORE}\n\n${AFTER}`,
    { attachments: LIST },
  ],
  [
    'as a data: URL in plain text',
    'text/plain',
    `${BEFORE}\r\n[${DATA_URL}]\r\n${AFTER}`,
    `${BEFORE}\n[data:image/png;...]\n${AFTER}`,
    {},
  ],
])('a picture in the text %s', async (_where, type, body, text, more) => {
  const mail = await startMail([intakeOf('alpha')]);
  onTestFinished(() => mail.stop());
  const client = await openClient(mail.port);
  onTestFinished(() => void client.socket.destroy());
  const message = mailOf('The plan', body).replace('\r\n\r\n', `\r\nContent-Type: ${type}\r\n\r\n`);
  const codes = await client.codes('EHLO box.example.org', ...envelopeTo('alpha'), `${message}.`);
  expect(codes.at(-1)).toBe('250 2.6.0');
  expect(mail.intakeService.taken.map(({ parsed }) => parsed.tasks)).toEqual([
    [
      {
        content: 'The plan',
        metadata: {
          body: text,
          from: 'Monitor <monitor@example.org>',
          messageId: '<The%20plan@example.org>',
          verdicts: NOT_CHECKED,
          ...more,
        },
      },
    ],
  ]);
});
