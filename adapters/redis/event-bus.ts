// The event bus of many processes, over Redis pub/sub. Subscribers of this process receive events at once,
// other processes through Redis, at most once. After a gap, all who may have missed an event get a `reset`.
// Events of an owner go over the channel of the owner's hash, which one server of a cluster has (shards.ts);
// those of everybody over one that all hear, where older versions of the program send all they have to say.
import { randomUUID } from 'node:crypto';
import type { Redis } from 'ioredis';
import { defined } from '#core/domain/filled.ts';
import type { BusEvent, EventBus } from '#core/ports/event-bus.ts';
import type { Log } from '#core/ports/log.ts';
import { withTimeLimit } from '#core/time-limit.ts';
import { connectRedis, isCluster, serversOf } from './connection.ts';
import { SILENCE_MS, startHeartbeat } from './heartbeat.ts';
import { createLiveChannels } from './live-channels.ts';
import { createShards } from './shards.ts';

export interface RedisEventBusOptions {
  url: string;
  log?: Pick<Log, 'info' | 'warn'>;
  /** Prefix of the channels. */
  prefix?: string;
  /** How long a channel that nobody watches any more is heard. */
  leaveAfterMs?: number;
}

const SILENT_SERVER =
  'a server of the Redis Cluster does not answer, and changes of some owners are not heard';

/** Events that make subscribers fetch everything again. */
const AFTER_GAP: readonly BusEvent[] = [
  { kind: 'access', userId: null },
  { kind: 'reset', ownerId: null },
];

export function createRedisEventBus(options: RedisEventBusOptions): EventBus {
  const { url, log, prefix = 'qinbox', leaveAfterMs } = options;
  const origin = randomUUID();
  const common = `${prefix}:events`;
  const beatChannel = `${prefix}:beat:${origin}`;
  const subscribers = new Set<(event: BusEvent) => void>();
  /** An event of this process did not reach the others. */
  let undelivered = false;
  let closed = false;
  let received = 0;
  let lastFault: Error | null = null;
  let wasConnected = false;

  const { publisher, listener } = connect(url, (error) => {
    // Once for a bus that was never connected; later, the change is logged.
    if (!closed && lastFault === null && !wasConnected)
      log?.warn({ err: error }, 'the event bus cannot be reached');
    lastFault = error;
  });
  const onGap = () => deliver({ kind: 'reset', ownerId: null });
  const shards = isCluster(listener)
    ? createShards({ publisher, listener, beats: beatChannel, onMessage: receive, onGap })
    : null;
  const sender = createSender({ publisher, common, isSharded: shards !== null }, () => (undelivered = true));
  listener.on('message', (from, text) => {
    if (from !== beatChannel) receive(text);
  });
  const channels = createLiveChannels({
    listener: shards ?? listener,
    prefix,
    common,
    onLate: onGap,
    ...defined({ leaveAfterMs }),
  });
  const heartbeat = startHeartbeat({
    publisher,
    listener,
    channel: beatChannel,
    others: [common],
    onBeat() {
      if (!undelivered) return;
      undelivered = false;
      for (const event of AFTER_GAP) send(event);
    },
    onChange(connected) {
      wasConnected = true;
      if (connected) log?.info({}, 'the event bus is connected');
      else log?.warn(lossOf(lastFault, heartbeat), 'the event bus lost its connection');
      if (connected) for (const event of AFTER_GAP) deliver(event);
    },
  });

  const silent = (): number => shards?.silent() ?? 0;

  function deliver(event: BusEvent): void {
    for (const subscriber of subscribers) subscriber(event);
  }

  function receive(text: string): void {
    const message = readMessage(text);
    if (message === null) log?.warn({}, 'the event bus received something that is no event');
    else if (message.origin !== origin) {
      received++;
      deliver(message.event);
    }
  }

  function send(event: BusEvent): void {
    sender.send(channels.of(ownerOf(event)), JSON.stringify({ origin, event }));
  }

  return {
    publish(event) {
      deliver(event);
      if (!closed) send(event);
    },
    flush: sender.flush,
    subscribe(subscriber) {
      subscribers.add(subscriber);
      return () => subscribers.delete(subscriber);
    },
    watch: (ownerId) => channels.watch(ownerId),
    isConnected: () => heartbeat.isConnected() && silent() === 0,
    received: () => received,
    fault: () => (heartbeat.isConnected() && silent() > 0 ? new Error(SILENT_SERVER) : lastFault),
    async close() {
      if (closed) return;
      closed = true;
      heartbeat.stop();
      channels.close();
      shards?.close();
      subscribers.clear();
      // Commands are on their way already; `quit` would wait for a Redis that does not answer.
      publisher.disconnect();
      listener.disconnect();
    },
  };
}

