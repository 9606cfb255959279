// `qinbox watch`: prints what happens in the queue, live. It connects again by itself, and ends with Ctrl-C.
import { setTimeout as pause } from 'node:timers/promises';
import { WebSocket } from 'ws';
import type { LiveMessage } from '#core/contract/index.ts';
import { API_BASE, LIVE_CLOSE, LIVE_PROTOCOL } from '#core/contract/protocol.ts';
import { unreachable } from '../client/call.ts';
import { readLogin, type Login } from '../client/login-file.ts';
import { jsonOption } from '../client/options.ts';
import { paintOutput, taskLine } from '../client/rows.ts';
import {
  CommandError,
  EXIT_KEY_REFUSED,
  hasOption,
  UsageError,
  usageOf,
  type Command,
  type Output,
} from '../command.ts';

const MAX_BACKOFF_MS = 30_000;
const HANDSHAKE_TIMEOUT_MS = 10_000;
/** The server pings every 30 seconds: two that did not come mean that it is gone. */
const SILENCE_MS = 75_000;

/** How a connection ended. */
interface Ended {
  opened: boolean;
  code: number;
  /** The status that the server answered instead of opening it. */
  status: number | null;
  error: Error | null;
}

export const watch: Command = {
  name: 'watch',
  usage: '[--json]',
  summary: 'print what happens in the queue, live, until Ctrl-C',
  details:
    'Connects again by itself when the connection is lost; what happened meanwhile is not shown. With --json each line is a message of the live socket.',
  options: jsonOption,
  async run(words, output) {
    if (words.positionals.length > 0) throw new UsageError(usageOf(watch));
    const login = readLogin();
    const ending = new AbortController();
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => ending.abort());
    await follow(login, hasOption(words, 'json'), output, ending.signal);
  },
};

async function follow(login: Login, asJson: boolean, output: Output, ending: AbortSignal): Promise<void> {
  let wasOpened = false;
  for (let attempt = 0; !ending.aborted; attempt++) {
    const ended = await connect(login, asJson, output, ending);
    if (ending.aborted) return;
    failForGood(login, ended, wasOpened);
    if (ended.opened) attempt = 0;
    wasOpened ||= ended.opened;
    const waitMs = Math.random() * Math.min(MAX_BACKOFF_MS, 1000 * 2 ** attempt);
    output.note(`Connection lost; trying again in ${Math.ceil(waitMs / 1000)} s.`);
    await pause(waitMs, undefined, { signal: ending }).catch(() => undefined);
  }
}

/** Throws when trying again is of no use. */
function failForGood({ url }: Login, { code, status, opened, error }: Ended, wasOpened: boolean): void {
  if (code === LIVE_CLOSE.signedOut || status === 401 || status === 403)
    throw new CommandError(
      'The key is refused, or lacks the scope read. Log in with another key: qinbox login',
      EXIT_KEY_REFUSED,
    );
  if (!opened && !wasOpened)
    throw unreachable(url, error ?? new Error(status === null ? 'no live connection' : `status ${status}`));
}

function connect({ url, key }: Login, asJson: boolean, output: Output, ending: AbortSignal): Promise<Ended> {
  const { promise, resolve } = Promise.withResolvers<Ended>();
  const ended: Ended = { opened: false, code: 0, status: null, error: null };
  const socket = new WebSocket(`${url.replace(/^http/, 'ws')}${API_BASE}/live`, [LIVE_PROTOCOL], {
    headers: { 'x-api-key': key },
    handshakeTimeout: HANDSHAKE_TIMEOUT_MS,
  });
  const close = () => (ended.opened ? socket.close(1000) : socket.terminate());
  ending.addEventListener('abort', close);
  const silence = setTimeout(() => socket.terminate(), SILENCE_MS);
  socket.on('open', () => (ended.opened = true));
  socket.on('ping', () => silence.refresh());
  socket.on('unexpected-response', (_request, response) => {
    ended.status = response.statusCode ?? 0;
    socket.terminate();
  });
  socket.on('error', (error) => {
    ended.error = error;
    socket.terminate();
  });
  socket.on('close', (code) => {
    clearTimeout(silence);
    ending.removeEventListener('abort', close);
    resolve({ ...ended, code });
  });
  socket.on('message', (data) => {
    const text = (data as Buffer).toString();
    if (asJson) output.print(text);
    else show(JSON.parse(text) as LiveMessage, url, output);
  });
  return promise;
}

function show(message: LiveMessage, url: string, output: Output): void {
  if (message.type === 'hello') return output.note(`Watching ${url}. Ctrl-C ends.`);
  if (message.type === 'queue.reset') return output.note('Some of it may be missing here. See: qinbox ls');
  const event = message.type.slice('task.'.length).padEnd(12);
  const line = taskLine(message.task);
  output.print(`${paintOutput('gray', event)} ${line}`);
}
