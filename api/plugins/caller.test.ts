// Who is let in, as what, and how often.
import { once } from 'node:events';
import { describe, expect, it, vi } from 'vitest';
import { createTestApp } from '#test/helpers/app.ts';
import { listen, open } from '#test/helpers/raw.ts';
import { waitFor } from '#test/program/wait.ts';

const MINUTE = 60_000;

describe('credentials', () => {
  it('none are a guest, who gets 401 and is told how to authenticate', async () => {
    const { call } = await createTestApp();
    const { status, headers, body } = await call('GET', '/tasks');
    expect([status, body['code'], headers['www-authenticate']]).toEqual([
      401,
      'UNAUTHORIZED',
      'Bearer realm="qinbox"',
    ]);
  });

  it('a guest may read the public queue that the operator names, and change nothing', async () => {
    const { call, key } = await createTestApp({ GUEST_QUEUE: 'Public@example.com' });
    const owner = await key('public@example.com');
    const { body } = await call('POST', '/tasks', { key: owner, body: { content: 'for all' } });
    const { id } = body['task'] as { id: string };
    expect((await call('GET', '/tasks')).body['tasks']).toMatchObject([{ content: 'for all' }]);
    expect((await call('GET', `/tasks/${id}`)).status).toBe(200);
    const attempts = await Promise.all([
      call('POST', '/tasks', { body: { content: 'x' } }),
      call('PUT', `/tasks/${id}`, { body: { content: 'x' } }),
      call('DELETE', `/tasks/${id}`),
      call('PATCH', `/tasks/${id}/pin`, { body: { pinned: true } }),
      call('POST', '/live/ticket'),
    ]);
    expect(attempts.map(({ status }) => status)).toEqual([401, 401, 401, 401, 401]);
  });

  it('a guest is shown no queue of somebody who only signed up as the owner that the operator names', async () => {
    const before = await createTestApp({ EMAIL_SIGNIN: 'true' });
    const signedUp = await before.call('POST', '/auth/signup', {
      body: { name: 'x', email: 'public@example.com', password: 'squatting' },
    });
    const { accessToken: token } = signedUp.body['tokens'] as { accessToken: string };
    await before.call('POST', '/tasks', { token, body: { content: 'defaced' } });
    await before.app.close();
    const { call, key, clock } = await createTestApp({
      DATA_DIR: before.parts.config.dataDir,
      EMAIL_SIGNIN: 'true',
      GUEST_QUEUE: 'public@example.com',
    });
    expect((await call('GET', '/tasks', { token })).status).toBe(200);
    expect((await call('GET', '/tasks')).status).toBe(401);
    await key('public@example.com');
    clock.advance(1000);
    expect((await call('GET', '/tasks')).status).toBe(200);
    expect((await call('GET', '/tasks', { token })).status).toBe(401);
  });

  it.each(['key', 'session', 'account'] as const)(
    'let nothing in once the %s has ended, also while the body is still arriving',
    async (ending) => {
      const { app, parts, call, key, user, session } = await createTestApp();
      const port = await listen(app);
      const { id: ownerId } = await user();
      const { accessToken: token } = await session();
      const proof = ending === 'key' ? await key() : token;
      const authenticate = vi.spyOn(parts.access, 'authenticate');
      const body = JSON.stringify({ content: 'too late' });
      const headers = [
        'POST /api/v1/tasks HTTP/1.1',
        ...['host: localhost', 'content-type: application/json', 'connection: close'],
        `content-length: ${body.length}`,
        `authorization: Bearer ${proof}`,
      ];
      const socket = await open(port, `${headers.join('\r\n')}\r\n\r\n${body.slice(0, 5)}`);
      await waitFor('the caller to be known', () => authenticate.mock.results.length > 0 || null);
      await authenticate.mock.results[0]?.value;
      const [first] = await parts.storage.accounts.listKeys(ownerId);
      if (ending === 'key') await call('DELETE', `/auth/api-keys/${first?.id}`, { token });
      else if (ending === 'session') await call('POST', '/auth/logout', { token });
      else await parts.users.setActive(ownerId, false);
      let answer = '';
      socket.on('data', (chunk: Buffer) => void (answer += chunk.toString()));
      socket.write(body.slice(5));
      await once(socket, 'close');
      expect(answer).toMatch(/^HTTP\/1\.1 401 /);
      expect((await parts.storage.tasks.statistics(ownerId, 0)).total).toBe(0);
    },
  );

  it('a key that was mistyped is told so, and is never taken for a guest', async () => {
    const { call, key } = await createTestApp({ GUEST_QUEUE: 'me@example.com' });
    const good = await key();
    const typo = `${good.slice(0, -1)}${good.endsWith('0') ? '1' : '0'}`;
    const refused = await call('GET', '/tasks', { key: typo });
    expect([refused.status, refused.body['error']]).toEqual([
      401,
      expect.stringContaining('complete API key'),
    ]);
    expect((await call('GET', '/tasks', { key: good })).status).toBe(200);
    expect((await call('GET', '/tasks', { token: good })).status).toBe(200);
  });

  it.each([
    ['read', [200, 403, 403, 403]],
    ['write', [403, 201, 404, 403]],
    ['ingest', [403, 201, 403, 403]],
  ] as const)('a key with the scope %s does that and nothing else', async (scope, expected) => {
    const { call, key } = await createTestApp();
    const only = await key('me@example.com', [scope]);
    const answers = await Promise.all([
      call('GET', '/tasks', { key: only }),
      call('POST', '/tasks', { key: only, body: { content: 'x' } }),
      call('DELETE', '/tasks/task_no', { key: only }),
      call('POST', '/auth/logout', { key: only }),
    ]);
    expect(answers.map(({ status }) => status)).toEqual(expected);
    expect(answers.filter(({ status }) => status === 403).map(({ body }) => body['code'])).toContain(
      scope === 'write' ? 'FORBIDDEN' : 'INSUFFICIENT_SCOPE',
    );
  });

  it('a revoked key is refused within a second, also where it was just used', async () => {
    const { call, parts, user } = await createTestApp();
    const { id } = await user();
    const { key, record } = await parts.apiKeys.create(id, { name: 'k' });
    expect((await call('GET', '/tasks', { key })).status).toBe(200);
    await parts.apiKeys.revoke(id, record.id);
    expect((await call('GET', '/tasks', { key })).status).toBe(401);
  });

  it('a key revoked where no event tells of it is refused within a second', async () => {
    const { call, clock, parts, user } = await createTestApp();
    const { id } = await user();
    const { key, record } = await parts.apiKeys.create(id, { name: 'k' });
    await call('GET', '/tasks', { key });
    await parts.storage.accounts.revokeKey(id, record.id, clock.now());
    clock.advance(999);
    expect((await call('GET', '/tasks', { key })).status).toBe(401);
  });
});

