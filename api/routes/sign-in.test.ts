// The ways in, by Google and by password, and every way that is not one.
import { SignJWT } from 'jose';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { hashPassword } from '#core/domain/password.ts';
import { createTestApp, NOON, type TestApp } from '#test/helpers/app.ts';
import { startIssuer, type Issuer } from '#test/helpers/issuer.ts';

const HOUR = 60 * 60_000;

describe('Google sign-in', () => {
  let issuer: Issuer;
  beforeEach(async () => {
    issuer = await startIssuer();
  });
  afterEach(async () => {
    vi.useRealTimers();
    await issuer.stop();
  });
  const withGoogle = (env: Record<string, string> = { ALLOWED_EMAILS: 'ann@example.com' }) =>
    createTestApp({
      GOOGLE_CLIENT_ID: issuer.clientId,
      GOOGLE_ISSUER: issuer.url,
      GOOGLE_JWKS_URL: issuer.jwksUrl,
      ...env,
    });
  const signIn = ({ call }: TestApp, idToken: string) => call('POST', '/auth/google', { body: { idToken } });

  it('makes the user at the first time, updates it at the next, and begins a session', async () => {
    const app = await withGoogle();
    const first = await signIn(app, await issuer.token(NOON));
    expect(first.status).toBe(200);
    expect(first.body).toMatchObject({
      success: true,
      user: {
        email: 'ann@example.com',
        name: 'Ann Example',
        avatar_url: 'https://pictures.example/ann.png',
        auth_provider: 'google',
        email_verified: true,
        is_admin: false,
      },
      tokens: { accessToken: expect.any(String), refreshToken: expect.any(String) },
    });
    const second = await signIn(app, await issuer.token(NOON, { name: 'Ann B.' }));
    expect(second.body['user']).toMatchObject({
      id: (first.body['user'] as { id: string }).id,
      name: 'Ann B.',
    });
    const { accessToken } = second.body['tokens'] as { accessToken: string };
    expect((await app.call('GET', '/auth/profile', { token: accessToken })).body['user']).toMatchObject({
      name: 'Ann B.',
    });
    expect((await app.call('GET', '/config')).body['config']).toMatchObject({
      googleClientId: issuer.clientId,
      signIn: { google: true },
    });
  });

  it.each([
    ['another audience', { aud: 'somebody-else' }],
    ['another issuer', { iss: 'https://evil.example' }],
    ['a time that is over', { exp: Math.floor((NOON - HOUR) / 1000) }],
    ['an address that is not verified', { email_verified: false }],
    ['an address that is not said to be verified', { email_verified: undefined }],
    ['no address', { email: undefined }],
    ['another party that it was issued to', { azp: 'somebody-else' }],
    ['a party that is no text', { azp: ['qinbox.apps.example'] as unknown as string }],
    ['several audiences and nobody that it was issued to', { aud: ['qinbox.apps.example', 'somebody-else'] }],
    ['several audiences, issued to another', { aud: ['qinbox.apps.example', 'other'], azp: 'other' }],
  ])('refuses a token with %s', async (_what, claims) => {
    const app = await withGoogle();
    const { status, body } = await signIn(app, await issuer.token(NOON, claims));
    expect([status, body['code']]).toEqual([401, 'UNAUTHORIZED']);
    expect(await app.parts.storage.accounts.listUsers()).toEqual([]);
  });

  it.each([
    ['one audience in a list', { aud: ['qinbox.apps.example'] }],
    ['us as the party that it was issued to', { azp: 'qinbox.apps.example' }],
    [
      'several audiences, issued to us',
      { aud: ['qinbox.apps.example', 'other'], azp: 'qinbox.apps.example' },
    ],
  ])('takes a token with %s', async (_what, claims) => {
    const app = await withGoogle();
    expect((await signIn(app, await issuer.token(NOON, claims))).status).toBe(200);
  });

  it('refuses a token without a signature, with another key, and one signed with the public key as a secret', async () => {
    const app = await withGoogle();
    const good = await issuer.token(NOON);
    const [, payload] = good.split('.') as [string, string, string];
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const other = await startIssuer();
    const forged = await other.token(NOON, { iss: issuer.url });
    await other.stop();
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as Record<string, unknown>;
    const confused = await new SignJWT(claims)
      .setProtectedHeader({ alg: 'HS256', kid: 'key-1' })
      .sign(Buffer.from(issuer.publicJwk()));
    for (const token of [
      `${part({ alg: 'none' })}.${payload}.`,
      forged,
      confused,
      `${good.slice(0, -4)}AAAA`,
      'x.y.z',
      'x',
    ])
      expect([token.slice(0, 20), (await signIn(app, token)).status]).toEqual([token.slice(0, 20), 401]);
  });

  it('fetches the keys anew for a key id it does not know, once', async () => {
    const app = await withGoogle();
    await signIn(app, await issuer.token(NOON));
    expect(issuer.fetches()).toBe(1);
    await issuer.rotate();
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 60_000 });
    expect((await signIn(app, await issuer.token(NOON))).status).toBe(200);
    expect(issuer.fetches()).toBe(2);
    expect((await signIn(app, await issuer.token(NOON, {}, { kid: 'unknown' }))).status).toBe(401);
    expect((await signIn(app, await issuer.token(NOON, {}, { kid: 'unknown' }))).status).toBe(401);
    expect(issuer.fetches()).toBeLessThanOrEqual(3);
  });

  it('answers 503 while the issuer is down, and works when it is back', async () => {
    const token = await issuer.token(NOON);
    const app = await createTestApp({
      GOOGLE_CLIENT_ID: issuer.clientId,
      GOOGLE_ISSUER: issuer.url,
      GOOGLE_JWKS_URL: 'http://127.0.0.1:9/jwks',
    });
    const { status, body, headers } = await signIn(app, token);
    expect([status, body['code'], headers['retry-after']]).toEqual([503, 'SERVICE_UNAVAILABLE', '5']);
    expect(body['error']).not.toContain('127.0.0.1');
  });

  it('is refused by name where it is not configured', async () => {
    const app = await createTestApp();
    const { status, body } = await signIn(app, await issuer.token(NOON));
    expect([status, body['error']]).toEqual([403, expect.stringContaining('GOOGLE_CLIENT_ID')]);
  });

  it('shuts out whoever had taken the address without proving it', async () => {
    const app = await withGoogle({ ALLOWED_EMAILS: 'ann@example.com', EMAIL_SIGNIN: 'true' });
    const squatter = await app.call('POST', '/auth/signup', {
      body: { name: 'x', email: 'ann@example.com', password: 'squatting' },
    });
    const { accessToken } = squatter.body['tokens'] as { accessToken: string };
    const made = await app.call('POST', '/auth/api-keys', { token: accessToken, body: { name: 'backdoor' } });
    const { key } = made.body['apiKey'] as { key: string };
    expect((await signIn(app, await issuer.token(NOON))).status).toBe(200);
    expect((await app.call('GET', '/auth/profile', { token: accessToken })).status).toBe(401);
    expect((await app.call('GET', '/tasks', { key })).status).toBe(401);
    expect(
      (await app.call('POST', '/auth/login', { body: { email: 'ann@example.com', password: 'squatting' } }))
        .status,
    ).toBe(401);
  });

  it('lets a stranger in only whom the operator named, and says what the operator does', async () => {
    const app = await withGoogle({});
    const refused = await signIn(app, await issuer.token(NOON));
    expect([refused.status, refused.body['code'], refused.body['error']]).toEqual([
      403,
      'FORBIDDEN',
      'ann@example.com is not let in here. The operator lets an address in with "qinbox user add", or with ALLOWED_EMAILS or ALLOWED_DOMAINS.',
    ]);
    expect(await app.parts.storage.accounts.listUsers()).toEqual([]);
    await app.user('ann@example.com');
    expect((await signIn(app, await issuer.token(NOON))).status).toBe(200);
  });

  it('lets in who was let in once, also after the lists have changed', async () => {
    const app = await withGoogle({ ALLOWED_EMAILS: 'other@example.com', ALLOWED_DOMAINS: 'company.example' });
    const of = async (email: string) => (await signIn(app, await issuer.token(NOON, { email }))).status;
    expect(await of('ann@example.com')).toBe(403);
    expect(await of('Other@Example.com')).toBe(200);
    expect(await of('ann@company.example')).toBe(200);
    expect(await of('ann@sub.company.example')).toBe(403);
    expect(await of('ann@evilcompany.example')).toBe(403);
    expect(await of('ann@company.example.com')).toBe(403);
    await app.user('old@example.com');
    expect(await of('old@example.com')).toBe(200);
  });

  it('lets everybody in where the operator says so, but nobody whose address only looks like one', async () => {
    const app = await withGoogle({ ALLOWED_DOMAINS: '*' });
    await app.user('kate@example.com');
    const of = async (email: string) => signIn(app, await issuer.token(NOON, { email }));
    expect((await of('stranger@elsewhere.example')).status).toBe(200);
    for (const email of ['\u212aate@example.com', 'kate\u200b@example.com', 'k\u0430te@example.com']) {
      const { status, body } = await of(email);
      expect([email, status, body['code']]).toEqual([email, 400, 'VALIDATION_ERROR']);
    }
    expect((await app.parts.storage.accounts.listUsers()).map(({ email }) => email)).toEqual([
      'kate@example.com',
      'stranger@elsewhere.example',
    ]);
  });

  it('does not take somebody who only signed up for somebody whom the operator named', async () => {
    const app = await withGoogle({ EMAIL_SIGNIN: 'true' });
    await app.call('POST', '/auth/signup', {
      body: { name: 'x', email: 'ann@example.com', password: 'squatting' },
    });
    expect((await signIn(app, await issuer.token(NOON))).status).toBe(403);
  });

  it('lets nobody in whose account was disabled', async () => {
    const app = await withGoogle();
    const user = await app.user('ann@example.com');
    await app.parts.storage.accounts.changeUser(user.id, (record) => ({ ...record, isActive: false }));
    expect((await signIn(app, await issuer.token(NOON))).status).toBe(403);
  });
});

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

