// The page's services, created once: session, API, clock, ticker, live socket.
import type { LiveMessage } from '#core/contract/index.ts';
import { API_BASE } from '#core/contract/protocol.ts';
import { createApi } from './api/client.ts';
import { Drafts } from './drafts.ts';
import { takeEarlyAnswer } from './early-answer.ts';
import { createEmitter } from './emitter.ts';
import { exclusively } from './exclusively.ts';
import { LiveSocket } from './live-socket.ts';
import { localStore } from './local-store.ts';
import { logFailure } from './log.ts';
import { ServerClock } from './server-clock.ts';
import { Session } from './session/session.ts';
import { Ticker } from './ticker.ts';

export const session = new Session(localStore, window);

export const serverClock = new ServerClock(() => Date.now(), localStore);
export const ticker = new Ticker(serverClock);

/** By the signed-in person. All who use an API key count as one, so their drafts end with the key. */
export const drafts = new Drafts(
  localStore,
  () => {
    const { method, user } = session.getState();
    return method === 'none' ? null : `${method} ${user?.id ?? ''}`;
  },
  serverClock,
);
let method = session.getState().method;
session.subscribe(() => {
  const before = method;
  ({ method } = session.getState());
  if (before === 'api_key' && method !== before) drafts.clear();
});

export const api = createApi({
  session,
  clock: serverClock,
  fetch: (url, init) => takeEarlyAnswer(url, init) ?? globalThis.fetch(url, init),
  exclusively: (work) => exclusively('qinbox.refresh', work),
  log: logFailure,
});

/** A message of the live socket, or `connected` after each connection. */
export type LiveEvent = LiveMessage | { type: 'connected' };

const liveEvents = createEmitter<[LiveEvent]>();

export const subscribeLive = liveEvents.subscribe;

export const live = new LiveSocket({
  url: () => `${location.protocol === 'https:' ? 'wss' : 'ws'}://${location.host}${API_BASE}/live`,
  ticket: async () => (await api('POST /live/ticket')).ticket,
  WebSocket,
  onMessage: (message) => {
    if (message.type === 'hello') serverClock.setExact(message.serverTime);
    liveEvents.emit(message);
  },
  onConnect: () => liveEvents.emit({ type: 'connected' }),
  onSignedOut: () => session.require(),
});