describe('rate limits of a key', () => {
  it('let exactly 100 requests through in a minute, say so in every answer, and count anew after it', async () => {
    const { call, clock, key } = await createTestApp();
    const apiKey = await key();
    const first = await call('GET', '/tasks', { key: apiKey });
    expect(first.headers).toMatchObject({
      'x-ratelimit-limit': '100',
      'x-ratelimit-remaining': '99',
      'x-ratelimit-reset': '60',
      'ratelimit-policy': '"minute";q=100;w=60,"hour";q=1000;w=3600',
      ratelimit: '"minute";r=99;t=60',
    });
    clock.advance(20_500);
    const statuses = [];
    for (let count = 2; count <= 100; count++)
      statuses.push((await call('GET', '/tasks', { key: apiKey })).status);
    expect(new Set(statuses)).toEqual(new Set([200]));
    const refused = await call('POST', '/tasks', { key: apiKey, body: { content: 'x' } });
    expect([refused.status, refused.body['code']]).toEqual([429, 'RATE_LIMITED']);
    expect(refused.headers).toMatchObject({
      'x-ratelimit-remaining': '0',
      'x-ratelimit-reset': '40',
      'retry-after': '40',
    });
    clock.advance(39_499);
    expect((await call('GET', '/tasks', { key: apiKey })).status).toBe(429);
    clock.advance(1);
    expect((await call('GET', '/tasks', { key: apiKey })).body).toMatchObject({ statistics: { total: 0 } });
  });

  it('let exactly 1000 through in an hour; refused requests do not count', async () => {
    const { call, clock, key } = await createTestApp();
    const apiKey = await key();
    let passed = 0;
    for (let minute = 0; minute < 11; minute++) {
      for (let count = 0; count < 101; count++)
        if ((await call('GET', '/tasks/stats/summary', { key: apiKey })).status === 200) passed++;
      clock.advance(MINUTE);
    }
    expect(passed).toBe(1000);
    const refused = await call('GET', '/tasks', { key: apiKey });
    expect(refused.headers).toMatchObject({
      'x-ratelimit-limit': '1000',
      'x-ratelimit-remaining': '0',
      'retry-after': String(49 * 60),
    });
    clock.advance(49 * MINUTE);
    expect((await call('GET', '/tasks', { key: apiKey })).status).toBe(200);
  });

  it('are counted for each key by itself', async () => {
    const { call, key } = await createTestApp({ RATE_LIMIT_PER_MINUTE: '1' });
    const [one, two] = [await key(), await key()];
    expect((await call('GET', '/tasks', { key: one })).status).toBe(200);
    expect((await call('GET', '/tasks', { key: one })).status).toBe(429);
    expect((await call('GET', '/tasks', { key: two })).status).toBe(200);
  });

  it('a session has 600 a minute', async () => {
    const { call, session } = await createTestApp();
    const { accessToken } = await session();
    expect((await call('GET', '/tasks', { token: accessToken })).headers).toMatchObject({
      'x-ratelimit-limit': '600',
      'x-ratelimit-remaining': '599',
    });
  });
});

