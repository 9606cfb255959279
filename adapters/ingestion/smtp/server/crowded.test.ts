// Idle connections keep no client out: the longest idle are evicted, a message in flight never is. Real
// sockets.
import { connect, type Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { createFakeClock } from '#test/helpers/clock.ts';
import {
  codeOf,
  envelopeTo,
  intakeOf,
  mailOf,
  openClient,
  startMail,
  type TestMailOptions,
} from '#test/helpers/mail.ts';
import { waitFor } from '#test/program/wait.ts';

const HELLO = 'EHLO box.example.org';
const FROM = 'MAIL FROM:<idle@example.org>';

async function start(options: TestMailOptions = {}) {
  const mail = await startMail([intakeOf('alpha')], options);
  onTestFinished(() => mail.stop());
  const open = async () => {
    const client = await openClient(mail.port);
    onTestFinished(() => void client.socket.destroy());
    return client;
  };
  return {
    mail,
    open,
    /** A normal sender's one mail. */
    async deliver(subject: string) {
      const client = await open();
      return (await client.codes(HELLO, ...envelopeTo('alpha'), `${mailOf(subject)}.`)).at(-1);
    },
  };
}

/** Connects from one of our own addresses, says these lines, and then nothing. What was heard grows. */
async function idleFrom(
  port: number,
  localAddress: string,
  ...lines: string[]
): Promise<{ socket: Socket; heard: string }> {
  const socket = connect({ port, host: '127.0.0.1', localAddress });
  onTestFinished(() => void socket.destroy());
  const idle = { socket, heard: '' };
  socket.setEncoding('utf8').on('data', (text: string) => (idle.heard += text));
  socket.on('error', () => undefined);
  const replies = () => idle.heard.match(/^\d{3} /gm)?.length ?? 0;
  const isDone = (count: number) => waitFor('a reply', () => replies() >= count || socket.closed);
  await isDone(1);
  for (const [index, line] of lines.entries()) {
    socket.write(`${line}\r\n`);
    await isDone(index + 2);
  }
  return idle;
}

const crowd = (port: number, count: number, addresses: number, ...lines: string[]) =>
  Promise.all(
    Array.from({ length: count }, (_, at) => idleFrom(port, `127.0.1.${1 + (at % addresses)}`, ...lines)),
  );

test.each([
  ['say nothing', []],
  ['greet', [HELLO]],
  ['begin a mail', [HELLO, FROM]],
])(
  'while 500 from one private address %s, a mail from it and from another gets through',
  async (_what, lines) => {
    const { mail, deliver } = await start();
    await Promise.all(Array.from({ length: 500 }, () => idleFrom(mail.port, '127.0.0.1', ...lines)));
    expect(await deliver('from the same address')).toBe('250 2.6.0');
    const other = await idleFrom(mail.port, '127.0.2.1', HELLO, ...envelopeTo('alpha'));
    other.socket.write(`${mailOf('from another')}.\r\n`);
    await waitFor('the other mail', () => mail.intakeService.taken.length === 2);
  },
);

test('one private address holds no more than its part of all connections', async () => {
  const { mail } = await start();
  const idle = await Promise.all(Array.from({ length: 300 }, () => idleFrom(mail.port, '127.0.0.1', HELLO)));
  await waitFor(
    'the rest to be told',
    () => idle.filter(({ heard }) => heard.includes('421 4.7.0')).length >= 100,
  );
  expect(idle.filter(({ socket }) => !socket.closed && !socket.readableEnded)).toHaveLength(200);
});

test('when 500 from many addresses are idle, those that were idle longest make room', async () => {
  const { mail, deliver } = await start();
  const idle = await crowd(mail.port, 500, 25, HELLO);
  for (let times = 0; times < 20; times++) expect(await deliver(`mail ${times}`)).toBe('250 2.6.0');
  expect(idle.some(({ heard }) => /^421 4\.7\.0/m.test(heard))).toBe(true);
});

test('a client that is in the middle of a mail, or has given its password, makes no room', async () => {
  const { mail, open, deliver } = await start({ limits: { connections: 20 } });
  const sending = await open();
  await sending.codes(HELLO, ...envelopeTo('alpha'));
  sending.write(mailOf('slow'));
  const named = await open();
  await named.codes(HELLO, ...envelopeTo('alpha').slice(0, 2));
  const signedIn = await open();
  const password = Buffer.from('\0nas\0alpha').toString('base64');
  expect(await signedIn.codes(HELLO, `AUTH PLAIN ${password}`)).toEqual(['250', '235 2.7.0']);
  await waitFor('the beginning', () => mail.bytesInFlight() > 0);
  await crowd(mail.port, 100, 10, HELLO);
  expect(await deliver('through the crowd')).toBe('250 2.6.0');
  sending.write('.\r\n');
  expect(codeOf(await sending.reply())).toBe('250 2.6.0');
  expect(await named.codes('RSET')).toEqual(['250 2.0.0']);
  expect(await signedIn.codes('RSET')).toEqual(['250 2.0.0']);
});

test('who says nothing for a minute before a first mail is sent away; who has sent one may wait for five', async () => {
  const clock = createFakeClock();
  const { open } = await start({ clock, limits: { checkMs: 5 } });
  const [silent, busy] = [await open(), await open()];
  await busy.codes(HELLO, ...envelopeTo('alpha'), `${mailOf('first')}.`);
  clock.advance(59_000);
  await silent.codes('NOOP');
  clock.advance(59_000);
  expect(await silent.codes('NOOP')).toEqual(['250 2.0.0']);
  clock.advance(60_000);
  expect(codeOf(await silent.reply())).toBe('421 4.4.2');
  expect(await busy.codes('NOOP')).toEqual(['250 2.0.0']);
});
