// Callers that ask and do not read: raw connections, because every HTTP client reads what it is sent. Each
// that the server closes is opened again, until all is over.
import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

export interface UnreadOptions {
  /** Of the server, for example `http://127.0.0.1:3000`. */
  url: string;
  path: string;
  headers?: Readonly<Record<string, string>>;
  /** Connections at once. */
  connections: number;
  /** Requests sent on each connection at once, without waiting for an answer. Default: 1. */
  pipelined?: number;
  /** Bytes of the answers that each connection reads in a second. Default: 0. */
  readPerSecond?: number;
  /** Says, after its requests, that it will send nothing more. */
  halfClosed?: boolean;
  /** Ends them all. */
  over: AbortSignal;
}

export interface UnreadReport {
  opened: number;
  /** How many of them the server ended. */
  closed: number;
  requests: number;
  /** How long the server held the connection that it held longest. */
  longestMs: number;
}

/** Runs the abusers until all is over. The report counts meanwhile; `ended` resolves when none is left. */
export function leaveUnread(options: UnreadOptions): { report: UnreadReport; ended: Promise<unknown> } {
  const { connections } = options;
  const report: UnreadReport = { opened: 0, closed: 0, requests: 0, longestMs: 0 };
  const ended = Promise.all(Array.from({ length: connections }, () => keepOpening(options, report)));
  return { report, ended };
}

async function keepOpening(options: UnreadOptions, report: UnreadReport): Promise<void> {
  const { over } = options;
  while (!over.aborted) {
    const since = performance.now();
    await hold(options, report);
    report.longestMs = Math.max(report.longestMs, performance.now() - since);
    // A server that refuses connections is not asked in a closed loop, which would only measure this process.
    if (!over.aborted) await pause(20);
  }
}

/** Asks on one connection and resolves when it is closed, by the server or because all is over. */
function hold(options: UnreadOptions, report: UnreadReport): Promise<void> {
  const { url, pipelined = 1, readPerSecond = 0, halfClosed = false, over } = options;
  const { hostname, port } = new URL(url);
  return new Promise((resolve) => {
    const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
    const reading = readPerSecond > 0 ? setInterval(() => void socket.read(readPerSecond), 1000) : undefined;
    const stop = () => socket.destroy();
    over.addEventListener('abort', stop);
    socket.on('connect', () => {
      report.opened++;
      report.requests += pipelined;
      const text = requestOf(options).repeat(pipelined);
      if (halfClosed) socket.end(text);
      else socket.write(text);
    });
    if (!halfClosed) watchForEnd(socket);
    socket.on('error', () => {});
    socket.on('close', () => {
      over.removeEventListener('abort', stop);
      clearInterval(reading);
      if (!over.aborted) report.closed++;
      resolve();
    });
  });
}

// A connection that is not read does not notice its end either; one byte written to it now and then does.
function watchForEnd(socket: Socket): void {
  const probing = setInterval(() => socket.write('\r\n'), 500);
  socket.on('close', () => clearInterval(probing));
}

function requestOf({ url, path, headers = {} }: UnreadOptions): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `GET ${path} HTTP/1.1\r\nhost: ${new URL(url).host}\r\n${lines.join('')}\r\n`;
}
