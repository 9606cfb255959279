// The API keys and the profile of a signed-in user, and a user who is disabled.
import { describe, expect, it, vi } from 'vitest';
import { createTestApp, MORNING } from '#test/helpers/app.ts';

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
      created_at: new Date(MORNING).toISOString(),
      expires_at: null,
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
      expect(used.last_used_at).toBe(new Date(MORNING + 5000).toISOString());
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
    [{ name: 'k', expires_at: 'tomorrow' }, 'expires_at'],
    [{ name: 'k', expires_at: new Date(MORNING).toISOString() }, 'expires_at'],
  ])('asked for with %j are refused by name', async (body, field) => {
    const { call, session } = await createTestApp();
    const { accessToken: token } = await session();
    const refused = await call('POST', '/auth/api-keys', { token, body });
    expect([refused.status, (refused.body['details'] as { field: string }[])[0]?.field]).toEqual([
      400,
      field,
    ]);
  });

  it('that expire are good until exactly their end, then refused with a sentence and no longer listed', async () => {
    const { call, session, clock } = await createTestApp();
    const { accessToken: token } = await session();
    const expires_at = new Date(MORNING + 60_000).toISOString();
    const made = await call('POST', '/auth/api-keys', { token, body: { name: 'k', expires_at } });
    const { key } = made.body['apiKey'] as { key: string };
    expect(made.body['apiKey']).toMatchObject({ expires_at });
    clock.advance(59_999);
    expect((await call('GET', '/tasks', { key })).status).toBe(200);
    expect((await call('GET', '/auth/api-keys', { token })).body['apiKeys']).toHaveLength(1);
    clock.advance(1);
    const refused = await call('GET', '/tasks', { key });
    expect([refused.status, refused.body['code']]).toEqual([401, 'UNAUTHORIZED']);
    expect(refused.body['error']).toBe(`This API key expired at ${expires_at}. Make another one.`);
    expect((await call('GET', '/auth/api-keys', { token })).body['apiKeys']).toEqual([]);
  });

  it('that have expired leave their places to new ones', async () => {
    const { call, session, clock } = await createTestApp();
    const { accessToken: token } = await session();
    const expires_at = new Date(MORNING + 60_000).toISOString();
    const make = () => call('POST', '/auth/api-keys', { token, body: { name: 'k', expires_at } });
    await Promise.all(Array.from({ length: 25 }, make));
    expect((await make()).status).toBe(409);
    clock.advance(60_000);
    const after = await call('POST', '/auth/api-keys', { token, body: { name: 'k', expires_at: null } });
    expect(after.status).toBe(201);
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
    const script = await call('PUT', '/auth/profile', { token, body: { avatar_url: 'javascript:alert(1)' } });
    expect([script.status, script.body['error']]).toEqual([
      400,
      'avatar_url: must be an address that begins with https://, or null',
    ]);
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
