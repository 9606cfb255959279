// Connections to Redis, which reconnect by themselves, after at most a second.
import { Redis, type Cluster } from 'ioredis';
import { defined } from '#core/domain/filled.ts';

const FIRST_RETRY_MS = 25;
const MAX_RETRY_MS = 1000;

interface ConnectionOptions {
  /** What becomes of a command while Redis is away: it fails at once, or waits for as long as it takes. */
  whileAway: 'fail' | 'wait';
  /** A connection that was asked and answers nothing for this long is opened anew. */
  socketTimeoutMs?: number;
  /** A command that takes longer fails. */
  commandTimeoutMs?: number;
}

/** `url`: `redis://…` or `rediss://…`. */
export function connectRedis(url: string, options: ConnectionOptions): Redis {
  const { whileAway, socketTimeoutMs, commandTimeoutMs } = options;
  return new Redis(url, {
    retryStrategy: (times) => Math.min(FIRST_RETRY_MS * 2 ** Math.min(times, 10), MAX_RETRY_MS),
    ...(whileAway === 'wait'
      ? { maxRetriesPerRequest: null }
      : { maxRetriesPerRequest: 0, enableOfflineQueue: false, autoResendUnfulfilledCommands: false }),
    ...defined({ socketTimeout: socketTimeoutMs, commandTimeout: commandTimeoutMs }),
  });
}

/** The servers that take writes: one, or each that a Redis Cluster has. */
export function serversOf(redis: Redis | Cluster): Redis[] {
  return redis instanceof Redis ? [redis] : redis.nodes('master');
}
