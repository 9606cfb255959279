// What was on its way when somebody was shut out leaves nothing behind: a request that was let in before and
// ends after, and a password that was right a moment ago.
import { once } from 'node:events';
import { connect, type AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import type { Tokens } from '#core/contract/index.ts';
import { createTestApp, type TestApp } from '#test/helpers/app.ts';

async function squatted(): Promise<TestApp & { token: string; port: number }> {
  const test = await createTestApp({ EMAIL_SIGNIN: 'true' });
  await test.app.listen({ host: '127.0.0.1', port: 0 });
  const { body } = await test.call('POST', '/auth/signup', {
    body: { name: 'x', email: 'ann@example.com', password: 'squatting' },
  });
  const { port } = test.app.server.address() as AddressInfo;
  return { ...test, port, token: (body['tokens'] as Tokens).accessToken };
}

it.each([
  ['/auth/api-keys', { name: 'backdoor' }],
  ['/intakes', { name: 'backdoor', adapter: 'webhook', verification: { scheme: 'none' } }],
  ['/slack/code', {}],
])('a POST %s that was let in before and ends after makes nothing', async (path, body) => {
  const { parts, port, token, user } = await squatted();
  const payload = JSON.stringify(body);
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  const head = [
    `POST /api/v1${path} HTTP/1.1`,
    'host: localhost',
    'connection: close',
    'content-type: application/json',
    `authorization: Bearer ${token}`,
    `content-length: ${payload.length}`,
  ];
  const { authenticate } = parts.access;
  const letIn = new Promise<void>((resolve) => {
    parts.access.authenticate = async (credentials) => {
      const caller = await authenticate(credentials);
      resolve();
      return caller;
    };
  });
  socket.write(`${head.join('\r\n')}\r\n\r\n`);
  await letIn;
  const { id } = await user('ann@example.com');
  socket.write(payload);
  expect(await text(socket)).toMatch(/^HTTP\/1\.1 401 /);
  expect(await parts.apiKeys.list(id)).toEqual([]);
  expect(await parts.intakes.list(id)).toEqual([]);
  expect(await parts.storage.adapterData.list('slack', 'code', 0, id)).toEqual([]);
});

it('a password that was taken away after it was looked at opens no session', async () => {
  const { call, parts, user } = await squatted();
  const { accounts } = parts.storage;
  const { createSession } = accounts;
  let sessionId = '';
  accounts.createSession = async (session) => {
    await user('ann@example.com');
    sessionId = session.id;
    return createSession(session);
  };
  const { status } = await call('POST', '/auth/login', {
    body: { email: 'ann@example.com', password: 'squatting' },
  });
  expect(status).toBe(401);
  expect((await accounts.getSession(sessionId))?.session.revokedAt).not.toBeNull();
});
