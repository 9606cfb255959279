// The live socket over real connections: who may open one, what it hears, and when it is closed.
import type { AddressInfo, Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { promisify } from 'node:util';
import { describe, expect, it, onTestFinished } from 'vitest';
import { WebSocket } from 'ws';
import { MAX_SESSIONS } from '#core/ports/account-store.ts';
import { createTestApp, MORNING, type TestApp } from '#test/helpers/app.ts';
import { waitFor } from '#test/program/wait.ts';

interface Listener {
  socket: WebSocket;
  messages: Record<string, unknown>[];
  /** Resolves with the next message that was not taken yet. */
  next(): Promise<Record<string, unknown>>;
  closed: Promise<number>;
}

async function listening(env?: Record<string, string>): Promise<TestApp & { url: string }> {
  const test = await createTestApp(env);
  await test.app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = test.app.server.address() as AddressInfo;
  return { ...test, url: `ws://127.0.0.1:${port}/api/v1/live` };
}

function open(url: string, protocols: string[], headers: Record<string, string> = {}): Promise<Listener> {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(url, protocols, { headers });
    const messages: Record<string, unknown>[] = [];
    const waiting: ((message: Record<string, unknown>) => void)[] = [];
    const pending: Record<string, unknown>[] = [];
    onTestFinished(() => socket.terminate());
    socket.on('message', (data) => {
      const message = JSON.parse((data as Buffer).toString()) as Record<string, unknown>;
      messages.push(message);
      const taker = waiting.shift();
      if (taker === undefined) pending.push(message);
      else taker(message);
    });
    const closed = new Promise<number>((done) => socket.on('close', done));
    const next = () => {
      const message = pending.shift();
      return message === undefined
        ? new Promise<Record<string, unknown>>((take) => waiting.push(take))
        : Promise.resolve(message);
    };
    socket.on('open', () => resolve({ socket, messages, next, closed }));
    socket.on('unexpected-response', (_request, { statusCode }) => reject(new Error(String(statusCode))));
    socket.on('error', reject);
  });
}

async function withTicket({ call, url }: TestApp & { url: string }, token: string): Promise<Listener> {
  const { body } = await call('POST', '/live/ticket', { token });
  return open(url, ['qinbox.v1', `ticket.${body['ticket'] as string}`]);
}

