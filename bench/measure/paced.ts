// An open-loop client, run as `node bench/measure/paced.ts '<settings as JSON>'` on a core of its own:
// requests fall due evenly at a fixed rate whether answers come or not, and a latency counts from when its
// request was due (no coordinated omission). Tools that send a second's requests in bursts measure their own
// bursts: a bare echo server then shows a p99 of tens of milliseconds.
import { connect, type Socket } from 'node:net';

interface Settings {
  url: string;
  method: string;
  headers: Record<string, string>;
  body: string;
  perSecond: number;
  seconds: number;
  connections: number;
  expected: number;
}

const settings = JSON.parse(process.argv[2] ?? '{}') as Settings;
const { hostname, port, pathname, search } = new URL(settings.url);
const lines = Object.entries({ host: `${hostname}:${port}`, ...settings.headers }).map(
  ([name, value]) => `${name}: ${value}\r\n`,
);
const request = Buffer.from(
  `${settings.method} ${pathname}${search} HTTP/1.1\r\n${lines.join('')}content-length: ${Buffer.byteLength(settings.body)}\r\n\r\n${settings.body}`,
);
/** Not counted: until the code of this client is compiled, it is the slower one. */
const WARM_SECONDS = 2;
const warm = Math.round(settings.perSecond * WARM_SECONDS);
const total = warm + Math.round(settings.perSecond * settings.seconds);
const everyMs = 1000 / settings.perSecond;

const idle: Connection[] = [];
const latenciesMs = new Float64Array(total);
let answered = 0;
let wrong = 0;
let due = 0;
let sent = 0;
let startedAt = 0;

/** One request at a time over one persistent connection. */
class Connection {
  private readonly socket: Socket;
  private dueAt = 0;
  private pending = '';

  constructor() {
    this.socket = connect({ host: hostname, port: Number(port), noDelay: true });
    this.socket.setEncoding('latin1');
    this.socket.on('data', (text: string) => this.read(text));
    this.socket.once('error', () => fail('a connection failed'));
    this.socket.once('close', () => fail('a connection was closed'));
    this.socket.once('connect', () => {
      idle.push(this);
      if (idle.length === settings.connections) begin();
    });
  }

  send(dueAt: number): void {
    this.dueAt = dueAt;
    this.socket.write(request);
  }

  close(): void {
    this.socket.destroy();
  }

  private read(text: string): void {
    this.pending += text;
    const end = this.pending.indexOf('\r\n\r\n');
    if (end === -1) return;
    const length = Number(/content-length: (\d+)/i.exec(this.pending)?.[1]);
    if (this.pending.length < end + 4 + length) return;
    if (!this.pending.startsWith(`HTTP/1.1 ${settings.expected} `)) wrong++;
    this.pending = '';
    latenciesMs[answered++] = performance.now() - this.dueAt;
    idle.push(this);
    if (answered === total) finish();
    else sendDue();
  }
}

function begin(): void {
  startedAt = performance.now();
  tick();
}

// Counts what has fallen due and sends it as far as connections are free; setImmediate keeps the pace finer
// than a timer would.
function tick(): void {
  due = Math.min(total, Math.floor((performance.now() - startedAt) / everyMs) + 1);
  sendDue();
  if (sent < total) setImmediate(tick);
}

function sendDue(): void {
  while (sent < due) {
    const connection = idle.pop();
    if (connection === undefined) return;
    connection.send(startedAt + sent++ * everyMs);
  }
}

function finish(): void {
  const counted = latenciesMs.subarray(warm).toSorted();
  const at = (share: number): number => counted[Math.ceil(share * counted.length) - 1] ?? Number.NaN;
  process.stdout.write(
    `${JSON.stringify({ wrong, p50: at(0.5), p99: at(0.99), p999: at(0.999), max: at(1) })}\n`,
  );
  process.exit(0);
}

function fail(why: string): never {
  process.stderr.write(`${why}\n`);
  process.exit(1);
}

const connections = Array.from({ length: settings.connections }, () => new Connection());
process.once('exit', () => connections.forEach((connection) => connection.close()));
