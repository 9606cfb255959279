// Bodies that take longer than a request may, on real sockets.
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { createTestApp } from '#test/helpers/app.ts';
import { listen, open } from '#test/helpers/raw.ts';
import { expectLongBody, mayTakeLonger } from './long-bodies.ts';

const KIB = 1024;
const LENGTH = 600 * KIB;

/** A request that has come in part only when its time is up, and what it is answered. */
async function send(first: number): Promise<{ rest: () => void; answer: Promise<string> }> {
  const test = await createTestApp();
  const [port, key] = [await listen(test.app), await test.key()];
  // Node takes the longer of the two for the whole request.
  test.app.server.requestTimeout = test.app.server.headersTimeout = 500;
  const head = [
    'POST /api/v1/tasks/batch HTTP/1.1',
    'host: localhost',
    `x-api-key: ${key}`,
    'connection: close',
  ];
  const type = ['content-type: application/json', `content-length: ${LENGTH}`, '', ''];
  const isUp = once(test.app.server, 'clientError');
  const socket = await open(port, [...head, ...type].join('\r\n'));
  onTestFinished(() => void socket.destroy());
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => void chunks.push(chunk));
  const answer = once(socket, 'close').then(() => Buffer.concat(chunks).toString());
  socket.write('x'.repeat(first));
  await isUp;
  return { rest: () => void socket.write('x'.repeat(LENGTH - first)), answer };
}

it('of which enough has come is waited for', async () => {
  const { rest, answer } = await send(300 * KIB);
  rest();
  // All of it was read: it is no JSON.
  expect(await answer).toMatch(/^HTTP\/1\.1 400 .+VALIDATION_ERROR/s);
});

it('of which little has come is 408', async () => {
  const { answer } = await send(100 * KIB);
  expect(await answer).toMatch(/^HTTP\/1\.1 408 .+REQUEST_TIMEOUT/s);
});

it('that no longer comes ends then, and one that has come never', async () => {
  const server = createServer(expectLongBody).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  async function part(bytes: number): Promise<{ request: IncomingMessage; client: Socket }> {
    const head = `POST / HTTP/1.1\r\nhost: localhost\r\ncontent-length: ${LENGTH}\r\n\r\n`;
    const came = once(server, 'request') as Promise<[IncomingMessage]>;
    const client = await open((server.address() as AddressInfo).port, head);
    onTestFinished(() => void client.destroy());
    const [request] = await came;
    request.resume();
    client.write('x'.repeat(bytes));
    while (request.socket.bytesRead < bytes) await once(request, 'data');
    return { request, client };
  }
  const whole = await part(LENGTH - 1);
  const ended: string[] = [];
  expect(mayTakeLonger(whole.request.socket, () => void ended.push('whole'), 20)).toBe(true);
  whole.client.write('x');
  await once(whole.request, 'end');
  const stopped = await part(LENGTH - 1);
  await new Promise<void>((done) => {
    const end = () => {
      ended.push('stopped');
      done();
    };
    expect(mayTakeLonger(stopped.request.socket, end, 20)).toBe(true);
  });
  expect(ended).toEqual(['stopped']);
});
