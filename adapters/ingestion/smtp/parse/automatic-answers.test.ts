// Which mails are nobody's message. What a machine reports by itself is somebody's.
import { expect, test } from 'vitest';
import { readMail } from './read-mail.ts';
import { toDelivery } from './to-delivery.ts';

const cases: readonly [string, string, string | null][] = [
  ['an alert', 'Auto-Submitted: auto-generated\nPrecedence: bulk', null],
  ['a Sieve notification', 'Auto-Submitted: auto-notified; owner-email="a@b"', null],
  ['"no" spelled out', 'Auto-Submitted: no', null],
  ['a vacation reply (RFC 3834)', 'Auto-Submitted: auto-replied (vacation)', 'auto-reply'],
  ['old autoresponders', 'X-Autoreply: yes', 'auto-reply'],
  ['an autoresponder that is off', 'X-Autoreply: no', null],
  ['Precedence', 'Precedence: auto_reply', 'auto-reply'],
  [
    'out of office by subject and sign',
    'Subject: Réponse automatique : congés\nX-Auto-Response-Suppress: All',
    'auto-reply',
  ],
  ['out of office by subject alone', 'Subject: Out of office', null],
  ['a notifier that wants no replies', 'Subject: Build failed\nX-Auto-Response-Suppress: All', null],
  ['out of office from nobody', 'Subject: Abwesenheitsnotiz\nReturn-Path: <>', 'auto-reply'],
  ['an alert from nobody', 'Subject: Disk full\nReturn-Path: <>', null],
  [
    'a bounce by report type',
    'Content-Type: multipart/report; report-type=delivery-status; boundary=b\n\n--b\n\nx\n--b--',
    'bounce',
  ],
  [
    'a bounce without report type',
    'Content-Type: multipart/report; boundary=b\n\n--b\n\nx\n--b\nContent-Type: message/delivery-status\n\n--b--',
    'bounce',
  ],
  [
    'a read receipt',
    'Content-Type: multipart/report; report-type=disposition-notification; boundary=b\n\n--b\n\nx\n--b--',
    'auto-reply',
  ],
  [
    'an abuse report',
    'Content-Type: multipart/report; report-type=feedback-report; boundary=b\n\n--b\n\nx\n--b--',
    null,
  ],
  ['exim', 'X-Failed-Recipients: a@b', 'bounce'],
  ['qmail', 'From: MAILER-DAEMON@example.com\nSubject: failure notice', 'bounce'],
  ['a postmaster who writes', 'From: postmaster@example.com\nSubject: Certificate', null],
  ['50 hops', `${'Received: x\n'.repeat(50)}X: y`, null],
  ['51 hops', `${'Received: x\n'.repeat(51)}X: y`, 'loop'],
  ['our own mark', 'X-Loop: qinbox', 'loop'],
];

test.each(cases)('%s', async (_name, header, expected) => {
  const read = await readMail(
    Buffer.from(`${header.includes('From:') ? '' : 'From: jo@example.com\n'}${header}\n\nText`),
  );
  if (read.kind !== 'mail') throw new Error(read.reason);
  expect(read.mail.automatic).toBe(expected);
  const reading = toDelivery(read.mail);
  expect([reading.tasks.length, reading.ignored === undefined]).toEqual(
    expected === null ? [1, true] : [0, false],
  );
});

test('the envelope counts as the header does', async () => {
  const raw = Buffer.from('Subject: Out of office\n\nText');
  expect(await readMail(raw, { nullSender: true })).toMatchObject({ mail: { automatic: 'auto-reply' } });
});
