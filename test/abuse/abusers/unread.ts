// Asks for long pages and does not read them: 100 connections with one request each, ten with ten requests
// sent at once, and ten with more than may be. Of each answer it reads the first bytes, to see how it was
// received; what the server closes is opened again.
import { connect } from 'node:net';
import { count, isOver, pause, ready, report, settings } from './abuser.ts';

/** Requests of each twelve connections. */
const REQUESTS = [1, 1, 1, 1, 1, 10, 1, 1, 1, 1, 1, 150];
const CONNECTIONS = 120;
/** Between two connections at the beginning, and before one is opened again. */
const GAP_MS = 20;
const AGAIN_MS = 1000;
/** A connection that is not read notices its end only when it writes. */
const PROBE_MS = 500;
/** Another address of this machine than the normal user's. */
const FROM = '127.0.0.2';

const { hostname, port, host } = new URL(settings.url);
let turn = 0;

const request = () =>
  `GET /api/v1/tasks?limit=1000 HTTP/1.1\r\nhost: ${host}\r\nx-api-key: ${settings.keys[turn++ % settings.keys.length]}\r\n\r\n`;

/** Asks on one connection; resolves when it is closed or the time is over. */
async function hold(requests: number): Promise<void> {
  const socket = connect({ host: hostname, port: Number(port), localAddress: FROM });
  socket.on('error', () => undefined);
  socket.once('data', (chunk: Buffer) => {
    socket.pause();
    count(/^HTTP\/1\.1 (\d+)/.exec(chunk.toString('latin1'))?.[1] ?? 'nothing');
  });
  socket.write(Array.from({ length: requests }, request).join(''));
  while (!isOver() && !socket.destroyed) {
    await pause(PROBE_MS);
    socket.write('\r\n');
  }
  count(isOver() ? 'held to the end' : 'cut off');
  socket.destroy();
}

async function keepHolding(requests: number): Promise<void> {
  while (!isOver()) {
    await hold(requests);
    await pause(AGAIN_MS);
  }
}

ready();
const holding: Promise<void>[] = [];
for (let index = 0; index < CONNECTIONS; index++) {
  holding.push(keepHolding(REQUESTS[index % REQUESTS.length] ?? 1));
  await pause(GAP_MS);
}
await Promise.all(holding);
report();
