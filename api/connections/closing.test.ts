// Requests that come while the program stops, on connections that were open before.
import dns from 'node:dns';
import { once } from 'node:events';
import { Agent, request, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, it, vi, type MockInstance } from 'vitest';
import { createTestApp } from '#test/helpers/app.ts';
import { listen, open } from '#test/helpers/raw.ts';

/** A test has half a second for its request, which a busy machine may take away. */
const ATTEMPTS = 10;

/** Sends a POST on a connection that was used before, while the program stops; null where it had stopped. */
async function sendLate() {
  const test = await createTestApp();
  const [port, key] = [await listen(test.app), await test.key()];
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  async function send(method: string, path: string, body = '') {
    const headers = { 'x-api-key': key, 'content-type': 'application/json' };
    const sent = request({ agent, port, method, path, headers }).end(body);
    const answer = await new Promise<IncomingMessage>((resolve, reject) => {
      sent.once('response', resolve).once('error', reject);
    });
    const { statusCode: status, headers: had } = answer;
    return { status, connection: had.connection, isReused: sent.reusedSocket, body: await text(answer) };
  }
  expect(await send('GET', '/health')).toMatchObject({ status: 200, connection: 'keep-alive' });
  const closed = test.app.close();
  // What comes before connections are closed has begun.
  await new Promise((resolve) => setImmediate(resolve));
  const answer = await send('POST', '/api/v1/tasks', '{"content":"Disk full"}').catch(() => null);
  await closed;
  // On a connection of its own: the client may not know yet that the one before has ended. While another
  // thread starts a program it is reset instead: that one inherits what listens until it runs.
  agent.destroy();
  const failure = () =>
    fetch(`http://127.0.0.1:${port}/health`).catch((error: { cause?: unknown }) => error.cause);
  await expect.poll(failure).toMatchObject({ code: 'ECONNREFUSED' });
  return answer;
}

it('are answered as ever, and end their connection', async () => {
  let answer = await sendLate();
  for (let attempt = 1; attempt < ATTEMPTS && answer?.connection !== 'close'; attempt++)
    answer = await sendLate();
  expect(answer).toMatchObject({ status: 201, isReused: true, connection: 'close' });
  expect(answer?.body).toContain('Disk full');
});

it('on a connection that was opened just before none is taken any more are answered', async () => {
  const { app } = await createTestApp();
  const port = await listen(app);
  // One that is open lets the stop wait for requests.
  const held = await open(port, '');
  const closed = app.close();
  let last = held;
  for (;;) {
    const next = await open(port, '').catch(() => null);
    if (next === null) break;
    if (last !== held) last.destroy();
    last = next;
    await pause(5);
  }
  // Longer than until connections are looked at for the first time.
  await pause(150);
  const answer = text(last);
  last.write('GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n');
  expect(await answer).toContain('HTTP/1.1 200 OK');
  await closed;
});

it('that were never used hold up no stop, at whatever address of localhost', async () => {
  const { app } = await createTestApp();
  const addresses = ['127.0.0.1', '127.0.0.2'];
  // Most machines have ::1 here, but not all have IPv6.
  const lookup = vi.spyOn(dns, 'lookup') as unknown as MockInstance<
    (name: string, options: object, answer: (error: null, found: object[]) => void) => void
  >;
  lookup.mockImplementation((name, _, answer) => {
    const found = name === 'localhost' ? addresses : [name];
    answer(
      null,
      found.map((address) => ({ address, family: 4 })),
    );
  });
  await app.listen({ host: 'localhost', port: 0 });
  lookup.mockRestore();
  const listening = app.addresses() as AddressInfo[];
  expect(listening.map(({ address }) => address).toSorted()).toEqual(addresses);
  const { port } = app.server.address() as AddressInfo;
  const unused = await Promise.all(addresses.map((address) => open(port, '', address)));
  const closed = Promise.all(unused.map((socket): Promise<unknown> => once(socket.resume(), 'close')));
  await app.close();
  await closed;
});
