// Mail at a real SMTP server: what arrives, what is refused for good, what is tried again; and nothing that
// somebody writes becomes more than text.
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { text as readText } from 'node:stream/consumers';
import { simpleParser } from 'mailparser';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { createMailCheck, readMailRelay } from '#core/domain/mail-relay.ts';
import type { Mailer, MailOutcome, OutgoingMail } from '#core/ports/mailer.ts';
import { createTempDir } from '#test/helpers/temp.ts';
import { waitFor } from '#test/program/wait.ts';
import { findProgram } from '#test/services/service.ts';
import { createSmtpMailer, type SmtpMailerOptions } from './mailer.ts';

const PASSWORD = 'pa:ss wörd/@%';
const CREDENTIALS = `me%40example.com:${encodeURIComponent(PASSWORD)}@`;
/** Every form in which the password could be seen. */
const PASSWORD_FORMS = [
  PASSWORD,
  encodeURIComponent(PASSWORD),
  Buffer.from(PASSWORD).toString('base64'),
  Buffer.from(`\0me@example.com\0${PASSWORD}`).toString('base64'),
];
const MAIL: OutgoingMail = {
  to: 'ann@example.com',
  subject: 'The disk is full',
  text: 'Look at it.',
  messageId: 'escalation-1.2',
};

interface Sender extends Mailer {
  /** All that it logged. */
  logged(): string;
}

interface Received {
  from: string;
  to: string[];
  isSecure: boolean;
  user: string | undefined;
  raw: string;
}

function mailerFor(url: string, options: Partial<SmtpMailerOptions> = {}): Sender {
  const relay = readMailRelay(url);
  if (relay === null) throw new Error('no relay');
  const lines: string[] = [];
  const note = (fields: object, message: string) => void lines.push(JSON.stringify({ ...fields, message }));
  const mailer = createSmtpMailer({
    relay,
    from: { name: 'Qinbox «Büro»', address: 'qinbox@example.com' },
    mayMail: createMailCheck(['*']) ?? (() => false),
    log: { debug: note, info: note, warn: note, error: note },
    ...options,
  });
  onTestFinished(() => mailer.close());
  return { ...mailer, logged: () => lines.join('\n') };
}

async function portOf(server: { listen: (port: number, host: string, done: () => void) => Server }) {
  const listening = await new Promise<Server>((resolve) => {
    const started: Server = server.listen(0, '127.0.0.1', () => resolve(started));
  });
  return (listening.address() as AddressInfo).port;
}

/** A real server, that takes everything unless told otherwise. */
async function startRelay(options: SMTPServerOptions = {}) {
  const received: Received[] = [];
  const connections = { now: 0, most: 0 };
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: options.key === undefined ? ['STARTTLS'] : [],
    logger: false,
    onConnect(_session, done) {
      connections.most = Math.max(connections.most, ++connections.now);
      done();
    },
    onClose: () => void connections.now--,
    onAuth(auth, _session, done) {
      if (auth.username === 'me@example.com' && auth.password === PASSWORD)
        done(null, { user: auth.username });
      else done(new Error(`no ${auth.password}`));
    },
    onData(stream, session, done) {
      const take = (raw: string): void => {
        const { mailFrom, rcptTo } = session.envelope;
        received.push({
          from: mailFrom === false ? '' : mailFrom.address,
          to: rcptTo.map(({ address }) => address),
          isSecure: session.secure,
          user: session.user as string | undefined,
          raw,
        });
        done();
      };
      readText(stream).then(take, done);
    },
    ...options,
  });
  server.on('error', () => {});
  const port = await portOf(server);
  onTestFinished(() => new Promise<void>((resolve) => server.close(() => resolve())));
  return { port, received, connections };
}

/** A server of raw lines: `answer` says what follows each line; undefined says nothing. */
async function startLines(
  answer: (line: string, socket: Socket) => string | undefined,
  greeting = '220 x ESMTP',
) {
  const lines: string[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    let rest = '';
    if (greeting !== '') socket.write(`${greeting}\r\n`);
    socket.on('data', (chunk) => {
      const parts = (rest + chunk.toString('latin1')).split('\r\n');
      rest = parts.pop() ?? '';
      for (const line of parts) {
        lines.push(line);
        const said = answer(line, socket);
        if (said !== undefined) socket.write(`${said}\r\n`);
      }
    });
  });
  const port = await portOf(server);
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy();
    server.close();
    await once(server, 'close');
  });
  return { port, lines, sockets };
}

