// Large answers that nobody reads, from several addresses: what each may hold, what all may, and who gives
// way.
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import Fastify from 'fastify';
import { pino } from 'pino';
import { expect, it, onTestFinished } from 'vitest';
import { taskRoutes } from '#core/contract/index.ts';
import { createOutages } from '#api/health/outages.ts';
import { errorBodies } from '#api/plugins/errors.ts';
import { listen } from '#test/helpers/raw.ts';
import { waitFor } from '#test/program/wait.ts';
import { holdAnswers } from './answers.ts';
import { watchProgress } from './slow-readers.ts';

const MIB = 1024 * 1024;
/** More than the system takes over of an answer that is not read. */
const ANSWER = 'x'.repeat(16 * MIB);

async function serve() {
  const app = Fastify();
  const progress = watchProgress(() => {});
  let dropped = 0;
  app.register(errorBodies, { outages: createOutages(pino({ level: 'silent' })) });
  app.server.on('connection', (socket: Socket) => progress.watch(socket));
  const allowance = holdAnswers(app, {
    isStalled: (socket) => progress.isStalled(socket),
    onDropped: () => void dropped++,
    onRefused: () => {},
    limits: { perCaller: 48 * MIB, inAll: 64 * MIB },
  });
  app.get('/large', { config: { record: taskRoutes.list } }, () => ANSWER);
  const port = await listen(app);
  onTestFinished(async () => {
    progress.stop();
    app.server.closeAllConnections();
    await app.close();
  });
  return { port, allowance, dropped: () => dropped };
}

async function ask(port: number, from: string): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1', localAddress: from });
  socket.on('error', () => {});
  onTestFinished(() => void socket.destroy());
  await once(socket, 'connect');
  socket.write('GET /large HTTP/1.1\r\nhost: x\r\n\r\n');
  return socket;
}

/** The status of an answer, which is then read to its end. */
async function statusFor(port: number, from: string): Promise<number> {
  const socket = await ask(port, from);
  const [first] = (await once(socket, 'data')) as [Buffer];
  socket.resume();
  return Number(first.toString('latin1').split(' ')[1]);
}

it('one caller may leave so many unread, and no more until some are read; others may still ask', async () => {
  const { port, allowance } = await serve();
  const unread = [];
  for (let count = 1; count <= 3; count++) {
    unread.push(await ask(port, '127.0.0.2'));
    await waitFor('the answer to wait', () => allowance.total() === count * 16 * MIB);
  }
  expect(await statusFor(port, '127.0.0.2')).toBe(429);
  expect(await statusFor(port, '127.0.0.3')).toBe(200);
  unread[0]?.resume();
  await waitFor('it to be read', () => allowance.total() === 32 * MIB);
  expect(await statusFor(port, '127.0.0.2')).toBe(200);
});

it('where all leave too much unread, those who stopped reading make room for one who reads', async () => {
  const { port, allowance, dropped } = await serve();
  for (const [index, from] of ['127.0.0.2', '127.0.0.2', '127.0.0.3', '127.0.0.3'].entries()) {
    await ask(port, from);
    await waitFor('the answer to wait', () => allowance.total() === (index + 1) * 16 * MIB);
  }
  await waitFor('room', async () => (await statusFor(port, '127.0.0.4')) === 200);
  expect(dropped()).toBe(1);
});
