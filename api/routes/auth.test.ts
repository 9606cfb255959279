// Sign-in links, sessions and their tokens.
import { describe, expect, it } from 'vitest';
import { hashSecret } from '#core/domain/api-key.ts';
import { createTestApp, MORNING } from '#test/helpers/app.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

describe('a sign-in link', () => {
  it('signs in once, within 15 minutes', async () => {
    const { call, clock, parts, user } = await createTestApp();
    const owner = await user();
    const { token } = await parts.accounts.createLink(owner);
    const { status, body } = await call('POST', '/auth/link', { body: { token } });
    expect(status).toBe(200);
    expect(body).toEqual({
      success: true,
      user: {
        id: owner.id,
        email: 'me@example.com',
        name: 'me',
        avatar_url: null,
        created_at: new Date(MORNING).toISOString(),
        auth_provider: 'link',
        email_verified: true,
        is_active: true,
        last_login: new Date(MORNING).toISOString(),
        is_admin: false,
      },
      tokens: { accessToken: expect.stringMatching(/^ey/), refreshToken: expect.stringMatching(/^qr_/) },
    });
    const used = await call('POST', '/auth/link', { body: { token } });
    expect([used.status, used.body['error']]).toEqual([401, expect.stringContaining('signin-link')]);
    const late = await parts.accounts.createLink(owner);
    clock.advance(15 * MINUTE);
    expect((await call('POST', '/auth/link', { body: { token: late.token } })).status).toBe(401);
  });

  it('used by many at once lets one in', async () => {
    const { call, parts, user } = await createTestApp();
    const { token } = await parts.accounts.createLink(await user());
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => call('POST', '/auth/link', { body: { token } })),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  });
});

describe('an access token', () => {
  it('is good for 15 minutes, then 401 TOKEN_EXPIRED', async () => {
    const { call, clock, session } = await createTestApp();
    const { accessToken } = await session();
    expect((await call('GET', '/auth/profile', { token: accessToken })).body['user']).toMatchObject({
      email: 'me@example.com',
    });
    clock.advance(15 * MINUTE - 1);
    expect((await call('GET', '/auth/profile', { token: accessToken })).status).toBe(200);
    clock.advance(1);
    const { status, body } = await call('GET', '/auth/profile', { token: accessToken });
    expect([status, body['code']]).toEqual([401, 'TOKEN_EXPIRED']);
  });

  it('that was changed, is unsigned or was signed with another secret is refused', async () => {
    const { call, session } = await createTestApp();
    const { accessToken } = await session();
    const [head, body] = accessToken.split('.') as [string, string];
    const none = Buffer.from('{"alg":"none","typ":"JWT"}').toString('base64url');
    const other = (await createTestApp().then(({ session: elsewhere }) => elsewhere())).accessToken;
    for (const token of [
      `${none}.${body}.`,
      `${head}.${body}.AAAA`,
      `${head}.e30.${accessToken.split('.')[2]}`,
      other,
      'x',
    ])
      expect((await call('GET', '/auth/profile', { token })).body['code']).toBe('UNAUTHORIZED');
  });

  it('stays good when the secret is rotated, and the new one signs', async () => {
    const old = 'o'.repeat(32);
    const before = await createTestApp({ JWT_SECRET: old });
    const { accessToken } = await before.session();
    const { parts } = await createTestApp({ JWT_SECRET: `${'n'.repeat(32)},${old}` });
    await expect(parts.tokens.verifyAccess(accessToken, MORNING)).resolves.toMatchObject({
      userId: (await before.user()).id,
    });
    const { parts: without } = await createTestApp({ JWT_SECRET: 'n'.repeat(32) });
    await expect(without.tokens.verifyAccess(accessToken, MORNING)).rejects.toThrow('not valid');
  });
});