describe('API keys of a session', () => {
  it('are made, told in full once, listed without, used, and revoked', async () => {
    const { call, session, clock } = await createTestApp();
    const { accessToken: token } = await session();
    const made = await call('POST', '/auth/api-keys', {
      token,
      body: { name: ' cron ', description: 'Generated for me', scopes: ['read', 'write', 'read'] },
    });
    expect(made.status).toBe(201);
    const { key, ...shown } = made.body['apiKey'] as { key: string; id: string };
    expect(key).toMatch(/^qi_[0-9A-Za-z]{40}$/);
    expect(shown).toEqual({
      id: expect.stringMatching(/^key_/),
      name: 'cron',
      description: 'Generated for me',
      prefix: key.slice(0, 8),
      last4: key.slice(-4),
      scopes: ['read', 'write'],
      created_at: new Date(NOON).toISOString(),
      last_used_at: null,
      is_active: true,
    });
    const listed = await call('GET', '/auth/api-keys', { token });
    expect(listed.body['apiKeys']).toEqual([shown]);
    expect(listed.text).not.toContain(key);
    clock.advance(5000);
    expect((await call('GET', '/tasks', { key })).status).toBe(200);
    await vi.waitFor(async () => {
      const [used] = (await call('GET', '/auth/api-keys', { token })).body['apiKeys'] as [
        { last_used_at: string },
      ];
      expect(used.last_used_at).toBe(new Date(NOON + 5000).toISOString());
    }, 60_000);
    expect((await call('DELETE', `/auth/api-keys/${shown.id}`, { token })).body).toEqual({ success: true });
    expect((await call('DELETE', `/auth/api-keys/${shown.id}`, { token })).status).toBe(404);
    expect((await call('GET', '/tasks', { key })).status).toBe(401);
    expect((await call('GET', '/auth/api-keys', { token })).body['apiKeys']).toEqual([]);
  });

  it('are 25 at most: one more is refused, none is replaced', async () => {
    const { call, session } = await createTestApp();
    const { accessToken: token } = await session();
    const make = () => call('POST', '/auth/api-keys', { token, body: { name: 'k' } });
    const statuses = (await Promise.all(Array.from({ length: 27 }, make))).map(({ status }) => status);
    expect([
      statuses.filter((status) => status === 201).length,
      statuses.filter((status) => status === 409).length,
    ]).toEqual([25, 2]);
    expect((await make()).body['error']).toContain('Revoke one');
  });

  it.each([
    [{}, 'name'],
    [{ name: '  ' }, 'name'],
    [{ name: 'x'.repeat(101) }, 'name'],
    [{ name: 'k', scopes: [] }, 'scopes'],
    [{ name: 'k', scopes: ['admin'] }, 'scopes/0'],
  ])('asked for with %j are refused by name', async (body, field) => {
    const { call, session } = await createTestApp();
    const { accessToken: token } = await session();
    const refused = await call('POST', '/auth/api-keys', { token, body });
    expect([refused.status, (refused.body['details'] as { field: string }[])[0]?.field]).toEqual([
      400,
      field,
    ]);
  });

  it('of somebody else are 404', async () => {
    const { call, session } = await createTestApp();
    const mine = await session();
    const { body } = await call('POST', '/auth/api-keys', { token: mine.accessToken, body: { name: 'k' } });
    const { id, key } = body['apiKey'] as { id: string; key: string };
    const theirs = await session('other@example.com');
    expect((await call('DELETE', `/auth/api-keys/${id}`, { token: theirs.accessToken })).status).toBe(404);
    expect((await call('GET', '/tasks', { key })).status).toBe(200);
  });
});

