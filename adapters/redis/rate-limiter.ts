// Rate limits counted in Redis: exact over any number of processes. While Redis does not answer, each process counts on by
// itself, from what it has counted so far, and nobody is kept waiting.
//
// Windows are timed by Redis: it is the one clock that all processes share.
import { Redis } from 'ioredis';
import type { RateLimiter, RateVerdict, RateWindow } from '#core/ports/rate-limiter.ts';
import { TAKE, TAKE_SHA } from './rate-limiter-script.ts';

interface LimiterLog {
  info(details: object, message: string): void;
  warn(details: object, message: string): void;
}

export interface RedisRateLimiterOptions {
  /** `redis://…` or `rediss://…`. */
  url: string;
  /** Counts in this process: beside Redis, so that it knows where to go on, and instead of it. */
  fallback: RateLimiter;
  log?: LimiterLog;
  /** What all keys begin with. */
  prefix?: string;
}

/** A request waits this long for Redis. */
const PATIENCE_MS = 200;
/** How often a Redis that did not answer is asked again. */
const PROBE_MS = 500;
const MAX_RECONNECT_MS = 1000;

export interface RedisRateLimiter extends RateLimiter {
  /** Whether the count is shared right now. */
  isShared(): boolean;
  close(): Promise<void>;
}

export function createRedisRateLimiter(options: RedisRateLimiterOptions): RedisRateLimiter {
  const { url, fallback, log, prefix = 'qinbox' } = options;
  let shared = false;
  let probe: NodeJS.Timeout | undefined;
  let closed = false;
  let begun: () => void = ignore;
  /** Until Redis was reached for the first time, a request waits for it as it waits for an answer. */
  let beginning: Promise<void> | undefined = new Promise((resolve) => (begun = resolve));

  const redis = new Redis(url, {
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    autoResendUnfulfilledCommands: false,
    socketTimeout: 5000,
    retryStrategy: (times) => Math.min(25 * 2 ** Math.min(times, 10), MAX_RECONNECT_MS),
  });
  redis.on('error', lose);
  redis.on('close', () => lose(new Error('the connection was closed')));
  redis.on('ready', regain);

  function regain(): void {
    clearTimeout(probe);
    if (shared || closed) return;
    shared = true;
    begun();
    beginning = undefined;
    log?.info({}, 'rate limits are counted in Redis');
  }

  function lose(error: unknown): void {
    if (!shared || closed) return;
    shared = false;
    log?.warn({ err: error }, 'Redis does not answer; this process counts rate limits by itself');
    ask();
  }

  function ask(): void {
    clearTimeout(probe);
    probe = setTimeout(() => {
      ask();
      redis.ping().then(regain, ignore);
    }, PROBE_MS);
    probe.unref();
  }

  async function count(bucket: string, windows: readonly RateWindow[]): Promise<RateVerdict> {
    const keys = windows.map(({ name }) => `${prefix}:limit:{${bucket}}:${name}`);
    const limits = windows.flatMap(({ limit, seconds }) => [limit, Math.ceil(seconds * 1000)]);
    const answer = (await redis.evalsha(TAKE_SHA, keys.length, ...keys, ...limits).catch((error: unknown) => {
      if (error instanceof Error && error.message.startsWith('NOSCRIPT'))
        return redis.eval(TAKE, keys.length, ...keys, ...limits);
      throw error;
    })) as number[];
    return {
      allowed: answer[0] === 1,
      states: windows.map((window, index) => ({
        window,
        remaining: Math.max(0, window.limit - (answer[2 * index + 1] ?? 0)),
        resetMs: answer[2 * index + 2] ?? 0,
      })),
    };
  }

  /** So that this process knows where to go on when Redis is lost. Redis has counted: what fails here refuses nobody. */
  async function countBeside(bucket: string, windows: readonly RateWindow[]): Promise<void> {
    try {
      await fallback.take(bucket, windows);
    } catch (error) {
      log?.warn({ err: error }, 'a request that Redis counted could not be counted in this process');
    }
  }

  return {
    async take(bucket, windows) {
      if (beginning !== undefined) await within(beginning).catch(() => (beginning = undefined));
      if (!shared) return fallback.take(bucket, windows);
      let verdict: RateVerdict;
      try {
        verdict = await within(count(bucket, windows));
      } catch (error) {
        lose(error);
        return fallback.take(bucket, windows);
      }
      if (verdict.allowed) await countBeside(bucket, windows);
      return verdict;
    },

    isShared: () => shared,

    async close() {
      closed = true;
      shared = false;
      clearTimeout(probe);
      redis.disconnect();
    },
  };
}

/** Rejects when the answer takes too long. An answer that is here already, but was not read yet, still counts. */
function within<T>(answer: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      setImmediate(() => reject(new Error(`no answer in ${PATIENCE_MS} ms`)));
    }, PATIENCE_MS);
    answer.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

function ignore(): void {
  // Asked again soon.
}
