// The processes of an installation, told through Redis: each stores its figures for a few seconds, and again
// before they expire. One that ends without a word is gone when they do.
import type { Log } from '#core/ports/log.ts';
import type { ProcessFigures, Processes } from '#core/ports/processes.ts';
import { withTimeLimit } from '#core/time-limit.ts';
import { connectRedis } from './connection.ts';

export interface RedisProcessesOptions {
  url: string;
  log?: Pick<Log, 'warn'>;
  /** Prefix of the keys. */
  prefix?: string;
  intervalMs?: number;
}

const INTERVAL_MS = 5000;
/** So many intervals may be missed. */
const MISSED = 3;
const ANSWER_MS = 1500;

export function createRedisProcesses(options: RedisProcessesOptions): Processes {
  const { url, log, prefix = 'qinbox', intervalMs = INTERVAL_MS } = options;
  const redis = connectRedis(url, {
    whileAway: 'fail',
    commandTimeoutMs: ANSWER_MS,
    socketTimeoutMs: 2 * ANSWER_MS,
  });
  redis.on('error', (error) => {
    if (!closed) log?.warn({ err: error }, 'the other processes cannot be told of this one');
  });
  // In braces, so that all are on one shard of a Redis Cluster.
  const names = `${prefix}:{processes}`;
  const keyOf = (instance: string) => `${names}:${instance}`;
  let read: (() => ProcessFigures) | undefined;
  let timer: NodeJS.Timeout | undefined;
  let closed = false;

  /** A failure needs no handling: it is told again soon. */
  async function tell(): Promise<void> {
    if (read === undefined || closed) return;
    const own = read();
    if (redis.status === 'ready')
      await redis
        .multi()
        .sadd(names, own.instance)
        .set(keyOf(own.instance), JSON.stringify(own), 'PX', intervalMs * MISSED)
        .exec()
        .catch(() => undefined);
  }

  async function others(): Promise<ProcessFigures[]> {
    const known = await redis.smembers(names);
    if (known.length === 0) return [];
    const found = await redis.mget(known.map(keyOf));
    const gone = known.filter((_, index) => found[index] === null);
    if (gone.length > 0) await redis.srem(names, gone);
    return found.flatMap((text) => (text === null ? [] : [JSON.parse(text) as ProcessFigures]));
  }

  async function close(): Promise<void> {
    clearInterval(timer);
    const instance = read?.().instance;
    closed = true;
    if (instance !== undefined && redis.status === 'ready')
      await withTimeLimit(ANSWER_MS, redis.multi().srem(names, instance).del(keyOf(instance)).exec()).catch(
        () => undefined,
      );
    redis.disconnect();
  }

  let closing: Promise<void> | undefined;
  return {
    announce(own) {
      read = own;
      redis.once('ready', () => void tell());
      timer ??= setInterval(() => void tell(), intervalMs).unref();
      void tell();
    },
    async list() {
      const own = read?.();
      const all = await (redis.status === 'ready' ? others() : Promise.resolve([])).catch(() => []);
      const rest = all.filter(({ instance }) => instance !== own?.instance);
      return [...rest, ...(own === undefined ? [] : [own])].toSorted((a, b) =>
        a.instance < b.instance ? -1 : 1,
      );
    },
    close: () => (closing ??= close()),
  };
}
