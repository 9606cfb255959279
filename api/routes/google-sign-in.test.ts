// Sign-in with Google: which ID tokens open a session, and for which user.
import { SignJWT } from 'jose';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { hashSecret } from '#core/domain/api-key.ts';
import { createTestApp, MORNING, type TestApp } from '#test/helpers/app.ts';
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
    const first = await signIn(app, await issuer.token(MORNING));
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
    const second = await signIn(app, await issuer.token(MORNING, { name: 'Ann B.' }));
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
    ['a time that is over', { exp: Math.floor((MORNING - HOUR) / 1000) }],
    ['an address that is not verified', { email_verified: false }],
    ['an address that is not said to be verified', { email_verified: undefined }],
    ['no address', { email: undefined }],
    ['another party that it was issued to', { azp: 'somebody-else' }],
    ['a party that is no text', { azp: ['qinbox.apps.example'] as unknown as string }],
    ['several audiences and nobody that it was issued to', { aud: ['qinbox.apps.example', 'somebody-else'] }],
    ['several audiences, issued to another', { aud: ['qinbox.apps.example', 'other'], azp: 'other' }],
  ])('refuses a token with %s', async (_what, claims) => {
    const app = await withGoogle();
    const { status, body } = await signIn(app, await issuer.token(MORNING, claims));
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
    expect((await signIn(app, await issuer.token(MORNING, claims))).status).toBe(200);
  });

  it('takes a token with a nonce only from who knows what that is the hash of, and with it none without', async () => {
    const app = await withGoogle();
    const [own, other] = ['what this sign-in began with, at random', 'what another sign-in began with, too'];
    const of = async (nonce: string | undefined, rawNonce: string | undefined) => {
      const idToken = await issuer.token(MORNING, { nonce });
      const answer = await app.call('POST', '/auth/google', { body: { idToken, rawNonce } });
      return [answer.status, answer.body['error']];
    };
    const refused = [
      401,
      'This Google sign-in was not started by this page. Load the page again and sign in once more.',
    ];
    expect(await of(hashSecret(other), own)).toEqual(refused);
    expect(await of(hashSecret(other), undefined)).toEqual(refused);
    expect(await of(undefined, own)).toEqual(refused);
    // What the token itself says of its nonce is not enough.
    expect(await of(hashSecret(own), hashSecret(own))).toEqual(refused);
    expect(await of('', undefined)).toEqual(refused);
    expect(await app.parts.storage.accounts.listUsers()).toEqual([]);
    expect(await of(hashSecret(own), own)).toEqual([200, undefined]);
    expect(await of(undefined, undefined)).toEqual([200, undefined]);
  });

  it('refuses a token without a signature, with another key, and one signed with the public key as a secret', async () => {
    const app = await withGoogle();
    const good = await issuer.token(MORNING);
    const [, payload] = good.split('.') as [string, string, string];
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const other = await startIssuer();
    const forged = await other.token(MORNING, { iss: issuer.url });
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
    await signIn(app, await issuer.token(MORNING));
    expect(issuer.fetches()).toBe(1);
    await issuer.rotate();
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 60_000 });
    expect((await signIn(app, await issuer.token(MORNING))).status).toBe(200);
    expect(issuer.fetches()).toBe(2);
    expect((await signIn(app, await issuer.token(MORNING, {}, { kid: 'unknown' }))).status).toBe(401);
    expect((await signIn(app, await issuer.token(MORNING, {}, { kid: 'unknown' }))).status).toBe(401);
    expect(issuer.fetches()).toBeLessThanOrEqual(3);
  });

  it('answers 503 while the issuer is down, and works when it is back', async () => {
    const token = await issuer.token(MORNING);
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
    const { status, body } = await signIn(app, await issuer.token(MORNING));
    expect([status, body['error']]).toEqual([403, expect.stringContaining('GOOGLE_CLIENT_ID')]);
  });

  it('shuts out the user who took the address without proving it', async () => {
    const app = await withGoogle({ ALLOWED_EMAILS: 'ann@example.com', EMAIL_SIGNIN: 'true' });
    const squatter = await app.call('POST', '/auth/signup', {
      body: { name: 'x', email: 'ann@example.com', password: 'squatting' },
    });
    const { accessToken } = squatter.body['tokens'] as { accessToken: string };
    const made = await app.call('POST', '/auth/api-keys', { token: accessToken, body: { name: 'backdoor' } });
    const { key } = made.body['apiKey'] as { key: string };
    expect((await signIn(app, await issuer.token(MORNING))).status).toBe(200);
    expect((await app.call('GET', '/auth/profile', { token: accessToken })).status).toBe(401);
    expect((await app.call('GET', '/tasks', { key })).status).toBe(401);
    expect(
      (await app.call('POST', '/auth/login', { body: { email: 'ann@example.com', password: 'squatting' } }))
        .status,
    ).toBe(401);
  });

  it('lets a stranger in only whom the operator named, and says what the operator does', async () => {
    const app = await withGoogle({});
    const refused = await signIn(app, await issuer.token(MORNING));
    expect([refused.status, refused.body['code'], refused.body['error']]).toEqual([
      403,
      'FORBIDDEN',
      'ann@example.com is not let in here. The operator lets an address in with "qinbox user add", or with ALLOWED_EMAILS or ALLOWED_DOMAINS.',
    ]);
    expect(await app.parts.storage.accounts.listUsers()).toEqual([]);
    await app.user('ann@example.com');
    expect((await signIn(app, await issuer.token(MORNING))).status).toBe(200);
  });

  it('lets in who was let in once, also after the lists have changed', async () => {
    const app = await withGoogle({ ALLOWED_EMAILS: 'other@example.com', ALLOWED_DOMAINS: 'company.example' });
    const of = async (email: string) => (await signIn(app, await issuer.token(MORNING, { email }))).status;
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
    const of = async (email: string) => signIn(app, await issuer.token(MORNING, { email }));
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
    expect((await signIn(app, await issuer.token(MORNING))).status).toBe(403);
  });

  it('lets nobody in whose account was disabled', async () => {
    const app = await withGoogle();
    const user = await app.user('ann@example.com');
    await app.parts.storage.accounts.changeUser(user.id, (record) => ({ ...record, isActive: false }));
    expect((await signIn(app, await issuer.token(MORNING))).status).toBe(403);
  });
});
