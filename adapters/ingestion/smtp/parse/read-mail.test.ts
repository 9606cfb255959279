// Reading survives any input: hostile mails within a bounded number of steps, arbitrary bytes, and damaged
// real mails.
import { readdirSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { hostileMails } from '../../../../test/helpers/hostile-mails.ts';
import { MAIL_LIMITS, type Mail } from './mail.ts';
import { StepBudget } from './step-budget.ts';
import { readMail } from './read-mail.ts';
import { replayKeyOf, toDelivery } from './to-delivery.ts';

const folder = new URL('../fixtures/', import.meta.url);
const fixtures = readdirSync(folder)
  .filter((name) => name.endsWith('.eml'))
  .map((name) => readFileSync(new URL(name, folder)));

describe('hostile mails', () => {
  test.each(hostileMails(0.12))(
    '$name: $outcome, in steps bounded by its length',
    async ({ raw, outcome }) => {
      const budget = new StepBudget();
      const read = await readMail(raw, {}, budget);
      expect(read.kind).toBe(outcome === 'refused' ? 'refused' : 'mail');
      // A step a byte at the very worst; most take one for many.
      expect(budget.spent).toBeLessThan(2000 + raw.length);
      if (read.kind === 'mail') expectWithinLimits(read.mail);
    },
  );

  test('twice the length takes at most little more than twice the steps', async () => {
    const one = hostileMails(0.06);
    const two = hostileMails(0.12);
    for (const [index, { raw, name }] of one.entries()) {
      const [small, large] = [new StepBudget(), new StepBudget()];
      await readMail(raw, {}, small);
      await readMail(two[index]?.raw ?? raw, {}, large);
      expect(large.spent, name).toBeLessThan(2.2 * small.spent + 1000);
    }
  });

  test('more steps than allowed are refused, and said so', async () => {
    const read = await readMail(Buffer.from('Subject: x\r\n\r\nHello'), {}, new StepBudget(5));
    expect(read).toEqual({ kind: 'refused', reason: expect.stringContaining('too much work') });
  });

  test('what is over a limit is said in the mail, or why it is refused', async () => {
    const [many, deep] = hostileMails(0.12);
    expect(await readMail(many?.raw ?? Buffer.alloc(0))).toEqual({
      kind: 'refused',
      reason: 'The mail has more than 1000 parts.',
    });
    expect((await mailOf(deep?.raw)).clipped).toEqual(['what is nested more than 20 deep']);
  });
});

describe('a mail inside of a mail', () => {
  const part = 'Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\nContent-Type: message/rfc822';
  test.each([
    ['Content-Type: message/rfc822'],
    ['Content-Type: message/rfc822\r\n'],
    [part],
    [`${part}\r\n\r\n--b--`],
    [`${part}\r\n\r\n--b\r\n${part}`],
  ])('that ends before its header is read: %j', async (raw) => {
    expect((await mailOf(Buffer.from(raw))).text).toContain('Forwarded from somebody');
  });
});

describe('anything', () => {
  test('any bytes are a mail within the limits or refused', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 2000 }), (raw) => expectReadable(raw)),
      { numRuns: 150 },
    );
  });

  test('bytes like those of mails are, too', async () => {
    const piece = fc.constantFrom(
      ...[
        'Content-Type: ',
        'multipart/mixed; boundary=b',
        'text/html',
        'message/rfc822',
        '\r\n',
        '\n',
        '--b',
        '--b--',
        '\r\n\r\n',
        ';',
        '"',
        '=',
        '=?utf-8?q?',
        '=?iso-2022-jp?b?GyRC?=',
        '?=',
        '<',
        '>',
        '<a href="',
        '<td>',
        '<!--',
        '&#',
        '(',
        ')',
        '@',
        ',',
        ':',
        ' ',
        '\0',
        'é',
        '\u{1F600}',
        'From: ',
        'To: ',
        'Subject: ',
        'Date: ',
        'Content-Transfer-Encoding: base64',
        'quoted-printable',
        'charset=utf-7',
        'filename*0*=',
        "utf-8''%",
        'BEGIN:VEVENT\n',
        'DTSTART:',
        '>',
        'On 1 wrote:',
        '-- \n',
        'begin 644 x\n',
      ],
    );
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 60 }), (pieces) =>
        expectReadable(Buffer.from(pieces.join(''))),
      ),
      { numRuns: 200 },
    );
  });

  test('real mails with bytes lost, changed and repeated are, too', async () => {
    const damage = fc.tuple(
      fc.nat(fixtures.length - 1),
      fc.double({ min: 0, max: 1, noNaN: true }),
      fc.nat(300),
      fc.uint8Array({ maxLength: 20 }),
      fc.boolean(),
    );
    await fc.assert(
      fc.asyncProperty(damage, async ([index, at, length, instead, twice]) => {
        const raw = fixtures[index] ?? Buffer.alloc(0);
        const from = Math.floor(at * raw.length);
        const rest = raw.subarray(twice ? Math.max(0, from - length) : from + length);
        await expectReadable(Buffer.concat([raw.subarray(0, from), instead, rest]));
      }),
      { numRuns: 200 },
    );
  });
});

async function mailOf(raw: Buffer | undefined): Promise<Mail> {
  const read = await readMail(raw ?? Buffer.alloc(0));
  if (read.kind !== 'mail') throw new Error(read.reason);
  return read.mail;
}

async function expectReadable(raw: Uint8Array): Promise<void> {
  const read = await readMail(raw);
  if (read.kind !== 'mail') return;
  expectWithinLimits(read.mail);
  const [task] = toDelivery(read.mail).tasks;
  if (task !== undefined) expect(task.content.trim()).not.toBe('');
  expect(replayKeyOf(read.mail, raw)?.length ?? 0).toBeLessThanOrEqual(255);
}

const HARMFUL = /[[\p{Cc}\u{202A}-\u{202E}\u{2066}-\u{2069}]--[\t\n]]/v;

function expectWithinLimits(mail: Mail): void {
  const all = JSON.stringify(mail);
  expect(all.isWellFormed()).toBe(true);
  for (const text of [
    mail.text,
    mail.folded ?? '',
    mail.subject ?? '',
    mail.from?.name ?? '',
    ...mail.attachments.map(({ name }) => name),
  ]) {
    expect(HARMFUL.exec(text)).toBeNull();
    expect(text.isWellFormed()).toBe(true);
  }
  expect(mail.text.length).toBeLessThanOrEqual(MAIL_LIMITS.maxTextChars);
  expect((mail.folded ?? '').length).toBeLessThanOrEqual(MAIL_LIMITS.maxFoldedChars);
  expect(mail.to.length).toBeLessThanOrEqual(MAIL_LIMITS.maxAddresses);
  expect(mail.attachments.length).toBeLessThanOrEqual(MAIL_LIMITS.maxAttachments);
  expect(all.length).toBeLessThan(150_000);
}

test('a subject and a text that nobody sees are none: the mail is an empty one', async () => {
  const raw = 'From: Ann <ann@example.com>\r\nSubject: \u3164\u2800\r\n\r\n\u3164\u200B\r\n';
  const read = await readMail(Buffer.from(raw));
  const tasks = read.kind === 'mail' ? toDelivery(read.mail).tasks : [];
  expect(tasks.map(({ content }) => content)).toEqual(['Empty mail from Ann']);
});
