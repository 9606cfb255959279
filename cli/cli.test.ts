// The qinbox command as its users run it: a process of its own, beside a running server and without one.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import manifest from '../package.json' with { type: 'json' };
import { freePort, plainEnvironment, startProgram } from '#test/program/program.ts';
import { createTestApp } from '#test/helpers/app.ts';
import { findProgram } from '#test/services/service.ts';

const CLI = resolve(import.meta.dirname, 'qinbox.mjs');

interface Ran {
  code: number | null;
  out: string;
  err: string;
}

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'qinbox-cli-'));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

function environment(extra: Record<string, string>): Record<string, string> {
  return plainEnvironment({ HOME: extra['DATA_DIR'] ?? '/nonexistent', NODE_NO_WARNINGS: '1', ...extra });
}

/** Runs one command to its end, without holding up this process, which may be the server it talks to. */
function qinbox(args: string[], env: Record<string, string>, input = ''): Promise<Ran> {
  return new Promise((done) => {
    const child = spawn(process.execPath, [CLI, ...args], { env: environment(env) });
    const ran: Ran = { code: null, out: '', err: '' };
    child.stdout.on('data', (data: Buffer) => (ran.out += data.toString()));
    child.stderr.on('data', (data: Buffer) => (ran.err += data.toString()));
    child.on('close', (code) => done({ ...ran, code }));
    child.stdin.end(input);
  });
}

/** A port that somebody else listens on until the test ends. */
async function takenPort(): Promise<string> {
  const taken = createServer().listen(0, '127.0.0.1');
  onTestFinished(() => void taken.close());
  await once(taken, 'listening');
  return String((taken.address() as AddressInfo).port);
}

