import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { createFakeClock } from '#test/helpers/clock.ts';
import {
  codeOf,
  DOMAIN,
  envelopeTo,
  intakeOf,
  mailOf,
  openClient,
  startMail,
  type TestMail,
} from '#test/helpers/mail.ts';

const HELLO = 'EHLO box.example.org';
const FROM = 'MAIL FROM:<monitor@example.org>';
const rcpt = (address: string): string => `RCPT TO:<${address}>`;
const to = (local: string): string => rcpt(`${local}@${DOMAIN}`);
const plain = (password: string): string =>
  `AUTH PLAIN ${Buffer.from(`\0printer\0${password}`).toString('base64')}`;

let mail: TestMail;
beforeAll(async () => {
  mail = await startMail([
    intakeOf('alpha'),
    intakeOf('beta'),
    intakeOf('asleep', {}, true),
    intakeOf('busy'),
    intakeOf('choosy', { allowedSenders: ['boss@example.net', '@example.org'] }),
    intakeOf('strict', { requirePass: 'dmarc' }),
    ...Array.from({ length: 51 }, (_, index) => intakeOf(`many${index}`)),
  ]);
  mail.intakeService.full.add('busy');
});
afterAll(() => mail.stop());

test('EHLO offers only what the server supports: no chunks, no delivery notices, no TLS without a certificate', async () => {
  const client = await openClient(mail.port);
  const offered = (await client.say(HELLO)).split('\n').map((line) => line.slice(4));
  expect(offered.slice(1)).toEqual([
    'PIPELINING',
    '8BITMIME',
    'SMTPUTF8',
    'ENHANCEDSTATUSCODES',
    'AUTH PLAIN LOGIN',
    'SIZE 10485760',
  ]);
  client.socket.destroy();
});

describe('a line is answered', () => {
  test.concurrent.each<[what: string, lines: string[], code: string]>([
    ['the address of an intake', [FROM, to('alpha')], '250 2.1.5'],
    ['anything+token', [FROM, to('printer+on.floor+alpha')], '250 2.1.5'],
    ['a token in capitals', [FROM, rcpt(`ALPHA@${DOMAIN.toUpperCase()}`)], '250 2.1.5'],
    ['a token in quotes', [FROM, to('"x+alpha"')], '250 2.1.5'],
    ['a bounce to an intake', ['MAIL FROM:<>', to('alpha')], '250 2.1.5'],
    ['the sender of an appliance', ['MAIL FROM:<nas.@localhost>', to('alpha')], '250 2.1.5'],
    ['an unknown token', [FROM, to('nobody')], '550 5.1.1'],
    ['no token at all', [FROM, to('alpha+')], '550 5.1.1'],
    ['another domain', [FROM, rcpt('alpha@example.net')], '550 5.7.1'],
    ['a domain that only ends alike', [FROM, rcpt(`alpha@not${DOMAIN}`)], '550 5.7.1'],
    ['a paused intake', [FROM, to('asleep')], '450 4.2.1'],
    ['an intake that has had enough', [FROM, to('busy')], '451 4.7.1'],
    ['a listed sender', ['MAIL FROM:<BOSS@Example.NET>', to('choosy')], '250 2.1.5'],
    ['a sender of a listed domain', ['MAIL FROM:<a@mail.example.org>', to('choosy')], '250 2.1.5'],
    ['a sender that is not listed', ['MAIL FROM:<a@example.net>', to('choosy')], '550 5.7.1'],
    ['a sender of a domain that ends alike', ['MAIL FROM:<a@badexample.org>', to('choosy')], '550 5.7.1'],
    ['recipients that ask different proofs', [FROM, to('alpha'), to('strict')], '452 4.5.3'],
    ['a declared size over 10 MiB', ['MAIL FROM:<a@example.org> SIZE=10485761'], '552 5.3.4'],
    ['a declared size of 10 MiB', ['MAIL FROM:<a@example.org> SIZE=10485760'], '250 2.1.0'],
    ['BDAT', [FROM, to('alpha'), 'BDAT 5 LAST'], '500 5.5.2'],
    ['DATA without a recipient', [FROM, 'DATA'], '503 5.5.1'],
    ['DATA after a recipient was refused', [FROM, to('nobody'), 'DATA'], '503 5.5.1'],
    ['RCPT after RSET', [FROM, 'RSET', to('alpha')], '503 5.5.1'],
    ['STARTTLS without a certificate', ['STARTTLS'], '500 5.5.2'],
    ['the wrong password', [plain('nobody')], '535 5.7.8'],
    ['no password', [plain('')], '535 5.7.8'],
    ['the token as password', [plain('ALPHA')], '235 2.7.0'],
    ['any recipient of who signed in', [plain('alpha'), FROM, rcpt('root@example.net')], '250 2.1.5'],
    ['an unknown token of who signed in', [plain('alpha'), FROM, to('root')], '250 2.1.5'],
    ['any recipient after a wrong password', [plain('nobody'), FROM, rcpt('root@example.net')], '550 5.7.1'],
    ['a line of 5,000 bytes', [`NOOP ${'x'.repeat(5000)}`], '421 4.4.2'],
  ])('to %s', async (_what, lines, code) => {
    const client = await openClient(mail.port);
    expect((await client.codes(HELLO, ...lines)).at(-1)).toBe(code);
    client.socket.destroy();
  });

  test('452 to the 51st recipient, and the message still goes to the fifty', async () => {
    const client = await openClient(mail.port);
    const many = Array.from({ length: 51 }, (_, index) => to(`many${index}`));
    const codes = await client.codes(HELLO, FROM, ...many, 'DATA', `${mailOf('for fifty')}.`);
    expect(codes.slice(-4)).toEqual(['250 2.1.5', '452 4.5.3', '354', '250 2.6.0']);
    expect(mail.intakeService.taken.filter(({ intake }) => intake.id.startsWith('many'))).toHaveLength(50);
    client.socket.destroy();
  });

  test('4xx and never 5xx while the store is down', async () => {
    const client = await openClient(mail.port);
    onTestFinished(() => void mail.intakeService.down.delete('store'));
    await client.codes(HELLO, FROM);
    mail.intakeService.down.add('store');
    expect(await client.codes(to('alpha'), to('nobody'), plain('alpha'))).toEqual([
      '451 4.3.0',
      '451 4.3.0',
      '454 4.7.0',
    ]);
    client.socket.destroy();
  });
});

