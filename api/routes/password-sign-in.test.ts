// Sign-up and sign-in with a password.
import { describe, expect, it } from 'vitest';
import { hashPassword } from '#adapters/scrypt/password-hash.ts';
import { createTestApp } from '#test/helpers/app.ts';

describe('a password', () => {
  const ann = { name: ' Ann ', email: ' Ann@Example.com', password: 'correct horse' };

  it('signs up once, and in from then on, in any Unicode form', async () => {
    const { call } = await createTestApp({ EMAIL_SIGNIN: 'true' });
    const made = await call('POST', '/auth/signup', { body: { ...ann, password: 'pa\u0308sswort' } });
    expect([made.status, made.body['user']]).toEqual([
      201,
      expect.objectContaining({
        email: 'ann@example.com',
        name: 'Ann',
        auth_provider: 'email',
        email_verified: false,
      }),
    ]);
    const again = await call('POST', '/auth/signup', { body: ann });
    expect([again.status, again.body['code']]).toEqual([409, 'CONFLICT']);
    const login = (password: string) =>
      call('POST', '/auth/login', { body: { email: 'ANN@example.com', password } });
    expect((await login('p\u00e4sswort')).status).toBe(200);
    expect((await login('passwort')).status).toBe(401);
  });

  it.each([
    [{ ...ann, name: ' ' }, 'name', 'Name is required for sign up'],
    [{ ...ann, email: 'ann\u0000@example.com' }, 'email', expect.stringContaining('unseen characters')],
    [{ ...ann, email: 'a\u200bnn@example.com' }, 'email', expect.stringContaining('unseen characters')],
    [{ ...ann, email: '\u0430nn@example.com' }, 'email', expect.stringContaining('before the @')],
    [{ ...ann, password: '1234567' }, 'password', 'must be at least 8 characters long'],
    [{ ...ann, email: 'nobody' }, 'email', 'must be an e-mail address'],
    [{ name: 'x', email: 'a@b.c' }, 'password', 'is required'],
    [{ ...ann, password: 'x'.repeat(201) }, 'password', 'must be at most 200 characters'],
  ])('signing up with %j is refused by name', async (body, field, message) => {
    const { call, parts } = await createTestApp({ EMAIL_SIGNIN: 'true' });
    const refused = await call('POST', '/auth/signup', { body });
    expect([refused.status, refused.body['details']]).toEqual([400, [{ field, message }]]);
    expect(await parts.storage.accounts.listUsers()).toEqual([]);
  });

  it('wrong, or of somebody unknown, or of somebody without one, gets the same answer', async () => {
    const { call, user } = await createTestApp({ EMAIL_SIGNIN: 'true' });
    await call('POST', '/auth/signup', { body: ann });
    await user('linked@example.com');
    const answers = [];
    for (const email of ['ann@example.com', 'nobody@example.com', 'linked@example.com']) {
      const { status, body } = await call('POST', '/auth/login', {
        body: { email, password: 'wrong password' },
      });
      answers.push([status, body['error'], body['code']]);
    }
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    expect(answers[0]).toEqual([401, 'The e-mail address or the password is wrong.', 'UNAUTHORIZED']);
  });

  it('is tried by strangers 10 times in ten seconds, from however many addresses, and by its owner from home meanwhile', async () => {
    const { call, clock } = await createTestApp({ EMAIL_SIGNIN: 'true' });
    const home = '192.0.2.10';
    await call('POST', '/auth/signup', { body: ann, remoteAddress: home });
    clock.advance(10_000);
    const attempt = (password: string, remoteAddress: string) =>
      call('POST', '/auth/login', { body: { email: 'ann@example.com', password }, remoteAddress });
    const strangers = [];
    for (let index = 0; index < 11; index++) strangers.push(await attempt('guess', `10.0.0.${index}`));
    expect(strangers.map(({ status }) => status)).toEqual([...Array.from({ length: 10 }, () => 401), 429]);
    expect(strangers.at(-1)?.headers['retry-after']).toBe('10');
    expect((await attempt('correct horse', '10.0.1.1')).status).toBe(429);
    expect((await attempt('correct horse', home)).status).toBe(200);
    clock.advance(10_000);
    expect((await attempt('correct horse', '10.0.1.1')).status).toBe(200);
  });

  it('opens nothing where the operator has not said so: no account is made, none is entered', async () => {
    const { call, parts, user } = await createTestApp();
    const { id } = await user('ann@example.com');
    const passwordHash = hashPassword('correct horse');
    await parts.storage.accounts.changeUser(id, (record) => ({ ...record, passwordHash }));
    const answers = await Promise.all([
      call('POST', '/auth/signup', { body: { ...ann, email: 'new@example.com' } }),
      call('POST', '/auth/login', { body: { email: 'ann@example.com', password: 'correct horse' } }),
    ]);
    for (const { status, body } of answers)
      expect([status, body['code'], body['error']]).toEqual([
        403,
        'FORBIDDEN',
        expect.stringContaining('EMAIL_SIGNIN=true'),
      ]);
    expect(await parts.storage.accounts.listUsers()).toHaveLength(1);
  });

  it('is for those alone whom the lists name, where there are any', async () => {
    const { call } = await createTestApp({ EMAIL_SIGNIN: 'true', ALLOWED_DOMAINS: 'example.com' });
    expect((await call('POST', '/auth/signup', { body: ann })).status).toBe(201);
    const refused = await call('POST', '/auth/signup', { body: { ...ann, email: 'a@elsewhere.example' } });
    expect([refused.status, refused.body['error']]).toEqual([403, expect.stringContaining('ALLOWED_EMAILS')]);
  });

  it.each(['public@example.com', 'Owner@localhost'])(
    'claims no address that the operator has named, such as %s, though nobody has it yet',
    async (email) => {
      const { call, parts } = await createTestApp({
        EMAIL_SIGNIN: 'true',
        GUEST_QUEUE: 'public@example.com',
      });
      const { status, body } = await call('POST', '/auth/signup', { body: { ...ann, email } });
      expect([status, body['code']]).toEqual([409, 'CONFLICT']);
      expect(await parts.storage.accounts.listUsers()).toEqual([]);
    },
  );

  it('lets nobody in any longer who never proved the address, once the operator closes it again', async () => {
    const { app, parts, call } = await createTestApp({ EMAIL_SIGNIN: 'true' });
    const { body } = await call('POST', '/auth/signup', { body: ann });
    const { accessToken: token, refreshToken } = body['tokens'] as {
      accessToken: string;
      refreshToken: string;
    };
    const made = await call('POST', '/auth/api-keys', { token, body: { name: 'k' } });
    const { key } = made.body['apiKey'] as { key: string };
    expect((await call('GET', '/tasks', { key })).status).toBe(200);
    await app.close();
    const closed = await createTestApp({ DATA_DIR: parts.config.dataDir });
    const statuses = await Promise.all([
      closed.call('GET', '/tasks', { key }),
      closed.call('GET', '/tasks', { token }),
      closed.call('POST', '/auth/refresh', { body: { refreshToken } }),
    ]);
    expect(statuses.map(({ status }) => status)).toEqual([401, 401, 401]);
  });
});
