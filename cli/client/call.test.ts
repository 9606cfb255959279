// A call that may be repeated is, when the server asks to be called again soon.
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { call } from './call.ts';

const ANSWERED_AT = Date.UTC(2026, 10, 29, 12);
const httpDate = (seconds: number) => new Date(ANSWERED_AT + seconds * 1000).toUTCString();

/** A server that is busy at first: how long until it is called again, which it may not be. */
async function calledAgain(retryAfter: string): Promise<number | null> {
  const calls: number[] = [];
  const server = createServer((_request, answer) => {
    calls.push(performance.now());
    // The clock of the server is not the one of this machine.
    if (calls.length === 1) answer.writeHead(503, { date: httpDate(0), 'retry-after': retryAfter }).end();
    else answer.end('{"success":true}');
  }).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const login = { url, key: 'key' };
  await call(login, { method: 'GET', path: '/tasks', mayRepeat: true }).catch(() => undefined);
  const [first = 0, again] = calls;
  return again === undefined ? null : again - first;
}

it.each([
  ['1', 990],
  [httpDate(1), 990],
  [httpDate(-60), 450],
  ['soon', 450],
])('is made again after %s', async (retryAfter, leastMs) => {
  const waited = await calledAgain(retryAfter);
  expect(waited).toBeGreaterThan(leastMs);
  expect(waited).toBeLessThan(leastMs + 3000);
});

it.each(['6', httpDate(6), httpDate(3600)])(
  'is not made again where that is long: %s',
  async (retryAfter) => {
    expect(await calledAgain(retryAfter)).toBeNull();
  },
);