describe("the operator's commands", () => {
  it('make a key that works at once on a server that is running, list it, and revoke it within a second', async () => {
    const { app, call, clock, parts } = await createTestApp();
    const env = { DATA_DIR: parts.config.dataDir };
    const made = await qinbox(
      ['key', 'create', '--email', 'me@example.com', '--name', 'cron', '--scopes', 'read,write', '--json'],
      env,
    );
    expect([made.code, made.out.trim().split('\n')]).toEqual([0, [expect.stringMatching(/^\{.*\}$/)]]);
    const { id, key, prefix } = JSON.parse(made.out) as { id: string; key: string; prefix: string };
    expect([key, key.slice(0, 8)]).toEqual([expect.stringMatching(/^qi_[0-9A-Za-z]{40}$/), prefix]);
    expect((await call('POST', '/tasks', { key, body: { content: 'from cron' } })).status).toBe(201);
    const listed = await qinbox(['key', 'list'], env);
    expect(listed.out).toContain('cron');
    expect(listed.out + listed.err).not.toContain(key);
    expect((await qinbox(['key', 'revoke', id], env)).code).toBe(0);
    clock.advance(1000);
    expect((await call('GET', '/tasks', { key })).status).toBe(401);
    expect(app.server.listening).toBe(false);
  });

  it('make a key that ends by itself after so many days, and refuse a number that is none', async () => {
    const { call, clock, parts } = await createTestApp();
    const env = { DATA_DIR: parts.config.dataDir };
    const before = Date.now();
    const made = await qinbox(['key', 'create', '--name', 'cron', '--days', '30', '--json'], env);
    const { key, expires_at } = JSON.parse(made.out) as { key: string; expires_at: string };
    const days = (Date.parse(expires_at) - before) / 86_400_000;
    expect(Math.abs(days - 30)).toBeLessThan(1);
    expect((await call('GET', '/tasks', { key })).status).toBe(200);
    const listed = await qinbox(['key', 'list'], { ...env, TZ: 'UTC' });
    const [day, time = ''] = expires_at.split('T');
    expect(listed.out).toMatch(new RegExp(`expires: [A-Z][a-z]{2} ${day} ${time.slice(0, 5)} UTC\\n`));
    clock.jump(Date.parse(expires_at) - clock.now());
    clock.advance(1000);
    expect((await call('GET', '/tasks', { key })).body['error']).toContain('expired');
    expect((await qinbox(['key', 'create', '--name', 'cron', '--days', '0'], env)).code).toBe(2);
  });

  it('print a sign-in link as JSON, and it signs in', async () => {
    const { call, parts } = await createTestApp();
    const env = { DATA_DIR: parts.config.dataDir, PUBLIC_URL: 'https://q.example.com' };
    const { out } = await qinbox(['signin-link', '--email', 'new@example.com', '--json'], env);
    const { url, token, expiresAt } = JSON.parse(out) as { url: string; token: string; expiresAt: string };
    expect(url).toBe(`https://q.example.com/inbox#signin=${token}`);
    expect(Date.parse(expiresAt)).toBeGreaterThan(Date.now());
    expect((await call('POST', '/auth/link', { body: { token } })).body['user']).toMatchObject({
      email: 'new@example.com',
    });
  });

  it('make the first whom the operator names an administrator, also when somebody signed up before, and say whom they shut out', async () => {
    const { parts } = await createTestApp({ EMAIL_SIGNIN: 'true' });
    const env = { DATA_DIR: parts.config.dataDir };
    const squatter = { name: 'x', passwordHash: 'scrypt$1$salt$hash' };
    for (const email of ['boss@example.com', 'owner@localhost', 'new@example.com'])
      await parts.accounts.addUnproven(email, squatter);
    expect((await qinbox(['user', 'list'], env)).out.match(/not proven/g)).toHaveLength(3);
    const boss = await qinbox(['key', 'create', '--email', 'Boss@example.com', '--name', 'cron'], env);
    expect([boss.code, boss.err]).toEqual([
      0,
      expect.stringContaining('had signed up as boss@example.com without proving it, and is shut out'),
    ]);
    expect((await qinbox(['signin-link'], env)).err).toContain('had signed up as owner@localhost');
    expect((await qinbox(['user', 'add', 'new@example.com'], env)).err).toContain('new@example.com');
    expect((await qinbox(['user', 'add', 'new@example.com'], env)).err).toContain(
      'a user new@example.com already',
    );
    const users = JSON.parse((await qinbox(['user', 'list', '--json'], env)).out) as unknown;
    expect(users).toMatchObject([
      { email: 'boss@example.com', is_admin: true, email_verified: true },
      { email: 'owner@localhost', name: 'Owner', is_admin: true, email_verified: true },
      { email: 'new@example.com', is_admin: false, email_verified: true },
    ]);
  });

  it('show names that users chose in one line, and without what commands a terminal', async () => {
    const { parts } = await createTestApp();
    const env = { DATA_DIR: parts.config.dataDir };
    const name = 'Mal\u001b[2J\u009b31m\u202e\nfake@example.com  Boss  admin';
    const { user } = await parts.accounts.ensureUser('mal@example.com', { name });
    await parts.apiKeys.create(user.id, { name, scopes: ['read'], expiresAt: null });
    for (const command of ['user', 'key']) {
      const listed = (await qinbox([command, 'list'], env)).out;
      expect(listed).toMatch(/^[^\p{Cc}\p{Cf}]+\n$/u);
      expect(listed).toContain('Boss');
      const asJson = (await qinbox([command, 'list', '--json'], env)).out;
      expect(asJson).toMatch(/^[^\p{Cc}\p{Cf}]+\n$/u);
      expect(JSON.parse(asJson)).toMatchObject([{ name }]);
    }
  });

  it('prove nothing by taking rights away or shutting out', async () => {
    const { parts } = await createTestApp();
    const env = { DATA_DIR: parts.config.dataDir };
    const passwordHash = 'scrypt$1$salt$hash';
    const { user } = await parts.accounts.addUnproven('ann@example.com', { name: 'x', passwordHash });
    expect((await qinbox(['user', 'admin', 'ann@example.com', '--remove'], env)).code).toBe(0);
    expect((await qinbox(['user', 'disable', 'ann@example.com'], env)).code).toBe(0);
    expect(await parts.storage.accounts.getUser(user.id)).toMatchObject({
      passwordHash,
      emailVerified: false,
    });
  });

  it('refuse an address that cannot be an account', async () => {
    const refused = await qinbox(['user', 'add', 'a\u200bnn@example.com'], { DATA_DIR: folder() });
    expect([refused.code, refused.err]).toEqual([1, expect.stringContaining('unseen characters')]);
  });

  it('add, list, promote and shut out users', async () => {
    const env = { DATA_DIR: folder() };
    expect((await qinbox(['user', 'add', 'Ann@example.com', '--name', 'Ann'], env)).out).toContain(
      'ann@example.com',
    );
    expect((await qinbox(['user', 'add', 'ann@example.com'], env)).code).toBe(1);
    await qinbox(['user', 'admin', 'ann@example.com'], env);
    await qinbox(['user', 'disable', 'ann@example.com'], env);
    const { out } = await qinbox(['user', 'list', '--json'], env);
    expect(JSON.parse(out)).toMatchObject([
      { email: 'ann@example.com', name: 'Ann', is_admin: true, is_active: false },
    ]);
    await qinbox(['user', 'disable', 'ann@example.com', '--enable'], env);
    expect((await qinbox(['user', 'list'], env)).out).not.toContain('disabled');
  });

  it('work on a store that no server has opened, and doctor finds it sound', async () => {
    const env = { DATA_DIR: folder(), PORT: '0' };
    expect((await qinbox(['key', 'create', '--name', 'first'], env)).out).toMatch(/^qi_/);
    const doctor = await qinbox(['doctor'], env);
    expect([doctor.code, doctor.out]).toEqual([0, expect.stringContaining('ok    store')]);
  });

  it.each([
    ['SMTP_PORT', '99999'],
    ['QINBOX_ADAPTERS', '/none.ts'],
    ['QINBOX_ROLES', 'api'],
  ])('doctor finds the wrong %s=%s that a start refuses', async (name, value) => {
    const { code, out, err } = await qinbox(['doctor'], { DATA_DIR: folder(), PORT: '0', [name]: value });
    expect([code, out, err]).toEqual([
      78,
      '',
      expect.stringMatching(new RegExp(`^qinbox: ${name} must .*\n$`)),
    ]);
  });

  it('doctor says that one port is given for web and mail, which a start refuses', async () => {
    const one = String(await freePort());
    const { code, err } = await qinbox(['doctor'], { DATA_DIR: folder(), PORT: one, SMTP_PORT: one });
    expect([code, err]).toEqual([
      78,
      expect.stringMatching(new RegExp(`^qinbox: SMTP_PORT must be another port than PORT, which is ${one}`)),
    ]);
  });

  it('doctor finds the ports that are taken, that of mail too, before a server starts', async () => {
    const [PORT, SMTP_PORT] = await Promise.all([takenPort(), takenPort()]);
    const { code, out } = await qinbox(['doctor'], { DATA_DIR: folder(), PORT, SMTP_PORT });
    expect([code, out.split('\n').slice(-3)]).toEqual([
      1,
      [
        `FAIL  port ${PORT}: another program uses it; stop that, or set PORT`,
        `FAIL  port ${SMTP_PORT} for mail: another program uses it; stop that, or set SMTP_PORT`,
        '',
      ],
    ]);
    const off = await qinbox(['doctor'], { DATA_DIR: folder(), PORT: '0', SMTP_PORT: 'off' });
    expect([off.code, off.out]).toEqual([0, expect.not.stringContaining('mail')]);
  });

  it('doctor looks at the certificate for mail: whether a start refuses it, and whether it has expired', async ({
    skip,
  }) => {
    skip(findProgram('openssl') === null, 'openssl is not installed');
    const dir = folder();
    const openssl = (line: string) =>
      expect(spawnSync('openssl', line.split(' '), { cwd: dir }).status).toBe(0);
    // A request that signs itself may have an end in the past, with every OpenSSL.
    for (const [name, days] of [
      ['good', 2],
      ['old', -1],
    ] as const) {
      openssl(
        `req -new -newkey rsa:2048 -nodes -subj /CN=in.example.com -keyout ${name}.key -out ${name}.csr`,
      );
      openssl(`x509 -req -in ${name}.csr -signkey ${name}.key -days ${days} -out ${name}.crt`);
    }
    const doctor = (key: string, cert: string) =>
      qinbox(['doctor'], {
        ...{ DATA_DIR: dir, PORT: '0', SMTP_PORT: '0' },
        ...{ SMTP_TLS_KEY: join(dir, `${key}.key`), SMTP_TLS_CERT: join(dir, `${cert}.crt`) },
      });
    const good = await doctor('good', 'good');
    expect([good.code, good.out]).toEqual([0, expect.stringContaining('ok    certificate for mail\n')]);
    const old = await doctor('old', 'old');
    expect([old.code, old.out]).toEqual([
      1,
      expect.stringMatching(
        /\nFAIL {2}certificate for mail: SMTP_TLS_CERT expired on [A-Z][a-z]{2} \d{4}-\d\d-\d\d \d\d:\d\d \S+; renew it\n/,
      ),
    ]);
    const other = await doctor('old', 'good');
    expect([other.code, other.out, other.err]).toEqual([
      78,
      '',
      'qinbox: SMTP_TLS_CERT must be the certificate of the key in SMTP_TLS_KEY\n',
    ]);
  });

  it('doctor finds the server that runs at its address, and tells of a part that it is without', async () => {
    const { app, parts } = await createTestApp();
    await app.listen({ host: '127.0.0.2', port: 0 });
    const port = String((app.server.address() as AddressInfo).port);
    const well = await qinbox(['doctor'], { DATA_DIR: parts.config.dataDir, HOST: '127.0.0.2', PORT: port });
    expect([well.code, well.out]).toEqual([
      0,
      expect.stringContaining(`ok    server on port ${port}: it runs\n`),
    ]);

    const SMTP_PORT = await takenPort();
    const dataDir = folder();
    const program = await startProgram({ dataDir, env: { SMTP_PORT } });
    onTestFinished(() => program.kill());
    const ill = await qinbox(['doctor'], { DATA_DIR: dataDir, PORT: String(program.port), SMTP_PORT });
    expect(ill.code).toBe(1);
    expect(ill.out).toMatch(
      /\nFAIL {2}server on port \d+: no mail: port \d+ of 127\.0\.0\.1 .*\(it is taken\)\n$/,
    );
  });
});