/** Takes everything up to the mail's end, where `end` decides. */
const upToTheEnd =
  (end: (socket: Socket) => string | undefined) =>
  (line: string, socket: Socket): string | undefined => {
    if (/^(EHLO|MAIL|RCPT|RSET)/.test(line)) return '250 ok';
    if (line === 'DATA') return '354 go on';
    return line === '.' ? end(socket) : undefined;
  };

function fail(code: number, text: string): Error {
  return Object.assign(new Error(text), { responseCode: code });
}

describe('a relay', () => {
  it('is looked at without a mail: whether it lets the server in, and why not', async () => {
    const { port, received, connections } = await startRelay({ authOptional: false });
    const goodMailer = mailerFor(`smtp://${CREDENTIALS}127.0.0.1:${port}`);
    expect([await goodMailer.check(), goodMailer.logged()]).toEqual([true, '']);
    const wrong = mailerFor(`smtp://me%40example.com:wrong@127.0.0.1:${port}`);
    expect(await wrong.check()).toBe(false);
    expect(wrong.logged()).toContain('The relay does not take the user name and password (535).');
    expect(wrong.logged()).not.toContain('wrong@');
    const nobody = mailerFor('smtp://127.0.0.1:1');
    expect(await nobody.check()).toBe(false);
    expect(nobody.logged()).toContain('ECONNREFUSED');
    expect(received).toEqual([]);
    await waitFor('the connections to be closed', () => connections.now === 0 || null);
  });

  it('that does not take mail is logged once, and once more when it does again', async () => {
    let isBusy = true;
    const { port } = await startRelay({
      onConnect: (_session, done) => done(isBusy ? fail(421, 'busy') : undefined),
    });
    const mailer = mailerFor(`smtp://127.0.0.1:${port}`);
    expect(await mailer.check()).toBe(false);
    expect(await mailer.send(MAIL)).toMatchObject({ kind: 'later' });
    isBusy = false;
    for (let n = 0; n < 2; n++) expect(await mailer.send(MAIL)).toEqual({ kind: 'sent' });
    const lines = mailer.logged().split('\n');
    expect(lines).toEqual([
      expect.stringContaining('mail cannot be handed to the relay'),
      expect.stringContaining('the relay takes mail again'),
    ]);
  });
});

