// A client of many live sockets, run as `node bench/measure/listeners.ts` with its settings as JSON on
// standard input: opens the sockets, publishes messages, a few at a time, and waits until every socket has
// heard each. It counts the frames of WebSockets (RFC 6455, section 5.2) and reads nothing else of them.
import { randomBytes } from 'node:crypto';
import { connect } from 'node:net';
import { json } from 'node:stream/consumers';

export interface ListenerSettings {
  /** Of the socket, with http as its scheme. */
  url: string;
  /** Request headers of each socket. */
  sockets: Record<string, string>[];
  publish: { url: string; headers: Record<string, string>; body: string };
  messages: number;
}

/** Messages that are published before all have heard the first of them. */
const IN_FLIGHT = 4;
/** Handshakes at a time. */
const OPENING = 50;
/** After the last handshake, for greetings to arrive. */
const QUIET_MS = 1000;
const TEXT_FRAME = 1;

const settings = (await json(process.stdin)) as ListenerSettings;
const target = new URL(settings.url);
let heard = 0;
let wake: () => void = () => undefined;

/** Counts whole text frames in a stream that is cut anywhere. */
class FrameCounter {
  private head = Buffer.alloc(0);
  /** Bytes of the payload that are still to come. */
  private rest = 0;

  read(chunk: Buffer): void {
    for (let at = 0; at < chunk.length;) {
      if (this.rest > 0) {
        const taken = Math.min(this.rest, chunk.length - at);
        this.rest -= taken;
        at += taken;
      } else at = this.readHead(chunk, at);
    }
  }

  private readHead(chunk: Buffer, at: number): number {
    const known = this.head.length;
    const bytes =
      known === 0 ? chunk.subarray(at, at + 10) : Buffer.concat([this.head, chunk.subarray(at, at + 10)]);
    const short = (bytes[1] ?? 0) & 127;
    const size = short === 126 ? 4 : short === 127 ? 10 : 2;
    if (bytes.length < size) {
      this.head = Buffer.from(bytes);
      return chunk.length;
    }
    this.head = Buffer.alloc(0);
    this.rest = size === 2 ? short : size === 4 ? bytes.readUInt16BE(2) : Number(bytes.readBigUInt64BE(2));
    if (((bytes[0] ?? 0) & 15) === TEXT_FRAME) heard++;
    return at + size - known;
  }
}

function open(headers: Record<string, string>): Promise<void> {
  const lines = {
    host: target.host,
    connection: 'Upgrade',
    upgrade: 'websocket',
    'sec-websocket-version': '13',
    'sec-websocket-key': randomBytes(16).toString('base64'),
    ...headers,
  };
  const text = Object.entries(lines).map(([name, value]) => `${name}: ${value}\r\n`);
  return new Promise((resolve, reject) => {
    const frames = new FrameCounter();
    let answer: Buffer | null = Buffer.alloc(0);
    const socket = connect({
      host: target.hostname,
      port: Number(target.port),
      // One buffer for all sockets: it is read before the next one is filled.
      onread: {
        buffer: shared,
        callback(size, buffer) {
          const chunk = Buffer.from(buffer.buffer, buffer.byteOffset, size);
          if (answer === null) frames.read(chunk);
          else {
            answer = Buffer.concat([answer, chunk]);
            const end = answer.indexOf('\r\n\r\n');
            if (end === -1) return true;
            if (!answer.toString('latin1').startsWith('HTTP/1.1 101 ')) {
              reject(new Error(answer.toString('latin1')));
              return false;
            }
            frames.read(answer.subarray(end + 4));
            answer = null;
            resolve();
          }
          if (heard >= awaited) wake();
          return true;
        },
      },
    });
    socket.once('error', reject);
    socket.once('close', () => fail('a socket was closed'));
    socket.write(`GET ${target.pathname}${target.search} HTTP/1.1\r\n${text.join('')}\r\n`);
  });
}

const shared = Buffer.alloc(64 * 1024);
/** Frames of all sockets together that `wake` waits for. */
let awaited = Infinity;

async function waitUntilHeard(count: number): Promise<void> {
  if (heard >= count) return;
  awaited = count;
  await new Promise<void>((resolve) => (wake = resolve));
  awaited = Infinity;
}

async function publish(): Promise<void> {
  const { url, headers, body } = settings.publish;
  const answer = await fetch(url, { method: 'POST', headers, body });
  if (!answer.ok) fail(`publishing answered ${answer.status}: ${await answer.text()}`);
  await answer.arrayBuffer();
}

function fail(why: string): never {
  process.stderr.write(`${why}\n`);
  process.exit(1);
}

async function spread(messages: number): Promise<void> {
  const before = heard;
  const sending: Promise<void>[] = [];
  for (let sent = 0; sent < messages; sent++) {
    await waitUntilHeard(before + Math.max(0, sent - IN_FLIGHT + 1) * settings.sockets.length);
    sending.push(publish());
  }
  await waitUntilHeard(before + messages * settings.sockets.length);
  await Promise.all(sending);
}

for (let at = 0; at < settings.sockets.length; at += OPENING)
  await Promise.all(settings.sockets.slice(at, at + OPENING).map(open));
await new Promise((resolve) => setTimeout(resolve, QUIET_MS));
// The first fifth compiles both sides.
await spread(Math.ceil(settings.messages / 5));
process.stdout.write('begin\n');
const from = performance.now();
await spread(settings.messages);
const perSecond = (settings.messages * settings.sockets.length) / ((performance.now() - from) / 1000);
process.stdout.write(`${JSON.stringify({ perSecond })}\n`);
process.exit(0);
