// One live socket to the server: a ticket, a connection, and reconnects with jittered backoff.
import type { LiveMessage } from '#core/contract/index.ts';
import { LIVE_CLOSE, LIVE_PROTOCOL } from '#core/contract/protocol.ts';
import { ApiError } from './api/api-error.ts';
import { createEmitter } from './emitter.ts';
import { asRecord, parseJson } from './json.ts';
import { pageTimers, type Timers } from './timers.ts';

export type LiveState = 'off' | 'connecting' | 'reconnecting' | 'live' | 'polling';

const FIRST_DELAY_MS = 500;
const LONGEST_DELAY_MS = 30_000;
/** After so many failures in a row the state is "polling": the list is refreshed by the timer alone. */
const FAILURES_TO_POLLING = 3;
/** A tab that was hidden this long may hold a socket that only looks alive. */
const STALE_AFTER_HIDDEN_MS = 60_000;
/** A connection without a hello for this long is abandoned. */
const HELLO_TIMEOUT_MS = 10_000;
/** The server is there, and its socket is not: a browser does not tell why. */
const NO_SOCKET = 'If it stays so, the proxy in front of Qinbox may not pass WebSockets.';

export interface SocketLike {
  addEventListener(type: 'message', listener: (event: { data: unknown }) => void): void;
  addEventListener(type: 'close', listener: (event: { code: number }) => void): void;
  close(): void;
}

export interface LiveSocketOptions {
  url: () => string;
  ticket: () => Promise<string>;
  WebSocket: new (url: string, protocols: string[]) => SocketLike;
  onMessage: (message: LiveMessage) => void;
  /** After each (re)connection: events may have been missed. */
  onConnect: () => void;
  /** Close code 4401: the session was signed out, or the key revoked or expired. */
  onSignedOut: () => void;
  clock?: Timers;
  random?: () => number;
}

export class LiveSocket {
  readonly #options: LiveSocketOptions;
  readonly #clock: Timers;
  readonly #changed = createEmitter();
  #state: LiveState = 'off';
  #socket: SocketLike | null = null;
  #timer: unknown;
  #failures = 0;
  #obstacle: string | null = null;
  #hiddenSince: number | null = null;
  // Numbers each attempt, so that events of an abandoned one are ignored.
  #attempt = 0;

  constructor(options: LiveSocketOptions) {
    this.#options = options;
    this.#clock = options.clock ?? pageTimers;
  }

  getState = (): LiveState => this.#state;

  /** What keeps it from connecting, as a sentence; null while it is live or the server is not there. */
  getObstacle = (): string | null => this.#obstacle;

  subscribe = this.#changed.subscribe;

  start(): void {
    if (this.#state !== 'off') return;
    this.#failures = 0;
    this.#setState('connecting');
    void this.#connect();
  }

  stop(): void {
    this.#abandon();
    this.#setState('off');
  }

  /** The network is back: whatever the socket looks like, it is from before. */
  networkBack(): void {
    this.#restart();
  }

  tabHidden(): void {
    this.#hiddenSince ??= this.#clock.now();
  }

  tabVisible(): void {
    const hiddenSince = this.#hiddenSince;
    this.#hiddenSince = null;
    const stale = hiddenSince !== null && this.#clock.now() - hiddenSince >= STALE_AFTER_HIDDEN_MS;
    if (this.#state !== 'live' || stale) this.#restart();
  }

  #restart(): void {
    if (this.#state === 'off') return;
    this.#abandon();
    this.#failures = 0;
    this.#setState('reconnecting');
    void this.#connect();
  }

  async #connect(): Promise<void> {
    this.#attempt += 1;
    const attempt = this.#attempt;
    let ticket: string;
    try {
      ticket = await this.#options.ticket();
    } catch (error) {
      const isRefused = error instanceof ApiError && error.status === 403;
      if (attempt === this.#attempt) this.#failed(isRefused ? error.message : null);
      return;
    }
    if (attempt !== this.#attempt) return;
    let socket: SocketLike;
    try {
      socket = new this.#options.WebSocket(this.#options.url(), [LIVE_PROTOCOL, `ticket.${ticket}`]);
    } catch {
      this.#failed(NO_SOCKET);
      return;
    }
    this.#socket = socket;
    socket.addEventListener('message', (event) => {
      if (this.#socket === socket) this.#onMessage(event.data);
    });
    socket.addEventListener('close', (event) => {
      if (this.#socket === socket) this.#closed(event.code);
    });
    this.#timer = this.#clock.setTimeout(() => this.#closed(), HELLO_TIMEOUT_MS);
  }

  #onMessage(data: unknown): void {
    const message = parseMessage(data);
    if (message === null) return;
    this.#options.onMessage(message);
    if (message.type !== 'hello') return;
    this.#clock.clearTimeout(this.#timer);
    this.#failures = 0;
    this.#obstacle = null;
    this.#setState('live');
    this.#options.onConnect();
  }

  #closed(code?: number): void {
    this.#abandon();
    if (code === LIVE_CLOSE.signedOut) {
      this.#setState('off');
      this.#options.onSignedOut();
      return;
    }
    this.#failed(this.#state === 'live' ? null : NO_SOCKET);
  }

  // 1012 (restarting), 1013 (too slow) and a lost network are handled alike: wait, then connect anew.
  #failed(obstacle: string | null): void {
    if (this.#state === 'off') return;
    this.#failures += 1;
    const isNew = obstacle !== this.#obstacle;
    this.#obstacle = obstacle;
    this.#setState(this.#failures >= FAILURES_TO_POLLING ? 'polling' : 'reconnecting');
    if (isNew) this.#changed.emit();
    const ceiling = Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** (this.#failures - 1));
    const delay = ceiling / 2 + (this.#options.random ?? Math.random)() * (ceiling / 2);
    this.#timer = this.#clock.setTimeout(() => void this.#connect(), delay);
  }

  #abandon(): void {
    this.#attempt += 1;
    this.#clock.clearTimeout(this.#timer);
    const socket = this.#socket;
    this.#socket = null;
    socket?.close();
  }

  #setState(state: LiveState): void {
    if (state === this.#state) return;
    this.#state = state;
    this.#changed.emit();
  }
}

function parseMessage(data: unknown): LiveMessage | null {
  const message = typeof data === 'string' ? asRecord(parseJson(data)) : {};
  return typeof message['type'] === 'string' ? (message as LiveMessage) : null;
}
