// The live socket of a server, as programs open it with a key: connects again by itself when it is lost.
import type { IncomingMessage } from 'node:http';
import { addAbortSignal } from 'node:stream';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { WebSocket } from 'ws';
import { API_BASE, LIVE_CLOSE, LIVE_PROTOCOL } from '#core/contract/protocol.ts';
import { CommandError, EXIT_KEY_REFUSED } from '../command.ts';
import { refusal, unreachable } from './call.ts';
import type { Login } from './login-file.ts';

const MAX_BACKOFF_MS = 30_000;
const HANDSHAKE_TIMEOUT_MS = 10_000;
/** The server pings every 30 seconds: two that did not come mean that it is gone. */
const SILENCE_MS = 75_000;
/** How long the server has to close it as well: who ends this does not wait for one that hangs. */
const CLOSE_MS = 500;

export interface LiveListener {
  /** A message, as it came. */
  message: (text: string) => void;
  /** The connection is gone, and is tried again after so long; `why` it could not be opened, or null. */
  lost: (waitMs: number, why: CommandError | null) => void;
}

/** How a connection ended. */
interface Ended {
  opened: boolean;
  code: number;
  /** What the server answered instead of opening it, else what went wrong. */
  error: Error | null;
}

/** Listens until `ending`. Throws when the first connection fails, and when the key is refused. */
export async function followLive(login: Login, listener: LiveListener, ending: AbortSignal): Promise<void> {
  let wasOpened = false;
  for (let attempt = 0; !ending.aborted; attempt++) {
    const ended = await connect(login, listener, ending);
    if (ending.aborted) return;
    failForGood(login, ended, wasOpened);
    if (ended.opened) attempt = 0;
    wasOpened ||= ended.opened;
    const waitMs = Math.random() * Math.min(MAX_BACKOFF_MS, 1000 * 2 ** attempt);
    listener.lost(waitMs, ended.opened ? null : faultOf(login, ended));
    await pause(waitMs, undefined, { signal: ending }).catch(() => undefined);
  }
}

/** Throws when trying again is of no use. */
function failForGood(login: Login, ended: Ended, wasOpened: boolean): void {
  const { code, opened, error } = ended;
  const isKeyRefused = error instanceof CommandError && error.exitCode === EXIT_KEY_REFUSED;
  if (code === LIVE_CLOSE.signedOut || isKeyRefused)
    throw new CommandError(
      'The key is refused, or lacks the scope read. Log in with another key: qinbox login',
      EXIT_KEY_REFUSED,
    );
  if (!opened && !wasOpened) throw faultOf(login, ended);
}

function faultOf({ url }: Login, { error }: Ended): CommandError {
  return error instanceof CommandError ? error : unreachable(url, error ?? new Error('no live connection'));
}

function connect({ url, key }: Login, { message }: LiveListener, ending: AbortSignal): Promise<Ended> {
  return new Promise((resolve) => {
    const ended: Ended = { opened: false, code: 0, error: null };
    const socket = new WebSocket(`${url.replace(/^http/, 'ws')}${API_BASE}/live`, [LIVE_PROTOCOL], {
      headers: { 'x-api-key': key },
      handshakeTimeout: HANDSHAKE_TIMEOUT_MS,
    });
    let giveUp: NodeJS.Timeout | undefined;
    const close = () => {
      if (!ended.opened) return socket.terminate();
      socket.close(1000);
      giveUp = setTimeout(() => socket.terminate(), CLOSE_MS);
    };
    ending.addEventListener('abort', close);
    const silence = setTimeout(() => socket.terminate(), SILENCE_MS);
    socket.on('open', () => (ended.opened = true));
    socket.on('ping', () => silence.refresh());
    const refuse = async (response: IncomingMessage): Promise<void> => {
      ended.error = await refusalIn(url, response);
      socket.terminate();
    };
    socket.on('unexpected-response', (_request, response) => void refuse(response));
    socket.on('error', (error) => {
      ended.error ??= error;
      socket.terminate();
    });
    socket.on('close', (code) => {
      clearTimeout(silence);
      clearTimeout(giveUp);
      ending.removeEventListener('abort', close);
      resolve({ ...ended, code });
    });
    socket.on('message', (data) => message((data as Buffer).toString()));
  });
}

/** What a server answers that does not open a socket. */
async function refusalIn(url: string, response: IncomingMessage): Promise<CommandError> {
  const { statusCode: status = 0, headers } = response;
  const told = ['retry-after', 'location'].flatMap((name): [string, string][] => {
    const value = headers[name];
    return typeof value === 'string' ? [[name, value]] : [];
  });
  const head = { status, headers: new Headers(told) };
  const body = addAbortSignal(AbortSignal.timeout(HANDSHAKE_TIMEOUT_MS), response);
  return refusal(url, head, await text(body).catch(() => ''));
}