describe('a mail', () => {
  it('arrives as it was given, in UTF-8, as text, marked as sent by a program', async () => {
    const { port, received } = await startRelay();
    const mailer = mailerFor(`smtp://127.0.0.1:${port}`);
    const subject = 'Größe 盤 🔥: Platte voll '.repeat(5).trim();
    const text = `Übervoll 🔥\n.\n..dots\nFrom me\n${'lang '.repeat(400).trim()}\n\n--\n\ttab`;
    const to = 'Ann+alerts@Bücher.example';
    expect(await mailer.send({ ...MAIL, to, subject, text })).toEqual({ kind: 'sent' });
    expect(received).toMatchObject([{ from: 'qinbox@example.com', to: ['ann+alerts@bücher.example'] }]);
    const raw = received[0]?.raw ?? '';
    expect(raw).toMatch(/^To: ann\+alerts@xn--bcher-kva\.example\r$/m);
    expect(raw).toMatch(/^[\t\r\n\x20-\x7e]*$/);
    expect(Math.max(...raw.split('\r\n').map((line) => line.length))).toBeLessThanOrEqual(78);
    const mail = await simpleParser(raw);
    expect(mail).toMatchObject({
      subject,
      messageId: '<escalation-1.2@example.com>',
      from: { value: [{ name: 'Qinbox «Büro»', address: 'qinbox@example.com' }] },
      html: false,
      attachments: [],
    });
    expect(mail.text?.trimEnd()).toBe(text);
    expect(mail.headers.get('auto-submitted')).toBe('auto-generated');
    expect(mail.headers.get('content-type')).toMatchObject({
      value: 'text/plain',
      params: { charset: 'utf-8' },
    });
    expect(Math.abs((mail.date?.getTime() ?? 0) - Date.now())).toBeLessThan(3_600_000);
    expect(mail.headers.has('x-mailer')).toBe(false);
  });

  it('has a subject of 200 characters at the most', async () => {
    const { port, received } = await startRelay();
    await mailerFor(`smtp://127.0.0.1:${port}`).send({ ...MAIL, subject: '🔥'.repeat(5000) });
    const { subject } = await simpleParser(received[0]?.raw ?? '');
    expect(subject).toBe(`${'🔥'.repeat(99)}…`);
  });

  it.each([
    '=?utf-8?B?4oCuZXZpbA0KWC1BOiBi?= hi',
    '=?utf-8?q?=0d=0aX-Evil:_1?=',
    `${'=?utf-8?q?=e2=80=ae?='.repeat(9)} Größe 🔥`,
  ])('has a subject that looks encoded as it was written: %s', async (subject) => {
    const { port, received } = await startRelay();
    await mailerFor(`smtp://127.0.0.1:${port}`).send({ ...MAIL, subject });
    const raw = received[0]?.raw ?? '';
    expect((await simpleParser(raw)).subject).toBe(subject);
    expect(Math.max(...raw.split('\r\n').map((line) => line.length))).toBeLessThanOrEqual(78);
  });

  it('has the same Message-ID when it is sent again, whatever the id is made of', async () => {
    const { port, received } = await startRelay();
    const mailer = mailerFor(`smtp://127.0.0.1:${port}`);
    for (const messageId of [
      'a b>\r\nBcc: x@x.example',
      'a b>\r\nBcc: x@x.example',
      'a:b',
      'x'.repeat(500),
      '.',
    ])
      expect(await mailer.send({ ...MAIL, messageId })).toEqual({ kind: 'sent' });
    const mails = await Promise.all(received.map(({ raw }) => simpleParser(raw)));
    const ids = mails.map(({ messageId }) => messageId ?? '');
    expect(ids[0]).toBe(ids[1]);
    expect(new Set(ids).size).toBe(4);
    expect(ids.filter((id) => !/^<[\w.-]{1,100}@example\.com>$/.test(id))).toEqual([]);
    expect(mails.filter(({ bcc }) => bcc !== undefined)).toEqual([]);
  });

  it('cannot be given headers or recipients by what it says', async () => {
    const { port, received } = await startRelay();
    const mailer = mailerFor(`smtp://127.0.0.1:${port}`);
    const evil = 'Bcc: bob@example.com\r\nX-Evil: 1';
    const subjects = [
      `Hi\r\n${evil}`,
      `Hi\n${evil}`,
      `Hi\r${evil}`,
      `Hi\u2028${evil}`,
      `Hi\0\u0085${evil}`,
      '=?utf-8?q?=0d=0aX-Evil:_1?=',
    ];
    for (const subject of subjects)
      expect(
        await mailer.send({ ...MAIL, subject, text: `${evil}\r\n\r\n.\r\nMAIL FROM:<x@x.example>` }),
      ).toEqual({
        kind: 'sent',
      });
    const text = { path: '/etc/hostname', href: 'http://127.0.0.1/' } as unknown as string;
    expect(await mailer.send({ ...MAIL, text })).toMatchObject({
      reason: expect.stringContaining('File access rejected') as string,
    });
    expect(received.map(({ to }) => to)).toEqual(subjects.map(() => ['ann@example.com']));
    const mails = await Promise.all(received.map(({ raw }) => simpleParser(raw)));
    const oneLine = 'Hi Bcc: bob@example.com X-Evil: 1';
    expect(mails.slice(0, 4).map(({ subject }) => subject)).toEqual(Array(4).fill(oneLine));
    const names = mails.map(({ headerLines }) =>
      headerLines
        .map(({ key }) => key)
        .toSorted()
        .join(' '),
    );
    expect(new Set(names)).toEqual(
      new Set([
        'auto-submitted content-transfer-encoding content-type date from message-id mime-version subject to',
      ]),
    );
  });

  it.each([
    'bob@example.com, eve@example.com',
    'ann@example.com>\r\nRCPT TO:<eve@example.com',
    'ann@example.com\nBcc: eve@example.com',
    'Ann <ann@example.com>',
    '"a b"@example.com',
    'ann@example.com\0',
    'änn@example.com',
    'ann',
    '',
  ])('is refused before anything is sent for the address %j', async (to) => {
    const { port, lines } = await startLines(() => '250 ok');
    const outcome = await mailerFor(`smtp://127.0.0.1:${port}`).send({ ...MAIL, to });
    expect(outcome).toMatchObject({
      kind: 'refused',
      reason: expect.stringMatching(/^The address must /) as string,
    });
    expect(lines).toEqual([]);
  });

  it('shares three connections at the most with the others, which are closed when it is quiet', async () => {
    const { port, received, connections } = await startRelay();
    const mailer = mailerFor(`smtp://127.0.0.1:${port}`);
    const ids = Array.from({ length: 250 }, (_, index) => `mail-${index}`);
    const outcomes = await Promise.all(ids.map((messageId) => mailer.send({ ...MAIL, messageId })));
    expect(new Set(outcomes.map(({ kind }) => kind))).toEqual(new Set(['sent']));
    expect(received.length).toBe(250);
    expect(connections.most).toBeLessThanOrEqual(3);
    await waitFor('no connection', () => connections.now === 0 || null);
    expect(await mailer.send(MAIL)).toEqual({ kind: 'sent' });
  });
});

