// What one caller can make the server hold, on real sockets.
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createTestApp, type TestApp } from '#test/helpers/app.ts';
import { exchange, listen, open } from '#test/helpers/raw.ts';
import { waitFor } from '#test/program/wait.ts';

const FREE = { RATE_LIMIT_PER_MINUTE: '100000', RATE_LIMIT_PER_HOUR: '100000' };

async function listening(env: Record<string, string> = {}): Promise<TestApp & { port: number }> {
  const test = await createTestApp({ ...FREE, METRICS_TOKEN: 'a token for metrics', ...env });
  return { ...test, port: await listen(test.app) };
}

async function holdOpen(port: number, bytes: string): Promise<Socket> {
  const socket = await open(port, bytes);
  onTestFinished(() => void socket.destroy());
  return socket;
}

/** A number among the measurements. */
async function measured({ parts }: TestApp, name: string): Promise<number> {
  const { text } = await parts.metrics.read();
  return Number(
    text
      .split('\n')
      .find((line) => line.startsWith(name))
      ?.split(' ')
      .at(-1) ?? 0,
  );
}

const get = (path: string, ...headers: string[]) =>
  [`GET ${path} HTTP/1.1`, 'host: localhost', ...headers, '', ''].join('\r\n');
const statuses = (text: string) =>
  [...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => Number(status));

