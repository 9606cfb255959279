// Opens connections and leaves them at that: 500 to the mail port, 500 to the HTTP port of which half begin a
// request and never end it, and 300 live sockets.
import { connect, type Socket } from 'node:net';
import { WebSocket } from 'ws';
import { count, pause, ready, refused, report, settings } from './abuser.ts';

const MAIL = 500;
const HTTP = 500;
const LIVE = 300;
/** Another address of this machine than the normal user's. */
const FROM = '127.0.0.2';
const REFUSAL = /^421 /m;

const { hostname, port, host } = new URL(settings.url);
const sockets: { kind: string; socket: Socket; said: string; closed: boolean }[] = [];

function open(kind: string, to: number, words: string): void {
  const socket = connect({ host: hostname, port: to, localAddress: FROM });
  const entry = { kind, socket, said: '', closed: false };
  socket.on('data', (chunk: Buffer) => {
    entry.said += chunk.toString('latin1');
    // At the door, or later, when another needed the place.
    if (REFUSAL.test(entry.said)) refused();
  });
  socket.on('error', () => undefined);
  socket.once('close', () => (entry.closed = true));
  if (words !== '') socket.write(words);
  sockets.push(entry);
}

function watch(): WebSocket {
  const live = new WebSocket(`${settings.url.replace('http', 'ws')}/api/v1/live`, ['qinbox.v1'], {
    headers: { 'x-api-key': settings.keys[0] ?? '' },
    localAddress: FROM,
  });
  live.once('open', () => count('live: open'));
  live.once('unexpected-response', (_request, { statusCode }) => count(`live: ${statusCode}`));
  live.on('error', () => undefined);
  return live;
}

ready();
for (let index = 0; index < MAIL; index++) {
  open('mail', settings.mailPort, '');
  if (index % 25 === 24) await pause(10);
}
for (let index = 0; index < HTTP; index++) {
  open('HTTP', Number(port), index % 2 === 0 ? '' : `GET /health HTTP/1.1\r\nhost: ${host}\r\nx-slow: `);
  if (index % 25 === 24) await pause(10);
}
const watching: WebSocket[] = [];
for (let index = 0; index < LIVE; index++) {
  watching.push(watch());
  if (index % 25 === 24) await pause(10);
}
await pause(Infinity);
for (const { kind, said, closed, socket } of sockets) {
  const mail = REFUSAL.test(said) ? '421' : said.slice(0, 3);
  const word = kind === 'mail' ? mail : (/^HTTP\/1\.1 (\d+)/.exec(said)?.[1] ?? '');
  count(`${kind}: ${word === '' ? '' : `${word}, `}${closed ? 'closed' : 'open'}`);
  socket.destroy();
}
for (const live of watching) live.terminate();
report();