/** Whose queue it is about; null for what all must hear. */
function ownerOf(event: BusEvent): string | null {
  if (event.kind === 'access' || event.kind === 'work') return null;
  return event.kind === 'task' ? event.task.ownerId : event.ownerId;
}

function connect(url: string, onError: (error: Error) => void) {
  const publisher = connectRedis(url, { whileAway: 'fail', socketTimeoutMs: SILENCE_MS * 2 });
  const listener = connectRedis(url, { whileAway: 'wait', hearsShards: true });
  for (const redis of [publisher, listener]) redis.on('error', onError);
  return { publisher, listener };
}

interface SenderParts {
  publisher: Redis;
  /** The channel that every process hears. */
  common: string;
  /** Whether the other channels are those of {@link createShards}. */
  isSharded: boolean;
}

/** Sends texts to channels; `onLost` hears of one that Redis did not get. */
function createSender({ publisher, common, isSharded }: SenderParts, onLost: () => void) {
  /** What Redis has not answered yet. */
  const sending = new Set<Promise<void>>();

  /** A client of a cluster connects to a server that hangs, and asks which has the slot, again and again. */
  const inTime = (answer: Promise<unknown>): Promise<unknown> => withTimeLimit(SILENCE_MS, answer);

  async function publish(channel: string, text: string): Promise<void> {
    if (!isSharded) return void (await publisher.publish(channel, text));
    // What the server of a slot does not take comes to all processes, whichever they watch.
    if (channel === common) await publishToAll(text);
    else await inTime(publisher.spublish(channel, text)).catch(() => publishToAll(text));
  }

  /** By one server of the cluster, or else by another. */
  async function publishToAll(text: string): Promise<void> {
    let fault: unknown;
    for (const server of serversOf(publisher))
      try {
        return void (await inTime(server.publish(common, text)));
      } catch (error) {
        fault = error;
      }
    throw fault;
  }

  return {
    send(channel: string, text: string): void {
      if (publisher.status !== 'ready') return onLost();
      const sent: Promise<void> = publish(channel, text)
        .catch(onLost)
        .finally(() => sending.delete(sent));
      sending.add(sent);
    },
    flush: async () => void (await Promise.all(sending)),
  };
}

/** The event and the process that published it; null for text of another version of the program. */
function readMessage(text: string): { origin: string; event: BusEvent } | null {
  let message: unknown;
  try {
    message = JSON.parse(text);
  } catch {
    return null;
  }
  if (!isObject(message) || typeof message['origin'] !== 'string' || !isEvent(message['event'])) return null;
  return { origin: message['origin'], event: message['event'] };
}

// Only this program writes to the channel, so only the fields that subscribers rely on are checked.
function isEvent(event: unknown): event is BusEvent {
  if (!isObject(event)) return false;
  switch (event['kind']) {
    case 'task':
      return (
        typeof event['type'] === 'string' &&
        isObject(event['task']) &&
        typeof event['task']['ownerId'] === 'string'
      );
    case 'reset':
      return isNameOrNull(event['ownerId']);
    case 'access':
      return isNameOrNull(event['userId']);
    case 'work':
      return Array.isArray(event['lanes']);
    default:
      return false;
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

function isNameOrNull(value: unknown): boolean {
  return value === null || typeof value === 'string';
}

/** What the log is told of a lost connection. */
function lossOf(fault: Error | null, { isConnected }: { isConnected: () => boolean }): object {
  return { err: fault ?? undefined, isOver: isConnected };
}
