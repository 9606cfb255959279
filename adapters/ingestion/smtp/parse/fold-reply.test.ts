// Which lines of a mail are folded and which stay. Whole mails are in the fixtures.
import { expect, test } from 'vitest';
import { foldReply } from './fold-reply.ts';

const HEADERS = 'From: A <a@b.c>\nSent: Monday\nTo: D\nSubject: X\n\nquoted';

test.each([
  ['English', 'Yes.\n\nOn Fri, 20 Nov 2026 at 16:20, Jo <jo@x.org> wrote:\n> No?'],
  ['German', 'Yes.\n\nAm 20.11.2026 um 16:20 schrieb Jo <jo@x.org>:\n> No?'],
  ['French', 'Yes.\n\nLe 20 nov. 2026 à 16:20, Jo <jo@x.org> a écrit :\n> No?'],
  ['Dutch', 'Yes.\n\nOp vr 20 nov 2026 om 16:20 schreef Jo <jo@x.org>:\n> No?'],
  ['Swedish', 'Yes.\n\nDen fre 20 nov 2026 kl 16:20 skrev Jo <jo@x.org>:\n> No?'],
  ['Polish', 'Yes.\n\npt., 20 lis 2026 o 16:20 Jo <jo@x.org> napisał(a):\n> No?'],
  ['Chinese', 'Yes.\n\nJo <jo@x.org> 于2026年11月20日周五 16:20写道：\n> No?'],
  ['wrapped', 'Yes.\n\nOn Friday, 20 November 2026,\nJo Doe <jo@x.org>\nwrote:\n> No?'],
  ['without marks', 'Yes.\n\nOn Fri, 20 Nov 2026 at 16:20, Jo <jo@x.org> wrote:\n\nNo?'],
  ['Outlook', `Yes.\n\n________________________________\n${HEADERS}`],
  ['Outlook, bold', 'Yes.\n\n*From:* A\n*Sent:* Monday\n*To:* D\n*Subject:* X\n\nquoted'],
  ['original message', `Yes.\n\n-----Ursprüngliche Nachricht-----\nVon: A\n\nquoted`],
  ['signature', 'Yes.\n\n-- \nJo'],
  ['signature, then quotation', 'Yes.\n\n-- \nJo\n\n> No?'],
  ['phone', 'Yes.\n\nSent from my iPhone'],
  ['phone, German', 'Yes.\n\nVon meinem iPad gesendet'],
  ['list footer', 'Yes.\n\n_______________________________________________\nlist mailing list'],
  ['disclaimer', 'Yes.\n\nThis e-mail and any attachments may contain confidential information.'],
  ['bottom posting', '> No?\n\nYes.'],
])('%s: only the answer stays, and the rest is not lost', (_name, text) => {
  const { text: own, folded } = foldReply(text);
  expect(own).toBe('Yes.');
  expect(folded).not.toBe('');
});

test.each([
  ['a sentence that ends in "wrote:"', 'See what the minister wrote:\nWe will pay.'],
  ['dashes between paragraphs', 'One\n\n---\n\nTwo'],
  ['a short quotation that is answered', 'Hi\n\n> When?\n\nMonday.'],
  ['key and value lines', 'From: Berlin\nTo: Paris\nBook it.'],
  ['a merge conflict', 'It says:\n>>>>>>> main'],
  ['a rule of equals signs', 'Status\n==============================\nAll green'],
])('%s stays', (_name, text) => {
  expect(foldReply(text)).toEqual({ text, folded: '' });
});

test('a mail of nothing but quotation stays as it is', () => {
  expect(foldReply('> look\n> at this')).toEqual({ text: '> look\n> at this', folded: '' });
});

test('a long quotation in the middle keeps its first lines', () => {
  const quoted = Array.from({ length: 20 }, (_, index) => `> line ${index}`).join('\n');
  expect(foldReply(`Hi\n${quoted}\nAgreed.`).text).toBe('Hi\n> line 0\n> line 1\n> […]\nAgreed.');
});

test('a forwarded mail stays, under one line that says whose it is', () => {
  expect(foldReply(`FYI\n\n${HEADERS}`, { forwarded: true }).text).toBe(
    'FYI\n\nForwarded from A <a@b.c>: X\n\nquoted',
  );
});
