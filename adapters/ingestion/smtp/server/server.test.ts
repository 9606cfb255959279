import { networkInterfaces } from 'node:os';
import { describe, expect, onTestFinished, test } from 'vitest';
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
import { NOT_CHECKED, type Evidence, type Verdicts, type VerdictSource } from '../sender-checks/verdicts.ts';

const hasIPv6 = Object.values(networkInterfaces()).some((all) =>
  all?.some(({ address }) => address === '::1'),
);
const HELLO = 'EHLO box.example.org';

async function start(options: TestMailOptions = {}) {
  const mail = await startMail(
    [
      intakeOf('alpha'),
      intakeOf('beta'),
      intakeOf('gamma'),
      intakeOf('strict', { requirePass: 'dmarc' }),
      intakeOf('choosy', { requirePass: 'spf-or-dkim', allowedSenders: ['@example.org'] }),
    ],
    options,
  );
  onTestFinished(() => mail.stop());
  const client = await openClient(mail.port);
  onTestFinished(() => void client.socket.destroy());
  await client.say(HELLO);
  /** Sends one whole message and answers the code at its end. */
  const send = async (message: string, ...tokens: string[]): Promise<string | undefined> =>
    (await client.codes(...envelopeTo(...tokens), `${message}.`)).at(-1);
  const contents = (): (string | undefined)[] =>
    mail.intakeService.taken.map(({ parsed }) => parsed.tasks[0]?.content);
  return { mail, client, send, contents };
}

describe('a message that is answered 250', () => {
  test('was read and taken in, with what the envelope and the checks say of it', async () => {
    const { mail, send } = await start();
    expect(await send(mailOf('Disk full on db-1'), 'alpha')).toBe('250 2.6.0');
    const [delivery] = mail.intakeService.taken;
    expect(delivery?.parsed.tasks[0]).toMatchObject({
      content: 'Disk full on db-1',
      metadata: { verdicts: NOT_CHECKED },
    });
    expect(delivery).toMatchObject({
      intake: { id: 'alpha' },
      notes: { sender: 'monitor@example.org', client: '127.0.0.1 (box.example.org)', checks: NOT_CHECKED },
      request: {
        contentType: 'message/rfc822',
        encoding: 'text',
        clipped: false,
        body: mailOf('Disk full on db-1'),
      },
    });
    expect(delivery?.requestId).toMatch(/^mail-/);
  });

  test('is in every intake it is for; 451 when one could not, and the retry completes it without doubles', async () => {
    const { mail, send } = await start();
    mail.intakeService.down.add('beta');
    expect(await send(mailOf('for three'), 'alpha', 'beta', 'gamma')).toBe('451 4.3.0');
    mail.intakeService.down.clear();
    expect(await send(mailOf('for three'), 'alpha', 'beta', 'gamma')).toBe('250 2.6.0');
    expect(mail.intakeService.taken.map(({ intake }) => intake.id).toSorted()).toEqual([
      'alpha',
      'beta',
      'gamma',
    ]);
  });

  test('may be an automatic reply: counted, and no task', async () => {
    const { mail, send } = await start();
    const reply = mailOf('Out of office').replace('\r\n\r\n', '\r\nAuto-Submitted: auto-replied\r\n\r\n');
    expect(await send(reply, 'alpha')).toBe('250 2.6.0');
    expect(mail.intakeService.taken[0]?.parsed).toMatchObject({
      tasks: [],
      ignored: expect.any(String) as string,
    });
  });
});

describe('what a sender does halfway', () => {
  test('half a message and then gone: nothing is taken in, and its room is free again', async () => {
    const { mail, client } = await start();
    await client.codes(...envelopeTo('alpha'));
    client.write(mailOf('half').repeat(100));
    await waitFor('the half', () => mail.bytesInFlight() > 0);
    client.socket.destroy();
    await waitFor('room', () => mail.bytesInFlight() === 0);
    expect(mail.intakeService.taken).toEqual([]);
  });

  test('a message that never ends is cut off', async () => {
    const { mail, client } = await start({ limits: { dataMs: 20 } });
    await client.codes(...envelopeTo('alpha'));
    client.write('Subject: slow\r\n');
    expect(codeOf(await client.reply())).toBe('421 4.4.2');
    await client.closed;
    expect(mail.intakeService.taken).toEqual([]);
  });
});