describe('the commands of everybody', () => {
  it('push, list, watch and acknowledge over the API, after a login that only its owner can read', async () => {
    const { app, key, call } = await createTestApp();
    await app.listen({ host: '127.0.0.1', port: 0 });
    const url = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
    const home = folder();
    const env = { HOME: home, XDG_CONFIG_HOME: home };
    const apiKey = await key();
    expect((await qinbox(['ls'], env)).err).toContain('qinbox login');
    expect((await qinbox(['login', '--url', url, '--key', apiKey], env)).code).toBe(0);
    expect(statSync(join(home, 'qinbox', 'login.json')).mode & 0o777).toBe(0o600);

    const watching = spawn(process.execPath, [CLI, 'watch'], { env: environment(env) });
    onTestFinished(() => void watching.kill('SIGKILL'));
    let watched = '';
    const heard = new Promise<void>((done) => {
      watching.stdout.on('data', (data: Buffer) => {
        watched += data.toString();
        if (watched.includes('acknowledged')) done();
      });
    });
    await new Promise<void>((done) =>
      watching.stderr.on('data', (data: Buffer) => data.toString().includes('Watching') && done()),
    );

    const { out: id } = await qinbox(
      ['add', 'backup \u001b[31mfailed', '-p', 'high', '-t', 'nas', '-t', 'ops'],
      env,
    );
    expect(id.trim()).toMatch(/^task_/);
    expect((await qinbox(['add', '-'], env, 'from a pipe\n')).code).toBe(0);
    expect((await call('GET', '/tasks', { key: apiKey })).body['tasks']).toMatchObject([
      { content: 'from a pipe' },
      { priority: 'high', tags: ['nas', 'ops'] },
    ]);
    const { out } = await qinbox(['ls'], env);
    expect(out).toContain('▲');
    expect(out).not.toContain('\u001b');
    expect((await qinbox(['ack', id.trim()], env)).out).toBe(id);
    expect((await qinbox(['ack', id.trim()], env)).code).toBe(1);
    await heard;
    expect(watched).toMatch(/created .*backup[\s\S]*acknowledged .*backup/);
  });
});

