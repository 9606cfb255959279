// Real clients against the real server: swaks, Postfix's smtp-source, nodemailer; with and without TLS and
// passwords.
import { execFile, execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createTransport } from 'nodemailer';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { DOMAIN, intakeOf, startMail, type TestMail } from '#test/helpers/mail.ts';
import { findProgram } from '#test/services/service.ts';

const run = promisify(execFile);
const find = (name: string): string | null =>
  findProgram(name) ?? [`/usr/sbin/${name}`].find((path) => existsSync(path)) ?? null;
const swaks = find('swaks');
const smtpSource = find('smtp-source');
const hasOpenssl = find('openssl') !== null;
const hasPerlTls = spawnSync('perl', ['-MNet::SSLeay', '-e1'], { stdio: 'ignore' }).status === 0;
const NO_OPENSSL = 'openssl is not installed';

/** A certificate for the server's own name, made for this run. */
function makeCertificate(): { key: Buffer; cert: Buffer } {
  const folder = mkdtempSync(join(tmpdir(), 'qinbox-mail-'));
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  const subject = ['-subj', `/CN=${DOMAIN}`, '-addext', `subjectAltName=DNS:${DOMAIN}`];
  const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'];
  try {
    execFileSync('openssl', ['req', '-x509', ...curve, ...subject, '-keyout', key, '-out', cert], {
      stdio: 'ignore',
    });
    return { key: readFileSync(key), cert: readFileSync(cert) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

let mail: TestMail;
let certificate: { key: Buffer; cert: Buffer } | undefined;
beforeAll(async () => {
  certificate = hasOpenssl ? makeCertificate() : undefined;
  mail = await startMail([intakeOf('alpha')], certificate === undefined ? {} : { tls: certificate });
});
afterAll(() => mail.stop());
const withSubject = (subject: string): number =>
  mail.intakeService.taken.filter(({ parsed }) => parsed.tasks[0]?.content === subject).length;

describe('swaks delivers', () => {
  beforeEach(({ skip }) => {
    skip(swaks === null, 'swaks is not installed');
    skip(!hasOpenssl, NO_OPENSSL);
    skip(!hasPerlTls, 'swaks has no TLS (libnet-ssleay-perl is not installed)');
  });
  const send = (subject: string, to: string, ...options: string[]) =>
    run(swaks ?? '', [
      ...['--server', `127.0.0.1:${mail.port}`, '--helo', 'box.example.org', '--to', to],
      ...['--from', 'monitor@example.org', '--header', `Subject: ${subject}`, '--body', 'The disk is full.'],
      ...options,
    ]);
  const toIntake = `alpha@${DOMAIN}`;
  const toNobody = 'root@localhost.localdomain';
  const password = ['--auth-user', 'printer', '--auth-password', 'alpha'];

  test.each<[subject: string, to: string, options: string[]]>([
    ['in the clear', toIntake, []],
    ['pipelined', toIntake, ['--pipeline']],
    ['under TLS', toIntake, ['--tls']],
    ['with AUTH PLAIN', toNobody, ['--tls', '--auth', 'PLAIN', ...password]],
    ['with AUTH LOGIN', toNobody, ['--tls', '--auth', 'LOGIN', ...password]],
  ])('%s', async (subject, to, options) => {
    await send(subject, to, ...options);
    expect(withSubject(subject)).toBe(1);
  });

  test('nothing with a wrong password, or with one that would cross the network in the clear', async () => {
    const wrong = ['--auth', 'PLAIN', '--auth-user', 'printer', '--auth-password', 'wrong'];
    await expect(send('wrong', toNobody, '--tls', ...wrong)).rejects.toMatchObject({ stdout: /535 5\.7\.8/ });
    await expect(send('clear', toIntake, '--auth', 'PLAIN', ...password)).rejects.toMatchObject({
      stdout: /538 5\.7\.0/,
    });
    expect(withSubject('wrong') + withSubject('clear')).toBe(0);
  });
});

describe('smtp-source delivers', () => {
  beforeEach(({ skip }) => skip(smtpSource === null, 'smtp-source is not installed (it comes with postfix)'));

  test.each([
    ['100 messages over 10 kept connections', ['-d']],
    ['100 messages, each over its own connection', []],
  ])('%s', async (_what, options) => {
    const before = mail.intakeService.taken.length;
    const sizes = [
      '-s',
      '10',
      '-m',
      '100',
      '-l',
      '2000',
      '-f',
      'monitor@example.org',
      '-t',
      `alpha@${DOMAIN}`,
    ];
    await run(smtpSource ?? '', [...options, ...sizes, `127.0.0.1:${mail.port}`]);
    expect(mail.intakeService.taken.length - before).toBe(100);
  });
});

describe('nodemailer delivers', () => {
  beforeEach(({ skip }) => skip(!hasOpenssl, NO_OPENSSL));

  test('a mail with an attachment, from a pool, under TLS that it checks', async () => {
    const transport = createTransport({
      host: '127.0.0.1',
      port: mail.port,
      pool: true,
      maxConnections: 2,
      requireTLS: true,
      tls: { ca: certificate?.cert.toString() ?? '', servername: DOMAIN },
    });
    const send = (subject: string) =>
      transport.sendMail({
        from: 'Größe <monitor@example.org>',
        to: `alpha@${DOMAIN}`,
        subject,
        text: 'Übervoll.',
        html: '<p>Übervoll.</p>',
        attachments: [{ filename: 'log.txt', content: 'x'.repeat(100_000) }],
      });
    const subjects = ['Platte voll', 'Lüfter steht', 'Tür offen'];
    const answers = await Promise.all(subjects.map(send));
    transport.close();
    expect(answers.map(({ response }) => response.slice(0, 9))).toEqual(subjects.map(() => '250 2.6.0'));
    expect(subjects.map(withSubject)).toEqual([1, 1, 1]);
  });

  test('a mail under a certificate that was renewed meanwhile', async () => {
    const renewed = makeCertificate();
    mail.useCertificate(renewed);
    const tls = { ca: renewed.cert.toString(), servername: DOMAIN };
    const transport = createTransport({ host: '127.0.0.1', port: mail.port, requireTLS: true, tls });
    await transport.sendMail({ from: 'a@example.org', to: `alpha@${DOMAIN}`, subject: 'Renewed', text: 'x' });
    expect(withSubject('Renewed')).toBe(1);
  });
});