describe('opening', () => {
  it('a ticket of a session opens it once, and hello tells the server time', async () => {
    const test = await listening();
    const { accessToken } = await test.session();
    const answer = await test.call('POST', '/live/ticket', { token: accessToken });
    expect([answer.status, answer.body['expiresAt']]).toEqual([
      201,
      new Date(MORNING + 30_000).toISOString(),
    ]);
    const offer = ['qinbox.v1', `ticket.${answer.body['ticket'] as string}`];
    const live = await open(test.url, offer);
    expect(live.socket.protocol).toBe('qinbox.v1');
    expect(await live.next()).toEqual({ type: 'hello', serverTime: new Date(MORNING).toISOString() });
    await expect(open(test.url, offer)).rejects.toThrow('401');
  });

  it('a ticket that is 30 seconds old, changed or invented opens nothing', async () => {
    const test = await listening();
    const { accessToken } = await test.session();
    const { body } = await test.call('POST', '/live/ticket', { token: accessToken });
    const ticket = body['ticket'] as string;
    await expect(open(test.url, ['qinbox.v1', `ticket.x${ticket}`])).rejects.toThrow('401');
    await expect(open(test.url, ['qinbox.v1', 'ticket.e30.e30'])).rejects.toThrow('401');
    test.clock.advance(30_000);
    await expect(open(test.url, ['qinbox.v1', `ticket.${ticket}`])).rejects.toThrow('401');
  });

  it('a program opens it with its key, but not without one, with a wrong one, or one that may not read', async () => {
    const test = await listening();
    const live = await open(test.url, ['qinbox.v1'], { 'x-api-key': await test.key() });
    expect((await live.next())['type']).toBe('hello');
    await expect(open(test.url, ['qinbox.v1'])).rejects.toThrow('401');
    await expect(open(test.url, ['qinbox.v1'], { 'x-api-key': 'qi_wrong' })).rejects.toThrow('401');
    await expect(
      open(test.url, ['qinbox.v1'], { 'x-api-key': await test.key('me@example.com', ['ingest']) }),
    ).rejects.toThrow('403');
  });

  it('a page of another origin is refused, ours and a listed one are not', async () => {
    const test = await listening({
      CORS_ORIGINS: 'https://app.example.com',
      PUBLIC_URL: 'https://q.example.com',
    });
    const key = { 'x-api-key': await test.key() };
    await expect(open(test.url, ['qinbox.v1'], { ...key, origin: 'https://evil.example' })).rejects.toThrow(
      '403',
    );
    const { body } = await test.call('POST', '/live/ticket', {
      token: (await test.session()).accessToken,
      headers: { origin: 'https://evil.example' },
    });
    expect(body['error']).toBe(
      "Live connections from https://evil.example are not allowed: the server's PUBLIC_URL is https://q.example.com.",
    );
    await open(test.url, ['qinbox.v1'], { ...key, origin: 'https://app.example.com' });
    await open(test.url, ['qinbox.v1'], { ...key, origin: 'https://q.example.com' });
  });

  it('an upgrade of anything else is refused, and its connection let go', async () => {
    const test = await listening();
    const headers = { 'x-api-key': await test.key() };
    await expect(open(test.url.replace('/live', '/tasks'), ['qinbox.v1'], headers)).rejects.toThrow('400');
  });

  it('an owner may have so many open, and another one when one is closed', async () => {
    const test = await listening({ MAX_SOCKETS_PER_OWNER: '2' });
    const mine = { 'x-api-key': await test.key() };
    const first = await open(test.url, ['qinbox.v1'], mine);
    await open(test.url, ['qinbox.v1'], mine);
    await expect(open(test.url, ['qinbox.v1'], mine)).rejects.toThrow('429');
    await open(test.url, ['qinbox.v1'], { 'x-api-key': await test.key('other@example.com') });
    first.socket.close();
    await waitFor('it to be closed', () => test.parts.live.size() === 2);
    await open(test.url, ['qinbox.v1'], mine);
  });

  it('attempts without a ticket are counted by their address before anybody is looked up; a ticket opens it still', async () => {
    const test = await listening();
    const statuses = new Map<string, number>();
    for (let attempt = 0; attempt < 70; attempt++) {
      const { message } = (await open(test.url, ['qinbox.v1'], { 'x-api-key': `qi_${attempt}` }).catch(
        (e: Error) => e,
      )) as Error;
      statuses.set(message, (statuses.get(message) ?? 0) + 1);
    }
    expect([...statuses]).toEqual([
      ['401', 60],
      ['429', 10],
    ]);
    const { accessToken } = await test.session();
    expect((await (await withTicket(test, accessToken)).next())['type']).toBe('hello');
  });

  it('a message in fragments, or in very small pieces, is not kept: the socket is closed', async () => {
    const test = await listening();
    const key = { 'x-api-key': await test.key() };
    const opened = () => open(test.url, ['qinbox.v1'], key);
    const whole = await opened();
    whole.socket.send('x'.repeat(60 * 1024));
    await whole.next();
    const fragments = await opened();
    fragments.socket.send('a', { fin: false });
    expect(whole.socket.readyState).toBe(WebSocket.OPEN);
    fragments.socket.send('b', { fin: false });
    expect(await fragments.closed).toBe(1008);
    // It is no fault of the server.
    expect(test.logged()).toContain('Too many message fragments');
    expect(test.logged()).not.toMatch(/"level":[4-6]0/);
    const { socket, closed } = await opened();
    const raw = Reflect.get(socket, '_socket') as Socket;
    raw.setNoDelay(true);
    // A masked frame of 64 KiB, of which one byte comes at a time.
    raw.write(Buffer.from([0x81, 0xff, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0]));
    let sent = 0;
    for (; socket.readyState === WebSocket.OPEN && sent < 20_000; sent++) {
      raw.write('x');
      await setImmediate();
    }
    expect(await closed).toBe(1008);
  });

  it('a plain request is told to upgrade', async () => {
    const { call, key } = await createTestApp();
    const { status, body } = await call('GET', '/live', { key: await key() });
    expect([status, body['code']]).toEqual([426, 'UPGRADE_REQUIRED']);
  });
});

describe('events', () => {
  it('every change of the own queue arrives in order with the task and its version; nothing of another', async () => {
    const test = await listening();
    const key = await test.key();
    const mine = await open(test.url, ['qinbox.v1'], { 'x-api-key': key });
    const theirs = await open(test.url, ['qinbox.v1'], { 'x-api-key': await test.key('other@example.com') });
    const { body } = await test.call('POST', '/tasks', { key, body: { content: 'a', expiryMinutes: 1 } });
    const { id } = body['task'] as { id: string };
    await test.call('PATCH', `/tasks/${id}/pin`, { key, body: { pinned: true } });
    await test.call('PATCH', `/tasks/${id}/pin`, { key, body: { pinned: true } });
    await test.call('DELETE', `/tasks/${id}`, { key });
    await test.call('POST', `/tasks/${id}/restore`, { key });
    await test.call('PATCH', `/tasks/${id}/pin`, { key, body: { pinned: false } });
    test.clock.advance(60_000);
    const heard = [];
    for (let count = 0; count < 7; count++) heard.push(await mine.next());
    expect(heard.map(({ type, version }) => [type, version])).toEqual([
      ['hello', undefined],
      ['task.created', 1],
      ['task.updated', 2],
      ['task.acknowledged', 3],
      ['task.restored', 4],
      ['task.updated', 5],
      ['task.expired', 5],
    ]);
    expect(heard[1]?.['task']).toEqual(body['task']);
    expect(theirs.messages.map(({ type }) => type)).toEqual(['hello']);
  });

  it('a change by another process, the command line say, makes clients fetch again', async () => {
    const test = await listening();
    const live = await open(test.url, ['qinbox.v1'], { 'x-api-key': await test.key() });
    test.parts.bus.publish({ kind: 'reset', ownerId: null });
    expect([await live.next(), await live.next()]).toMatchObject([
      { type: 'hello' },
      { type: 'queue.reset' },
    ]);
  });
});

