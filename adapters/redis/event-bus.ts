// The event bus of many processes, over Redis pub/sub. This process's subscribers hear at once, whatever Redis does; the others
// hear through Redis, at most once. Whoever may have missed something is told so when Redis is back.
import { randomUUID } from 'node:crypto';
import { Redis } from 'ioredis';
import type { BusEvent, EventBus } from '#core/ports/event-bus.ts';
import { readMessage, writeMessage } from './event-message.ts';

interface BusLog {
  info(details: object, message: string): void;
  warn(details: object, message: string): void;
}

export interface RedisEventBusOptions {
  /** `redis://…` or `rediss://…`. */
  url: string;
  log?: BusLog;
  /** What the channels begin with. */
  prefix?: string;
}

/** How often it is proved that what is published comes back; unproved for {@link SILENCE_MS}, the bus counts as disconnected. */
const BEAT_MS = 1000;
const SILENCE_MS = 2500;
/** The same while it is disconnected, so that it is noticed soon when Redis is back. */
const EAGER_BEAT_MS = 100;
const MAX_RECONNECT_MS = 1000;
const FORGET: readonly BusEvent[] = [
  { kind: 'access', userId: null },
  { kind: 'reset', ownerId: null },
];

const retryStrategy = (times: number): number => Math.min(25 * 2 ** Math.min(times, 10), MAX_RECONNECT_MS);

export function createRedisEventBus({ url, log, prefix = 'qinbox' }: RedisEventBusOptions): EventBus {
  const origin = randomUUID();
  const channel = `${prefix}:events`;
  const beatChannel = `${prefix}:beat:${origin}`;
  const subscribers = new Set<(event: BusEvent) => void>();
  let connected = false;
  let heardAt = performance.now();
  /** An event of ours did not reach the others. */
  let unheard = false;
  let closed = false;

  const publisher = new Redis(url, {
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    autoResendUnfulfilledCommands: false,
    socketTimeout: SILENCE_MS * 2,
    retryStrategy,
  });
  const listener = new Redis(url, { maxRetriesPerRequest: null, retryStrategy });
  for (const redis of [publisher, listener]) {
    redis.on('error', (error) => {
      if (!closed) log?.warn({ err: error }, 'the event bus cannot be reached');
    });
    redis.on('close', lose);
  }
  listener.subscribe(channel, beatChannel).catch(ignore);
  listener.on('message', (from, text) => {
    if (from === beatChannel) hearBeat();
    else hear(text);
  });
  let beating: NodeJS.Timeout | undefined;
  beat();

  function deliver(event: BusEvent): void {
    for (const subscriber of subscribers) subscriber(event);
  }

  function hear(text: string): void {
    const message = readMessage(text);
    if (message === null) log?.warn({}, 'the event bus heard something that is no event');
    else if (message.origin !== origin) deliver(message.event);
  }

  function send(event: BusEvent): void {
    if (publisher.status !== 'ready') unheard = true;
    else
      publisher.publish(channel, writeMessage({ origin, event })).catch(() => {
        unheard = true;
      });
  }

  // A beat goes the way that events go, there and back: only its return proves that they do.
  function beat(): void {
    const silentMs = performance.now() - heardAt;
    if (silentMs > SILENCE_MS) lose();
    beating = setTimeout(beat, connected ? BEAT_MS : EAGER_BEAT_MS).unref();
    // A listener asks nothing and so never notices that nobody is at the other end.
    if (silentMs > 2 * SILENCE_MS && listener.status === 'ready') {
      heardAt = performance.now();
      listener.disconnect(true);
    }
    if (publisher.status === 'ready') publisher.publish(beatChannel, '').catch(ignore);
  }

  function hearBeat(): void {
    if (closed) return;
    if (performance.now() - heardAt > SILENCE_MS) lose();
    heardAt = performance.now();
    if (unheard) {
      unheard = false;
      for (const event of FORGET) send(event);
    }
    if (connected) return;
    connected = true;
    log?.info({}, 'the event bus is connected');
    for (const event of FORGET) deliver(event);
  }

  function lose(): void {
    if (!connected || closed) return;
    connected = false;
    log?.warn({}, 'the event bus lost its connection');
  }

  return {
    publish(event) {
      deliver(event);
      if (!closed) send(event);
    },
    subscribe(subscriber) {
      subscribers.add(subscriber);
      return () => subscribers.delete(subscriber);
    },
    isConnected: () => connected && performance.now() - heardAt <= SILENCE_MS,
    async close() {
      if (closed) return;
      closed = true;
      connected = false;
      clearTimeout(beating);
      subscribers.clear();
      // What was published last is on its way already; `quit` would wait for a Redis that does not answer.
      publisher.disconnect();
      listener.disconnect();
    },
  };
}

function ignore(): void {
  // Said by the connection's own error already.
}