test('a refused sender is noted for the owner of the intake', async () => {
  const client = await openClient(mail.port);
  const before = mail.intakeService.refused.length;
  await client.codes(HELLO, 'MAIL FROM:<spam@example.com>', to('choosy'));
  expect(mail.intakeService.refused.slice(before)).toEqual([
    {
      intake: 'choosy',
      reason: 'The sender is not on the list of allowed senders.',
      notes: { sender: 'spam@example.com', client: '127.0.0.1' },
    },
  ]);
  client.socket.destroy();
});

test('a client that makes nothing but errors is shown out', async () => {
  const client = await openClient(mail.port);
  await client.say(HELLO);
  await client.say(FROM);
  const replies: string[] = [];
  for (let reply = await client.say(to('guess')); reply !== ''; reply = await client.reply()) {
    replies.push(codeOf(reply));
    if (codeOf(reply) !== '421 4.7.0') client.write(`${to('guess')}\r\n`);
  }
  await client.closed;
  expect(new Set(replies.slice(0, -1))).toEqual(new Set(['550 5.1.1']));
  expect(replies.at(-1)).toBe('421 4.7.0');
});

describe('one address from outside', () => {
  const limits = { connectionsPerAddress: 2, perMinute: 3 };

  test('has so many connections and no more, until one is closed', async () => {
    const small = await startMail([], { limits, isLocal: () => false });
    onTestFinished(() => small.stop());
    const [first, second, third] = await Promise.all([1, 2, 3].map(() => openClient(small.port)));
    await third?.closed;
    expect(await second?.codes(HELLO)).toEqual(['250']);
    await first?.say('QUIT');
    first?.socket.end();
    await first?.closed;
    const fourth = await openClient(small.port);
    expect(await fourth.codes(HELLO)).toEqual(['250']);
  });

  test('begins so many messages a minute, and the others are for later', async () => {
    const clock = createFakeClock();
    const small = await startMail([], { limits, clock, isLocal: () => false });
    onTestFinished(() => small.stop());
    const client = await openClient(small.port);
    await client.say(HELLO);
    const begin = async () => (await client.codes(FROM, 'RSET'))[0];
    expect([await begin(), await begin(), await begin(), await begin()]).toEqual([
      '250 2.1.0',
      '250 2.1.0',
      '250 2.1.0',
      '451 4.7.1',
    ]);
    clock.advance(60_000);
    expect(await begin()).toBe('250 2.1.0');
    client.socket.destroy();
  });
});

test('a message for an intake that is named twice is taken in once', async () => {
  const client = await openClient(mail.port);
  const before = mail.intakeService.taken.length;
  const codes = await client.codes(HELLO, ...envelopeTo('alpha', 'home+alpha'), `${mailOf('twice')}.`);
  expect(codes.at(-1)).toBe('250 2.6.0');
  expect(mail.intakeService.taken.slice(before).map(({ intake }) => intake.id)).toEqual(['alpha']);
  client.socket.destroy();
});