describe('closing', () => {
  it('signing out closes the sockets of that session with 4401, and no others', async () => {
    const test = await listening();
    const [one, two] = [await test.session(), await test.session()];
    const [first, second] = [
      await withTicket(test, one.accessToken),
      await withTicket(test, two.accessToken),
    ];
    await test.call('POST', '/auth/logout', { token: one.accessToken });
    expect(await first.closed).toBe(4401);
    expect(second.socket.readyState).toBe(WebSocket.OPEN);
  });

  it('signing in once more than a user has sessions ends the one that was not used for longest, and its sockets with 4401', async () => {
    const test = await listening();
    const begin = () => (test.clock.advance(1), test.session());
    const [earliest, next] = [await begin(), await begin()];
    const [first, second] = [
      await withTicket(test, earliest.accessToken),
      await withTicket(test, next.accessToken),
    ];
    for (let n = 2; n < MAX_SESSIONS; n++) await begin();
    expect((await test.call('GET', '/auth/profile', { token: earliest.accessToken })).status).toBe(200);
    await begin();
    expect(await first.closed).toBe(4401);
    expect(second.socket.readyState).toBe(WebSocket.OPEN);
    expect((await test.call('GET', '/auth/profile', { token: earliest.accessToken })).status).toBe(401);
    const { status } = await test.call('POST', '/auth/refresh', {
      body: { refreshToken: earliest.refreshToken },
    });
    expect(status).toBe(401);
  });

  it('the end of a key closes its sockets with 4401, and lets no ticket of it in', async () => {
    const test = await listening();
    const { id } = await test.user();
    const { key } = await test.parts.apiKeys.create(id, { name: 'k', expiresAt: MORNING + 40 });
    const live = await open(test.url, ['qinbox.v1'], { 'x-api-key': key });
    const { body } = await test.call('POST', '/live/ticket', { key });
    await live.next();
    test.clock.advance(40);
    expect(await live.closed).toBe(4401);
    const offer = ['qinbox.v1', `ticket.${body['ticket'] as string}`];
    await expect(open(test.url, offer)).rejects.toThrow('401');
  });

  it('revoking a key closes its sockets with 4401', async () => {
    const test = await listening();
    const { id } = await test.user();
    const { key, record } = await test.parts.apiKeys.create(id, { name: 'k' });
    const live = await open(test.url, ['qinbox.v1'], { 'x-api-key': key });
    await test.parts.apiKeys.revoke(id, record.id);
    expect(await live.closed).toBe(4401);
  });

  it('a client that does not read is closed with 1013; one that only met a burst is told to fetch the list', async () => {
    const test = await listening({ RATE_LIMIT_PER_MINUTE: '100000', RATE_LIMIT_PER_HOUR: '100000' });
    const key = await test.key();
    const reader = await open(test.url, ['qinbox.v1'], { 'x-api-key': key });
    const idle = await open(test.url, ['qinbox.v1'], { 'x-api-key': key });
    idle.socket.pause();
    const tasks = Array.from({ length: 100 }, () => ({ content: 'x'.repeat(9000) }));
    let made = 0;
    // More than the system itself buffers for a connection.
    for (; made < 1500; made += tasks.length)
      await test.call('POST', '/tasks/batch', { key, body: { tasks } });
    const { body } = await test.call('POST', '/tasks', { key, body: { content: 'the last' } });
    const heardLast = () =>
      reader.messages.some(({ task }) => (task as { content?: string } | undefined)?.content === 'the last');
    while (!heardLast() && reader.messages.at(-1)?.['type'] !== 'queue.reset') await reader.next();
    expect(body['success']).toBe(true);
    expect(reader.socket.readyState).toBe(WebSocket.OPEN);
    const connections = promisify(test.app.server.getConnections.bind(test.app.server));
    await waitFor('the idle one to be cut off', async () => (await connections()) === 1);
    idle.socket.resume();
    expect([1006, 1013]).toContain(await idle.closed);
    expect(idle.messages.length).toBeLessThan(made);
  });

  it('a shutdown closes sockets with 1012', async () => {
    const test = await listening();
    const live = await open(test.url, ['qinbox.v1'], { 'x-api-key': await test.key() });
    await test.app.close();
    expect(await live.closed).toBe(1012);
  });

  it('a socket that opens during a shutdown is closed with 1012 too, and does not hold the server up', async () => {
    const test = await listening();
    const headers = { 'x-api-key': await test.key() };
    test.app.server.once('upgrade', () => test.parts.live.close());
    const live = await open(test.url, ['qinbox.v1'], headers);
    expect(await live.closed).toBe(1012);
    expect(test.parts.live.size()).toBe(0);
    await test.app.close();
  });
});