describe('where a message ends', () => {
  const smuggled =
    'MAIL FROM:<evil@example.net>\r\nRCPT TO:<beta@in.example.com>\r\nDATA\r\nSubject: smuggled\r\n\r\n';

  test.each(['\n.\r\n', '\r\n.\n', '\n.\n', '\r.\r', '\r\n.\r', '\n.\r'])(
    '%j is a part of it, whatever comes after',
    async (notAnEnd) => {
      const { client, mail, contents } = await start();
      await client.codes(...envelopeTo('alpha'));
      client.write(`${mailOf('outer')}text${notAnEnd}${smuggled}text\r\n.\r\nNOOP\r\n`);
      expect([codeOf(await client.reply()), codeOf(await client.reply())]).toEqual([
        '250 2.6.0',
        '250 2.0.0',
      ]);
      expect(contents()).toEqual(['outer']);
      expect(mail.intakeService.taken[0]?.request.body).toContain('Subject: smuggled');
    },
  );

  test('is the same however the bytes are cut up; dots are unstuffed', async () => {
    const { client, mail } = await start();
    const message = `${mailOf('dots')}..first\r\n..\r\nlast\r\n`;
    await client.codes(...envelopeTo('alpha'));
    for (const byte of `${message}.\r\n`) client.write(byte);
    expect(codeOf(await client.reply())).toBe('250 2.6.0');
    expect(mail.intakeService.taken[0]?.request.body).toBe(`${mailOf('dots')}.first\r\n.\r\nlast\r\n`);
  });

  test('two whole messages in one packet are two', async () => {
    const { client, contents } = await start();
    const session = (subject: string) => `${envelopeTo('alpha').join('\r\n')}\r\n${mailOf(subject)}.\r\n`;
    client.write(`${session('first')}${session('second')}QUIT\r\n`);
    await client.closed;
    const replies: string[] = [];
    for (let reply = await client.reply(); reply !== ''; reply = await client.reply())
      replies.push(codeOf(reply));
    const one = ['250 2.1.0', '250 2.1.5', '354', '250 2.6.0'];
    expect(replies).toEqual([...one, ...one, '221 2.0.0']);
    expect(contents()).toEqual(['first', 'second']);
  });
});

describe('limits', () => {
  test('over 10 MiB: 552 at the end, nothing stored, and the connection goes on', async () => {
    const { mail, client, send } = await start();
    await client.codes(...envelopeTo('alpha'));
    client.write(mailOf('big'));
    for (let mebibyte = 0; mebibyte < 11; mebibyte++) client.write(`${'x'.repeat(1022)}\r\n`.repeat(1024));
    client.write('.\r\n');
    expect(codeOf(await client.reply())).toBe('552 5.3.4');
    expect([mail.bytesInFlight(), mail.intakeService.taken.length]).toEqual([0, 0]);
    expect(await send(mailOf('small'), 'alpha')).toBe('250 2.6.0');
  });

  test('more under way than there is room for: 451, and the room is given back', async () => {
    const { mail, send } = await start({ limits: { inFlightBytes: 2000 } });
    expect(await send(mailOf('long', 'x'.repeat(3000)), 'alpha')).toBe('451 4.3.1');
    expect(mail.bytesInFlight()).toBe(0);
    expect(await send(mailOf('short'), 'alpha')).toBe('250 2.6.0');
  });

  test('a mail that cannot be read within them: 554, and its owner hears of it', async () => {
    const { mail, send } = await start();
    const endless = `X-Header: ${'x'.repeat(200 * 1024)}\r\n${mailOf('endless')}`;
    expect(await send(endless, 'alpha')).toBe('554 5.6.0');
    expect(mail.intakeService.refused).toEqual([
      { intake: 'alpha', reason: expect.any(String) as string, notes: expect.any(Object) as object },
    ]);
  });
});