describe('rate limits of sign-in', () => {
  it('let 10 attempts a minute through from one address', async () => {
    const { call } = await createTestApp();
    const attempt = (remoteAddress: string) =>
      call('POST', '/auth/link', { body: { token: 'guess' }, remoteAddress });
    const statuses = [];
    for (let count = 0; count < 11; count++) statuses.push((await attempt('10.0.0.1')).status);
    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 401), 429]);
    expect((await attempt('10.0.0.2')).status).toBe(401);
  });

  it('count IPv6 by its network of /64, and IPv4 written in IPv6 as IPv4', async () => {
    const { call } = await createTestApp();
    const last = async (addresses: readonly string[]) => {
      const statuses = [];
      for (const remoteAddress of addresses)
        statuses.push((await call('POST', '/auth/link', { body: { token: 'guess' }, remoteAddress })).status);
      return statuses.at(-1);
    };
    const hosts = (network: string) => Array.from({ length: 11 }, (_, host) => `${network}::${host + 1}`);
    expect(await last(hosts('2001:db8:0:1'))).toBe(429);
    expect(await last(['2001:db8:0:2::1'])).toBe(401);
    expect(await last(Array.from({ length: 11 }, (_, i) => (i % 2 ? '10.9.8.7' : '::ffff:10.9.8.7')))).toBe(
      429,
    );
  });

  it('count refreshes and guests by the same networks', async () => {
    const { call, key } = await createTestApp({ GUEST_QUEUE: 'me@example.com' });
    await key();
    const left = async (method: 'GET' | 'POST', path: string, body?: unknown) => {
      const answers = [];
      for (const remoteAddress of ['2001:db8::1', '2001:db8::2', '2001:db8:0:1::1'])
        answers.push(await call(method, path, { body, remoteAddress }));
      return answers.map(({ headers }) => headers['x-ratelimit-remaining']);
    };
    expect(await left('POST', '/auth/refresh', { refreshToken: 'x' })).toEqual(['59', '58', '59']);
    expect(await left('GET', '/tasks')).toEqual(['599', '598', '599']);
  });

  it('believe a proxy about addresses only when told to', async () => {
    const attempts = async (env: Record<string, string>) => {
      const { call } = await createTestApp(env);
      const statuses = [];
      for (let count = 0; count < 11; count++)
        statuses.push(
          (
            await call('POST', '/auth/link', {
              body: { token: 'guess' },
              headers: { 'x-forwarded-for': `198.51.100.${count}` },
            })
          ).status,
        );
      return statuses.at(-1);
    };
    expect(await attempts({})).toBe(429);
    expect(await attempts({ TRUST_PROXY: '127.0.0.1' })).toBe(401);
  });
});