describe('what the relay says', () => {
  it.each<[step: string, options: SMTPServerOptions]>([
    ['RCPT', { onRcptTo: (_address, _session, done) => done(fail(550, 'Nobody here')) }],
    ['MAIL', { onMailFrom: (_address, _session, done) => done(fail(553, 'Nobody here')) }],
    [
      'the end',
      { onData: (stream, _session, done) => stream.resume().on('end', () => done(fail(554, 'Nobody here'))) },
    ],
  ])('is final where it refuses at %s with 5xx; the next mail is sent', async (_step, options) => {
    const state = { refuses: true };
    const on =
      <T extends unknown[]>(refuse: ((...given: T) => void) | undefined, take: (...given: T) => void) =>
      (...given: T) =>
        state.refuses ? (refuse ?? take)(...given) : take(...given);
    const { port } = await startRelay({
      onRcptTo: on(options.onRcptTo, (_address, _session, done) => done()),
      onMailFrom: on(options.onMailFrom, (_address, _session, done) => done()),
      onData: on(options.onData, (stream, _session, done) => stream.resume().on('end', () => done())),
    });
    const mailer = mailerFor(`smtp://127.0.0.1:${port}`);
    expect(await mailer.send(MAIL)).toMatchObject({
      kind: 'refused',
      reason: expect.stringMatching(/^55\d .*Nobody here$/) as string,
    });
    state.refuses = false;
    expect(await mailer.send(MAIL)).toEqual({ kind: 'sent' });
    expect(mailer.logged()).toBe('');
  });

  it.each<[what: string, answers: Record<string, string>, greeting?: string]>([
    ['RCPT with 450', { RCPT: '450 4.2.0 Greylisted' }],
    ['MAIL with 451', { MAIL: '451 4.3.0 Try again' }],
    ['the end with 452', { '.': '452 4.3.1 No room' }],
    ['the end with 421', { '.': '421 4.3.2 Going down' }],
    ['MAIL with 530, that it wants to know who we are', { MAIL: '530 5.7.0 Authentication required' }],
    ['EHLO with 554', { EHLO: '554 5.0.0 No', HELO: '554 5.0.0 No' }],
    ['the connection with 554', {}, '554 5.0.0 Not now'],
    ['MAIL with what is no answer', { MAIL: 'HTTP/1.1 200 OK' }],
  ])('is tried later where it answers %s', async (_what, answers, greeting = '220 x ESMTP') => {
    const { port } = await startLines((line, socket) => {
      const command = line.split(' ')[0] ?? '';
      return answers[command] ?? upToTheEnd(() => '250 ok')(line, socket);
    }, greeting);
    expect(await mailerFor(`smtp://127.0.0.1:${port}`).send(MAIL)).toMatchObject({ kind: 'later' });
  });
});

