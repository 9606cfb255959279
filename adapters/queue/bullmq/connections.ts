// The two kinds of connection to Redis: one that would rather fail than wait, for those who submit, and one that waits and
// reconnects for as long as it takes, for those who work.
import { Redis } from 'ioredis';

/** Where the queue says what went wrong and healed. */
export interface QueueLog {
  info(details: object, message: string): void;
  warn(details: object, message: string): void;
}

/** A connection that said nothing for this long, although it was asked, is given up and opened anew. */
const SILENCE_MS = 15_000;
const MAX_RECONNECT_MS = 1000;

const reconnectDelay = (times: number): number => Math.min(25 * 2 ** Math.min(times, 10), MAX_RECONNECT_MS);

/** Commands that are not answered within `timeoutMs`, or cannot be sent, fail. */
export function connectProducer(url: string, timeoutMs: number): Redis {
  return new Redis(url, {
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    autoResendUnfulfilledCommands: false,
    commandTimeout: timeoutMs,
    socketTimeout: SILENCE_MS,
    retryStrategy: reconnectDelay,
  });
}

/** Commands wait for Redis, however long. */
export function connectWorker(url: string): Redis {
  return new Redis(url, {
    maxRetriesPerRequest: null,
    socketTimeout: SILENCE_MS,
    retryStrategy: reconnectDelay,
  });
}

/** Resolves when the connection can be used; rejects when it cannot be within `limitMs`, counted from when it broke. */
export function createReadiness(redis: Redis, limitMs: number): () => Promise<void> | void {
  let brokenAt = Date.now();
  let lastError: Error = new Error('not connected yet');
  redis.on('error', (error) => {
    lastError = error;
  });
  redis.on('close', () => {
    if (brokenAt === 0) brokenAt = Date.now();
  });
  redis.on('ready', () => {
    brokenAt = 0;
  });
  return () => {
    if (redis.status === 'ready') return;
    return waitUntilReady(redis, brokenAt + limitMs - Date.now(), () => lastError);
  };
}

function waitUntilReady(redis: Redis, leftMs: number, reason: () => Error): Promise<void> {
  if (leftMs <= 0 || redis.status === 'end') return Promise.reject(reason());
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => finish(() => reject(reason())), leftMs);
    const ready = () => finish(resolve);
    function finish(how: () => void): void {
      clearTimeout(timer);
      redis.off('ready', ready);
      how();
    }
    redis.setMaxListeners(0).once('ready', ready);
  });
}