it('ls shows the whole queue, also when one answer does not hold it', async () => {
  const { app, call, key } = await createTestApp();
  const apiKey = await key();
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  for (let batch = 0; batch < 2; batch++) {
    const tasks = Array.from({ length: 90 }, (_, index) => ({
      content: `${batch * 90 + index} ${'x'.repeat(9900)}`,
    }));
    await call('POST', '/tasks/batch', { key: apiKey, body: { tasks } });
  }
  const { out } = await qinbox(['ls', '--json'], { HOME: folder(), QINBOX_URL: url, QINBOX_KEY: apiKey });
  const numbers = (JSON.parse(out) as { content: string }[]).map(({ content }) =>
    Number.parseInt(content, 10),
  );
  expect(numbers).toEqual(Array.from({ length: 180 }, (_, index) => 179 - index));
});

describe('a wrong command line', () => {
  it.each([
    [['fly'], 2, 'no command "fly". See: qinbox help'],
    [['key', 'fly'], 2, 'no command "key fly". See: qinbox help key'],
    [['key', 'create', '--name', ''], 2, 'name'],
    [['key', 'create', '--name', 'x', '--scopes', 'all'], 2, '--scopes'],
    [['signin-link', '--what'], 2, 'Usage'],
    // It would be a link for somebody else: the install's own owner.
    [['signin-link', 'ann@example.com'], 2, 'takes options alone'],
    [['key', 'revoke', 'key_none'], 1, 'no active key'],
  ])('%j is refused in plain words with exit code %i', async (args, code, text) => {
    const ran = await qinbox(args, { DATA_DIR: folder() });
    expect([ran.code, ran.out]).toEqual([code, '']);
    expect(ran.err).toContain(text);
    expect(ran.err).not.toMatch(/ at .*:\d+/);
  });

  it('a wrong variable has exit code 78', async () => {
    const ran = await qinbox(['user', 'list'], { DATA_DIR: folder(), PORT: 'x' });
    expect([ran.code, ran.err]).toEqual([78, expect.stringMatching(/^qinbox: PORT must be [^\n]+\n$/)]);
  });

  it.each([[['--version']], [['-V']]])('%j prints the version of package.json', async (args) => {
    const version = `qinbox ${manifest.version}\n`;
    expect(await qinbox(args, {})).toEqual({ code: 0, out: version, err: '' });
  });

  it.each([[['user']], [['user', '--help']], [['help', 'user']], [['-h', 'user']]])(
    '%j lists the commands that begin with this word, and no other',
    async (args) => {
      const { code, out, err } = await qinbox(args, {});
      expect([code, err]).toEqual([0, '']);
      const listed = [...out.matchAll(/^ {2}qinbox (\S+ \S+)/gm)].map(([, name]) => name);
      expect(listed).toEqual([
        'user add',
        'user list',
        'user admin',
        'user disable',
        'user export',
        'user import',
        'user delete',
      ]);
      expect((await qinbox(['user', 'fly', '--help'], {})).code).toBe(2);
    },
  );

  it('help lists every command', () => {
    const { stdout } = spawnSync(process.execPath, [CLI, 'help'], { env: environment({}), encoding: 'utf8' });
    for (const name of [
      'serve',
      'doctor',
      'migrate',
      'signin-link',
      'user add',
      'key create',
      'login',
      'add',
      'ls',
      'ack',
      'watch',
    ])
      expect(stdout).toContain(`qinbox ${name}`);
  });
});