describe('a relay that does not answer', () => {
  const limits = { connectMs: 300, answerMs: 300, mailMs: 1500 };

  it('is told of once it is known: nobody listens, no such host', async () => {
    const closed = createServer();
    const port = await portOf(closed);
    closed.close();
    await once(closed, 'close');
    const mailer = mailerFor(`smtp://127.0.0.1:${port}`);
    expect(await mailer.send(MAIL)).toMatchObject({
      kind: 'later',
      reason: expect.stringContaining('ECONNREFUSED') as string,
    });
    expect(mailer.logged()).toContain('mail cannot be handed to the relay');
    expect(await mailerFor('smtp://no.such.host.invalid', { limits }).send(MAIL)).toMatchObject({
      kind: 'later',
    });
  });

  it.each<[what: string, answer: (line: string, socket: Socket) => string | undefined, greeting?: string]>([
    ['before it says anything', () => undefined, ''],
    ['after EHLO', () => undefined],
    ['at the end of the mail', upToTheEnd(() => undefined)],
  ])('is waited for no longer than the limit: %s', async (_what, answer, greeting) => {
    const { port } = await startLines(answer, greeting);
    expect(await mailerFor(`smtp://127.0.0.1:${port}`, { limits }).send(MAIL)).toMatchObject({
      kind: 'later',
    });
  });

  it('is waited for no longer where it keeps talking, nor by the mails behind', async () => {
    const { port, sockets } = await startLines(
      upToTheEnd((socket) => {
        const timer = setInterval(() => socket.write('250-wait\r\n'), 20);
        socket.on('close', () => clearInterval(timer));
        return undefined;
      }),
    );
    const mailer = mailerFor(`smtp://127.0.0.1:${port}`, { limits });
    const outcomes = await Promise.all(Array.from({ length: 8 }, () => mailer.send(MAIL)));
    expect(outcomes).toEqual(
      outcomes.map(() => ({ kind: 'later', reason: 'The relay did not take the mail within 1.5 seconds.' })),
    );
    await waitFor('closed connections', () => [...sockets].every(({ destroyed }) => destroyed) || null);
  });

  it('gets a mail once where it dies after it had all of it; that is tried later', async () => {
    const { port, lines } = await startLines(upToTheEnd((socket) => void socket.destroy()));
    const mailer = mailerFor(`smtp://127.0.0.1:${port}`);
    expect(await mailer.send(MAIL)).toMatchObject({ kind: 'later' });
    expect(await mailer.send(MAIL)).toMatchObject({ kind: 'later' });
    expect(lines.filter((line) => line === '.').length).toBe(2);
  });

  it('holds up no stop, and nothing is sent after it', async () => {
    const { port, lines } = await startLines(upToTheEnd(() => undefined));
    const mailer = mailerFor(`smtp://127.0.0.1:${port}`, { limits: { closeMs: 100 } });
    const sending = mailer.send(MAIL);
    await waitFor('the end of the mail', () => lines.includes('.') || null);
    await mailer.close();
    expect(await sending).toMatchObject({ kind: 'later' });
    expect(await mailer.send(MAIL)).toMatchObject({ kind: 'later', reason: 'The server is stopping.' });
    await mailer.close();
  });

  it('has time to finish a mail that is under way when the server stops', async () => {
    const asked = Promise.withResolvers<() => void>();
    const { port } = await startRelay({
      onData: (stream, _session, done) => stream.resume().on('end', () => asked.resolve(() => done())),
    });
    const mailer = mailerFor(`smtp://127.0.0.1:${port}`, { limits: { closeMs: 60_000 } });
    const sending = mailer.send(MAIL);
    const finish = await asked.promise;
    const closing = mailer.close();
    finish();
    expect(await sending).toEqual({ kind: 'sent' });
    await closing;
  });
});