describe('the own profile', () => {
  it('can be changed in name and picture, and in nothing else', async () => {
    const { call, session } = await createTestApp();
    const { accessToken: token } = await session();
    const { status, body } = await call('PUT', '/auth/profile', {
      token,
      body: { name: ' Me ', avatar_url: 'https://a.example/me.png', is_admin: true, email: 'x@y.z' },
    });
    expect([status, body['user']]).toEqual([
      200,
      expect.objectContaining({
        name: 'Me',
        avatar_url: 'https://a.example/me.png',
        is_admin: false,
        email: 'me@example.com',
      }),
    ]);
    expect(
      (await call('PUT', '/auth/profile', { token, body: { avatar_url: 'javascript:alert(1)' } })).status,
    ).toBe(400);
    expect((await call('PUT', '/auth/profile', { token, body: { name: ' ' } })).status).toBe(400);
  });
});

describe('a disabled user', () => {
  it('is shut out at once, with session, refresh token and key', async () => {
    const { call, parts, session, key, user, clock } = await createTestApp();
    const [tokens, apiKey, { id }] = [await session(), await key(), await user()];
    await call('GET', '/tasks', { key: apiKey });
    await call('GET', '/tasks', { token: tokens.accessToken });
    await parts.storage.accounts.changeUser(id, (record) => ({ ...record, isActive: false }));
    clock.advance(900);
    expect((await call('GET', '/tasks', { key: apiKey })).status).toBe(401);
    expect((await call('GET', '/tasks', { token: tokens.accessToken })).status).toBe(401);
    expect(
      (await call('POST', '/auth/refresh', { body: { refreshToken: tokens.refreshToken } })).status,
    ).toBe(401);
  });
});
