// What is counted of the mails that leave; nothing where no relay is named.
import { expect, it } from 'vitest';
import type { Mailer, MailOutcome } from '#core/ports/mailer.ts';
import { withMailCount } from './mail-count.ts';
import { createMetrics } from '../health/metrics.ts';

const mail = { to: 'ann@example.com', subject: 'Full', text: 'Look.', messageId: 'a' };

it('counts each mail by what came of it, and changes nothing else', async () => {
  const outcomes: MailOutcome[] = [
    { kind: 'sent' },
    { kind: 'sent' },
    { kind: 'later', reason: '450' },
    { kind: 'refused', reason: '550' },
  ];
  const closed: string[] = [];
  const waiting = [...outcomes];
  const mailer: Mailer = {
    send: async () => waiting.shift() ?? { kind: 'sent' },
    check: () => Promise.resolve(true),
    mayMail: (address) => address === mail.to,
    close: async () => void closed.push('closed'),
  };
  const metrics = createMetrics(() => 0, false);
  const counted = withMailCount(mailer, metrics.meter);
  const answers = [];
  for (const _ of outcomes) answers.push(await counted?.send(mail));
  expect(answers).toEqual(outcomes);
  const { text } = await metrics.read();
  expect(text.match(/^qinbox_mail_out_total.*$/gm)?.toSorted()).toEqual([
    'qinbox_mail_out_total{outcome="later"} 1',
    'qinbox_mail_out_total{outcome="refused"} 1',
    'qinbox_mail_out_total{outcome="sent"} 2',
  ]);
  expect([counted?.mayMail(mail.to), counted?.mayMail('bob@example.com')]).toEqual([true, false]);
  await counted?.close();
  expect(closed).toEqual(['closed']);
});

it('is nothing where there is no relay', async () => {
  const metrics = createMetrics(() => 0, false);
  expect(withMailCount(null, metrics.meter)).toBe(null);
  expect((await metrics.read()).text).not.toMatch(/^qinbox_mail_out_total/m);
});