describe('a relay with TLS and a password', () => {
  let tls: { key: Buffer; cert: Buffer };
  beforeEach(({ skip }) => {
    skip(findProgram('openssl') === null, 'openssl is not installed');
    tls = makeCertificate();
  });

  it.each(['smtp', 'smtps'])('takes the mail by %s, encrypted, from who we are', async (scheme) => {
    const { port, received } = await startRelay({ ...tls, secure: scheme === 'smtps', authOptional: false });
    const query = scheme === 'smtp' ? '?starttls=required' : '';
    const mailer = mailerFor(`${scheme}://${CREDENTIALS}127.0.0.1:${port}${query}`, {
      certificate: tls.cert.toString(),
    });
    expect(await mailer.send(MAIL)).toEqual({ kind: 'sent' });
    expect(received).toMatchObject([{ isSecure: true, user: 'me@example.com' }]);
  });

  it.each(['smtp', 'smtps'])(
    'is told nothing by %s under a certificate that nobody vouches for',
    async (scheme) => {
      const said: string[] = [];
      const { port, received } = await startRelay({
        ...tls,
        secure: scheme === 'smtps',
        onAuth: ({ password }, _session, done) => {
          said.push(password ?? '');
          done(null, { user: 'me' });
        },
      });
      const query = scheme === 'smtp' ? '?starttls=required' : '';
      const mailer = mailerFor(`${scheme}://${CREDENTIALS}127.0.0.1:${port}${query}`);
      expect(await mailer.send(MAIL)).toMatchObject({
        kind: 'later',
        reason: expect.stringMatching(/self-signed certificate/) as string,
      });
      expect([said, received]).toEqual([[], []]);
    },
  );

  it('is told nothing where it has no STARTTLS, and one is required', async () => {
    const { port, lines } = await startLines((line, socket) => {
      if (line.startsWith('STARTTLS')) return '502 5.5.1 Not here';
      return line.startsWith('EHLO') ? '250 AUTH PLAIN' : upToTheEnd(() => '250 ok')(line, socket);
    });
    const mailer = mailerFor(`smtp://${CREDENTIALS}127.0.0.1:${port}?starttls=required`);
    expect(await mailer.send(MAIL)).toMatchObject({ kind: 'later' });
    expect(lines.filter((line) => /^(AUTH|MAIL|RCPT)/.test(line))).toEqual([]);
  });
});

it('says no credential in a reason or the log, whatever the relay repeats of it', async () => {
  const outcomes: MailOutcome[] = [];
  const logs: string[] = [];
  const relays: ((line: string, socket: Socket) => string | undefined)[] = [
    // It refuses the password, and says it.
    (line) => (line.startsWith('EHLO') ? '250 AUTH PLAIN LOGIN' : `535 5.7.8 no ${line} ${PASSWORD}`),
    // It takes the password, and says it later.
    (line, socket) => {
      if (line.startsWith('EHLO')) return '250 AUTH PLAIN';
      if (line.startsWith('AUTH')) return '235 ok';
      return line.startsWith('RCPT')
        ? `550 5.1.1 ${PASSWORD_FORMS.join(' ')}`
        : upToTheEnd(() => '250 ok')(line, socket);
    },
    // It does not know AUTH, which is then not left out.
    (line) => (line.startsWith('EHLO') ? '250 ok' : `500 5.5.1 what is ${line}?`),
    // It answers EHLO with what is none.
    () => `500 ${PASSWORD}`,
    // It dies of it.
    (line, socket) => (line.startsWith('EHLO') ? '250 AUTH PLAIN' : void socket.destroy()),
  ];
  for (const answer of relays) {
    const { port, lines } = await startLines(answer);
    const mailer = mailerFor(`smtp://${CREDENTIALS}127.0.0.1:${port}`);
    outcomes.push(await mailer.send(MAIL));
    logs.push(mailer.logged());
    expect(lines.length).toBeGreaterThan(0);
  }
  expect(outcomes.map(({ kind }) => kind)).toEqual(['later', 'refused', 'later', 'later', 'later']);
  const said = JSON.stringify([outcomes, logs]);
  expect(PASSWORD_FORMS.filter((form) => said.includes(form))).toEqual([]);
  expect(outcomes[0]).toMatchObject({ reason: 'The relay does not take the user name and password (535).' });
});

/** A certificate for 127.0.0.1, made for this run. */
function makeCertificate(): { key: Buffer; cert: Buffer } {
  const folder = createTempDir();
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'];
  const subject = ['-subj', '/CN=relay.test', '-addext', 'subjectAltName=IP:127.0.0.1'];
  execFileSync('openssl', ['req', '-x509', ...curve, ...subject, '-keyout', key, '-out', cert], {
    stdio: 'ignore',
  });
  return { key: readFileSync(key), cert: readFileSync(cert) };
}
