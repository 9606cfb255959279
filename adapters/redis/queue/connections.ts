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
  const waiting = new Set<() => void>();
  let brokenAt = performance.now();
  let broken = true;
  let lastError: Error = new Error('not connected yet');

  redis.on('error', (error) => {
    lastError = error;
  });
  redis.on('close', () => {
    if (!broken) brokenAt = performance.now();
    broken = true;
  });
  redis.on('ready', () => {
    broken = false;
    for (const go of waiting) go();
  });

  function wait(leftMs: number): Promise<void> {
    if (leftMs <= 0 || redis.status === 'end') return Promise.reject(lastError);
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => finish(() => reject(lastError)), leftMs);
      const go = () => finish(resolve);
      function finish(how: () => void): void {
        clearTimeout(timer);
        waiting.delete(go);
        how();
      }
      waiting.add(go);
    });
  }

  return () => {
    if (redis.status === 'ready') return;
    return wait((broken ? brokenAt : performance.now()) + limitMs - performance.now());
  };
}

/** Asks, and rejects when the answer takes longer than `limitMs`. */
export async function answerWithin<T>(limitMs: number, ask: () => Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer in ${limitMs} ms`)), limitMs);
  });
  try {
    return await Promise.race([ask(), late]);
  } finally {
    clearTimeout(timer);
  }
}
