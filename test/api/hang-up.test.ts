// A client that goes away, at whatever moment and in whatever manner, is no fault of the server: no warning,
// no stack.
import type { Socket } from 'node:net';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { createTestApp } from '#test/helpers/app.ts';
import { listen, open } from '#test/helpers/raw.ts';
import { waitFor } from '#test/program/wait.ts';

const WAYS: Record<string, (socket: Socket) => unknown> = {
  reset: (socket) => socket.resetAndDestroy(),
  close: (socket) => socket.destroy(),
  'half-close': (socket) => socket.end(),
};

const SLACK = {
  SLACK_SIGNING_SECRET: 's'.repeat(32),
  SLACK_BOT_TOKEN: 'xoxb-1',
  SLACK_API_URL: 'http://127.0.0.1:9/api/',
};

const message = (line: string, headers: string[], body = '') =>
  `${[line, 'host: localhost', ...headers].join('\r\n')}\r\n\r\n${body}`;

async function serve() {
  const test = await createTestApp(SLACK);
  const port = await listen(test.app);
  const getConnections = promisify(test.app.server.getConnections.bind(test.app.server));
  return {
    ...test,
    port,
    key: await test.key(),
    gone: () => waitFor('the connection to be gone', async () => (await getConnections()) === 0),
    lines: () =>
      test
        .logged()
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line) as { level: number; msg: string; err?: unknown }),
  };
}

describe.each(Object.entries(WAYS))('a client that hangs up (%s)', (_way, hangUp) => {
  it('in the middle of a body is told of without a stack', async () => {
    const { port, key, lines, call } = await serve();
    const bodies: [path: string, headers: string[]][] = [
      ['/api/v1/tasks', [`x-api-key: ${key}`, 'content-type: application/json']],
      ['/api/v1/tasks', [`x-api-key: ${key}`, 'content-type: text/plain']],
      ['/hooks/abcdefghijklmnopqrstuvwxyz', ['content-type: application/json']],
      ['/slack/events', ['content-type: application/json']],
    ];
    const told = () => lines().filter(({ msg }) => msg.includes('hung up'));
    for (const [path, headers] of bodies)
      for (const [length, part] of [
        ['content-length: 1000', '{"con'],
        ['transfer-encoding: chunked', '5\r\n{"con\r\n'],
      ] as const) {
        const before = told().length;
        hangUp(await open(port, message(`POST ${path} HTTP/1.1`, [...headers, length], part)));
        await waitFor('the log to tell of it', () => told().length > before);
      }
    expect(lines().filter(({ level, err }) => level > 30 || err !== undefined)).toEqual([]);
    expect((await call('GET', '/tasks', { key })).body).toMatchObject({ tasks: [] });
  });

  it('before or while it is answered leaves nothing in the log above debug', async () => {
    const { port, key, lines, gone } = await serve();
    const auth = `x-api-key: ${key}`;
    const upgrade = [
      'connection: upgrade',
      'upgrade: websocket',
      'sec-websocket-version: 13',
      'sec-websocket-protocol: qinbox.v1',
      'sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==',
    ];
    for (const bytes of [
      'GET / HTTP/1.1\r\nho',
      message('GET /api/v1/tasks HTTP/1.1', [auth]),
      message('GET /favicon.svg HTTP/1.1', []).repeat(5),
      message('GET /api/v1/live HTTP/1.1', [auth, ...upgrade]),
    ]) {
      const socket = await open(port, bytes);
      hangUp(socket);
      socket.resume();
      await gone();
    }
    expect(lines().filter(({ level, err }) => level > 30 || err !== undefined)).toEqual([]);
  });
});

it('a fault of our own is logged as one, also when the client has gone', async () => {
  const { port, key, lines, parts } = await serve();
  parts.inbox.statistics = async () => {
    throw Object.assign(new Error('the store is gone'), { code: 'ECONNRESET' });
  };
  (await open(port, message('GET /api/v1/tasks/stats/summary HTTP/1.1', [`x-api-key: ${key}`]))).destroy();
  const faults = () => lines().filter(({ level }) => level === 50);
  await waitFor('the log to tell of it', () => faults().length > 0);
  expect(faults()).toMatchObject([{ err: { message: 'the store is gone' } }]);
});