describe('a refresh token', () => {
  it('is exchanged for new ones, each once', async () => {
    const { call, clock, session } = await createTestApp();
    const first = await session();
    const refresh = (refreshToken: string) => call('POST', '/auth/refresh', { body: { refreshToken } });
    const second = await refresh(first.refreshToken);
    expect(second.status).toBe(200);
    const tokens = second.body['tokens'] as typeof first;
    expect(tokens.refreshToken).not.toBe(first.refreshToken);
    expect((await call('GET', '/auth/profile', { token: tokens.accessToken })).status).toBe(200);
    clock.advance(11_000);
    expect((await refresh(tokens.refreshToken)).status).toBe(200);
  });

  it('of two tabs at once leaves both signed in', async () => {
    const { call, clock, session } = await createTestApp();
    const { refreshToken } = await session();
    const refresh = (token: string) => call('POST', '/auth/refresh', { body: { refreshToken: token } });
    const [one, two] = await Promise.all([refresh(refreshToken), refresh(refreshToken)]);
    clock.advance(9999);
    const three = await refresh(refreshToken);
    const answers = [one, two, three].map(
      ({ body }) => (body['tokens'] as { refreshToken: string }).refreshToken,
    );
    expect(new Set(answers).size).toBe(1);
    clock.advance(60_000);
    expect((await refresh(answers[0] as string)).status).toBe(200);
  });

  it('used again later ends the whole session', async () => {
    const { call, clock, session } = await createTestApp();
    const stolen = await session();
    const refresh = (token: string) => call('POST', '/auth/refresh', { body: { refreshToken: token } });
    const { body } = await refresh(stolen.refreshToken);
    const current = body['tokens'] as typeof stolen;
    clock.advance(10_000);
    expect((await refresh(stolen.refreshToken)).status).toBe(401);
    expect((await refresh(current.refreshToken)).status).toBe(401);
    expect((await call('GET', '/auth/profile', { token: current.accessToken })).status).toBe(401);
  });

  it('is good for 30 days at most, however often it is exchanged', async () => {
    const { call, clock, session } = await createTestApp();
    let { refreshToken } = await session();
    for (let day = 0; day < 30; day++) {
      const { status, body } = await call('POST', '/auth/refresh', { body: { refreshToken } });
      expect(status).toBe(200);
      ({ refreshToken } = body['tokens'] as { refreshToken: string });
      clock.advance(DAY);
    }
    expect((await call('POST', '/auth/refresh', { body: { refreshToken } })).status).toBe(401);
  });

  it('that was forged has no effect: the session that it names goes on', async () => {
    const { call, parts, session } = await createTestApp();
    const { accessToken, refreshToken } = await session();
    const { sessionId } = await parts.tokens.verifyAccess(accessToken, MORNING);
    const [named, generation, proof] = refreshToken.split('.') as [string, string, string];
    const elsewhere = await createTestApp();
    const forged = [
      `qr_${sessionId}.x`,
      `qr_${sessionId}.`,
      `${named}.${'A'.repeat(43)}`,
      `${named}.${generation}.${'A'.repeat(43)}`,
      `${named}.${generation}.${proof}AA`,
      // A proof of ours, for another generation; ours in form, of a generation that the session has not
      // reached; of another secret.
      `${named}.2.${proof}`,
      `${named}.0${generation}.${proof}`,
      parts.tokens.refreshToken(sessionId, 2),
      elsewhere.parts.tokens.refreshToken(sessionId, 1),
    ];
    for (const token of forged) {
      const { status, body } = await call('POST', '/auth/refresh', { body: { refreshToken: token } });
      expect([token, status, body['code']]).toEqual([token, 401, 'UNAUTHORIZED']);
      expect((await call('GET', '/auth/profile', { token: accessToken })).status).toBe(200);
    }
    expect((await call('POST', '/auth/refresh', { body: { refreshToken } })).status).toBe(200);
  });

  it('of an older generation or of an older secret is known as ours', async () => {
    const old = 'o'.repeat(32);
    const { parts } = await createTestApp({ JWT_SECRET: old });
    const { parts: rotated } = await createTestApp({ JWT_SECRET: `${'n'.repeat(32)},${old}` });
    const { parts: replaced } = await createTestApp({ JWT_SECRET: 'n'.repeat(32) });
    for (const generation of [1, 7, 40]) {
      const token = parts.tokens.refreshToken('sess_a', generation);
      expect(parts.tokens.isAuthenticRefresh(token, 40)).toBe(true);
      expect(rotated.tokens.isAuthenticRefresh(token, 40)).toBe(true);
      expect(replaced.tokens.isAuthenticRefresh(token, 40)).toBe(false);
      expect(parts.tokens.isAuthenticRefresh(token, generation - 1)).toBe(false);
    }
  });

  it('of before tokens told their generation goes on being good', async () => {
    const { call, parts, session } = await createTestApp();
    const { accessToken, refreshToken } = await session();
    const { sessionId } = await parts.tokens.verifyAccess(accessToken, MORNING);
    const [named, , proof] = refreshToken.split('.') as [string, string, string];
    const before = `${named}.${proof}`;
    await parts.storage.accounts.changeSession(sessionId, (record) => ({
      ...record,
      refreshHash: hashSecret(before),
    }));
    const { status, body } = await call('POST', '/auth/refresh', { body: { refreshToken: before } });
    expect(status).toBe(200);
    const { refreshToken: next } = body['tokens'] as { refreshToken: string };
    expect(
      (await call('POST', '/auth/refresh', { body: { refreshToken: before } })).body['tokens'],
    ).toMatchObject({
      refreshToken: next,
    });
    expect((await call('POST', '/auth/refresh', { body: { refreshToken: next } })).status).toBe(200);
  });

  it.each(['', 'nonsense', 'qr_', 'qr_sess_x.y', 'qr_a.b.c'])(
    'of the form %j is refused',
    async (refreshToken) => {
      const { call } = await createTestApp();
      expect([400, 401]).toContain((await call('POST', '/auth/refresh', { body: { refreshToken } })).status);
    },
  );
});

describe('signing out', () => {
  it('ends the session at once', async () => {
    const { call, session } = await createTestApp();
    const { accessToken, refreshToken } = await session();
    expect((await call('POST', '/auth/logout', { token: accessToken })).body).toEqual({ success: true });
    expect((await call('GET', '/auth/profile', { token: accessToken })).status).toBe(401);
    expect((await call('POST', '/auth/refresh', { body: { refreshToken } })).status).toBe(401);
  });
});

describe('the profile', () => {
  it('of an API key is the stand-in', async () => {
    const { call, key } = await createTestApp();
    expect((await call('GET', '/auth/profile', { key: await key() })).body['user']).toEqual({
      id: 'api-user',
      type: 'integration',
      method: 'api_key',
      scopes: ['read', 'write'],
    });
  });
});