describe('an intake that asks for proof', () => {
  const verdicts = (some: Partial<Verdicts>): { asked: Evidence[]; source: VerdictSource } => {
    const asked: Evidence[] = [];
    const found: Verdicts = {
      spf: 'none',
      dkim: 'none',
      dmarc: 'none',
      arc: 'none',
      from: ['monitor@example.org'],
      dkimAligned: false,
      ...some,
    };
    const check = (evidence: Evidence) => {
      asked.push(evidence);
      return Promise.resolve(found);
    };
    return { asked, source: { check, close: () => Promise.resolve() } };
  };

  test.each([
    ['has it: 250', { dmarc: 'pass' }, '250 2.6.0'],
    ['has it not: 550 and a note', { dmarc: 'fail' }, '550 5.7.26'],
    ['cannot know yet: 451', { dmarc: 'temperror' }, '451 4.4.3'],
  ])('%s', async (_what, found, code) => {
    const { mail, send } = await start({ verdicts: verdicts(found).source, isLocal: () => false });
    expect(await send(mailOf('proof'), 'strict')).toBe(code);
    expect(mail.intakeService.taken.map(({ parsed }) => parsed.tasks[0]?.metadata?.['verdicts'])).toEqual(
      code.startsWith('250') ? [{ spf: 'none', dkim: 'none', dmarc: 'pass', arc: 'none' }] : [],
    );
    expect(mail.intakeService.refused).toHaveLength(code.startsWith('550') ? 1 : 0);
  });

  test.skipIf(!hasIPv6)('asks it of the address of the sender, on a server for both families', async () => {
    const { asked, source } = verdicts({});
    const { mail, send } = await start({ host: '::', isLocal: () => false, verdicts: source });
    expect(await send(mailOf('over IPv4'), 'alpha')).toBe('250 2.6.0');
    const client = await openClient(mail.port, '::1');
    onTestFinished(() => void client.socket.destroy());
    await client.say(HELLO);
    expect((await client.codes(...envelopeTo('alpha'), `${mailOf('over IPv6')}.`)).at(-1)).toBe('250 2.6.0');
    expect(asked.map(({ ip }) => ip)).toEqual(['127.0.0.1', '::1']);
    expect(mail.intakeService.taken.map(({ notes }) => notes?.client)).toEqual([
      '127.0.0.1 (box.example.org)',
      '::1 (box.example.org)',
    ]);
  });

  test('asks it of a local sender too, whose address alone proves nothing', async () => {
    const { asked, source } = verdicts({ spf: 'pass', dkim: 'none' });
    const { send } = await start({ verdicts: source });
    expect(await send(mailOf('local'), 'strict')).toBe('550 5.7.26');
    expect(asked.map(({ ip }) => ip)).toEqual([null]);
  });

  test('takes its token as a password for it', async () => {
    const { client, send } = await start({ verdicts: verdicts({}).source, isLocal: () => false });
    const password = Buffer.from('\0nas\0strict').toString('base64');
    expect(await client.codes(`AUTH PLAIN ${password}`)).toEqual(['235 2.7.0']);
    expect(await send(mailOf('signed in'), 'strict')).toBe('250 2.6.0');
  });
});

describe('stopping', () => {
  test('lets a message that was begun come to its answer, tells the others, and takes nobody new', async () => {
    const { mail, client } = await start();
    const idle = await openClient(mail.port);
    await client.codes(...envelopeTo('alpha'));
    client.write(mailOf('begun'));
    await waitFor('the beginning', () => mail.bytesInFlight() > 0);
    const stopped = mail.stop();
    expect(codeOf(await idle.reply())).toBe('421 4.3.2');
    client.write('.\r\n');
    expect(codeOf(await client.reply())).toBe('250 2.6.0');
    expect(codeOf(await client.reply())).toBe('421 4.3.2');
    await Promise.all([stopped, mail.stop()]);
    expect(mail.intakeService.taken).toHaveLength(1);
    const refused = await openClient(mail.port);
    expect(await refused.reply()).toBe('');
  });
});
