// Asks for long pages and never reads them: 100 connections with one request each, and 20 with ten requests sent at once.
import { connect, type Socket } from 'node:net';
import { setTimeout as after } from 'node:timers/promises';
import { count, pause, ready, report, settings } from './abuser.ts';

const SINGLE = 100;
const PIPELINED = 20;
const PIPELINE = 10;
/** Between two connections. */
const GAP_MS = 20;

const { hostname, port, host } = new URL(settings.url);
const sockets: Socket[] = [];
let turn = 0;

const ask = () =>
  `GET /api/v1/tasks?limit=1000 HTTP/1.1\r\nhost: ${host}\r\nx-api-key: ${settings.keys[turn++ % settings.keys.length]}\r\n\r\n`;

function open(requests: number): void {
  const socket = connect({ host: hostname, port: Number(port) });
  socket.pause();
  socket.on('error', () => undefined);
  socket.write(Array.from({ length: requests }, ask).join(''));
  sockets.push(socket);
}

/** Reads at last what is there, up to the first line or the end, to see how it went. */
async function outcomeOf(socket: Socket): Promise<string> {
  let head = '';
  let total = 0;
  socket.on('data', (chunk: Buffer) => {
    total += chunk.length;
    if (head.length < 200) head += chunk.toString('latin1');
  });
  const closed = new Promise<true>((resolve) => {
    socket.once('close', () => resolve(true));
    socket.once('end', () => resolve(true));
  });
  socket.resume();
  const isClosed = await Promise.race([closed, after(2000, false)]);
  const status = /^HTTP\/1\.1 (\d+)/.exec(head)?.[1] ?? 'nothing';
  socket.destroy();
  return `${status}, ${isClosed ? 'cut off' : 'still open'}`;
}

ready();
for (let index = 0; index < SINGLE + PIPELINED; index++) {
  open(index % 6 === 5 ? PIPELINE : 1);
  await pause(GAP_MS);
}
await pause(Infinity);
for (const outcome of await Promise.all(sockets.map(outcomeOf))) count(outcome);
report();