describe('requests that are sent ahead on one connection', () => {
  it('are answered one after the other, in their order', async () => {
    const test = await listening();
    const key = `x-api-key: ${await test.key()}`;
    const post = (content: string, ...more: string[]) =>
      [
        'POST /api/v1/tasks HTTP/1.1',
        'host: x',
        key,
        'content-type: text/plain',
        `content-length: ${content.length}`,
        ...more,
        '',
        content,
      ].join('\r\n');
    let atOnce = 0;
    let most = 0;
    const { create } = test.parts.storage.tasks;
    test.parts.storage.tasks.create = async (command) => {
      most = Math.max(most, ++atOnce);
      return create(command).finally(() => atOnce--);
    };
    const contents = Array.from({ length: 20 }, (_, index) => `task ${index}`);
    const text = await exchange(
      test.port,
      contents
        .map((content, index) => post(content, ...(index === 19 ? ['connection: close'] : [])))
        .join(''),
    );
    expect([...text.matchAll(/"content":"([^"]*)"/g)].map(([, content]) => content)).toEqual(contents);
    expect(most).toBe(1);
  });

  it('are at most a hundred: a connection with more is closed', async () => {
    const test = await listening();
    const text = await exchange(test.port, get('/health').repeat(500));
    expect(statuses(text).length).toBeLessThan(150);
    expect(await measured(test, 'qinbox_connections_ended_total{reason="pipelined"}')).toBe(1);
  });
});

describe('connections', () => {
  it('from one address have a bound, and what is over it is told so with Retry-After', async () => {
    const test = await listening({ MAX_CONNECTIONS_PER_ADDRESS: '3' });
    const held = [];
    for (let count = 0; count < 3; count++) held.push(await holdOpen(test.port, 'GET /health'));
    await waitFor('three to be open', async () => (await measured(test, 'qinbox_connections ')) === 3);
    const refused = await exchange(test.port, get('/health'));
    expect(statuses(refused)).toEqual([503]);
    expect(refused).toMatch(/retry-after: \d+/);
    expect(refused).toContain('Too many connections are open from your address.');
    held[0]?.destroy();
    await waitFor('one to be gone', async () => (await measured(test, 'qinbox_connections ')) === 2);
    expect(statuses(await exchange(test.port, get('/health', 'connection: close')))).toEqual([200]);
  });

  it('of a proxy that is trusted are not counted as one address', async () => {
    const test = await listening({ MAX_CONNECTIONS_PER_ADDRESS: '3', TRUST_PROXY: '127.0.0.1' });
    for (let count = 0; count < 5; count++) await holdOpen(test.port, get('/health'));
    expect(statuses(await exchange(test.port, get('/health', 'connection: close')))).toEqual([200]);
  });

  it('have a bound in all, and those between two requests give way to new ones', async () => {
    const test = await listening({ MAX_CONNECTIONS: '3' });
    const idle = [];
    for (let count = 0; count < 3; count++) {
      const socket = await holdOpen(test.port, get('/health'));
      await once(socket, 'data');
      idle.push(once(socket, 'close'));
    }
    await exchange(test.port, get('/health'));
    await Promise.all(idle);
    expect(statuses(await exchange(test.port, get('/health', 'connection: close')))).toEqual([200]);
  });

  it.each([
    ['cannot be read', 'NONSENSE\r\n\r\n'],
    ['asks to upgrade something else', get('/api/v1/tasks', 'connection: upgrade', 'upgrade: websocket')],
    [
      'may not be upgraded',
      get(
        '/api/v1/live',
        'connection: upgrade',
        'upgrade: websocket',
        'sec-websocket-version: 13',
        'sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==',
      ),
    ],
  ])('whose request %s are closed, also when their other side stays open', async (_what, bytes) => {
    const test = await listening();
    const socket = connect({ port: test.port, host: '127.0.0.1', allowHalfOpen: true });
    onTestFinished(() => void socket.destroy());
    socket.on('error', () => {});
    await once(socket, 'connect');
    socket.write(bytes);
    const [answer] = (await once(socket, 'data')) as [Buffer];
    expect(answer.toString()).toMatch(/^HTTP\/1\.1 40[01] /);
    await waitFor('it to be closed', async () => (await measured(test, 'qinbox_connections ')) === 0);
  });
});

describe('bodies', () => {
  const start = (key: string, bytes: number) =>
    [
      'POST /api/v1/tasks/batch HTTP/1.1',
      'host: x',
      `x-api-key: ${key}`,
      'content-type: application/json',
      `content-length: ${bytes}`,
      '',
      '{"tasks":[',
    ].join('\r\n');

  it('that are on their way have a bound for each caller; others and small ones go on', async () => {
    const test = await listening();
    const key = await test.key();
    const mib = 1024 * 1024;
    for (let count = 0; count < 32; count++) await holdOpen(test.port, start(key, mib));
    await waitFor('all to be counted', async () => (await measured(test, 'qinbox_body_bytes ')) === 32 * mib);
    const tasks = Array.from({ length: 10 }, () => ({ content: 'x'.repeat(9000) }));
    const refused = await test.call('POST', '/tasks/batch', { key, body: { tasks } });
    expect(refused).toMatchObject({ status: 429, body: { code: 'RATE_LIMITED' } });
    expect(refused.headers['retry-after']).toBeDefined();
    expect((await test.call('POST', '/tasks', { key, body: { content: 'small' } })).status).toBe(201);
    const other = await test.key('other@example.com');
    expect((await test.call('POST', '/tasks/batch', { key: other, body: { tasks } })).status).toBe(201);
  });

  it('count no longer once they are answered or their connection is gone', async () => {
    const test = await listening();
    const key = await test.key();
    const socket = await holdOpen(test.port, start(key, 100_000));
    await waitFor('it to be counted', async () => (await measured(test, 'qinbox_body_bytes ')) === 100_000);
    socket.destroy();
    await waitFor('it to be gone', async () => (await measured(test, 'qinbox_body_bytes ')) === 0);
    const tasks = Array.from({ length: 10 }, () => ({ content: 'x'.repeat(9000) }));
    await test.call('POST', '/tasks/batch', { key, body: { tasks } });
    expect(await measured(test, 'qinbox_body_bytes ')).toBe(0);
  });
});

describe('answers', () => {
  it('that are large count until they are read, and no longer', async () => {
    const test = await listening();
    const key = await test.key();
    for (let count = 0; count < 80; count++)
      expect((await test.call('GET', '/tasks', { key })).status).toBe(200);
    expect(await measured(test, 'qinbox_answer_bytes ')).toBe(0);
  });
});
