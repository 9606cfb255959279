// Rate limits counted in Redis, by its clock: exact over any number of processes. While Redis does not
// answer, each process goes on counting by itself, from its own count so far, and no request waits.
import { createHash } from 'node:crypto';
import type { Log } from '#core/ports/log.ts';
import type { RateLimiter, RateVerdict, RateWindow } from '#core/ports/rate-limiter.ts';
import { withTimeLimit } from '#core/time-limit.ts';
import { connectRedis } from './connection.ts';

export interface RedisRateLimiterOptions {
  url: string;
  /** Counts in this process: always, so that it knows where to go on, and alone while Redis is away. */
  fallback: RateLimiter;
  log?: Pick<Log, 'info' | 'warn'>;
  /** Prefix of all keys. */
  prefix?: string;
}

/** A request waits this long for Redis. */
const ANSWER_MS = 200;
/** How often a Redis that did not answer is asked again. */
const PROBE_MS = 500;
/** By counting: a Redis that is full or read-only answers a ping. */
const PROBE: RateWindow = { name: 'probe', limit: 1000, seconds: 1 };
const SOCKET_TIMEOUT_MS = 5000;

// Counts one request in all windows or in none, in one step.
// A window is a key whose time to live is the rest of the window. A key with more left than the window is
// long was written before the wall clock of Redis was set back; its window has ended. KEYS: one for each
// window. ARGV: limit and milliseconds of each. Answers 1 or 0, then for each window how many were used and
// how many milliseconds are left.
const TAKE = `
local states, allowed = {}, 1
for i, key in ipairs(KEYS) do
  local used, length = tonumber(redis.call('GET', key) or 0), tonumber(ARGV[2 * i])
  local left = redis.call('PTTL', key)
  if left < 0 or left > length then used, left = 0, length end
  if used >= tonumber(ARGV[2 * i - 1]) then allowed = 0 end
  states[i] = { used, left }
end
local answer = { allowed }
for i, key in ipairs(KEYS) do
  local used, left = states[i][1], states[i][2]
  if allowed == 1 then
    used = used + 1
    if used == 1 then redis.call('SET', key, 1, 'PX', left) else redis.call('INCR', key) end
  end
  answer[2 * i], answer[2 * i + 1] = used, left
end
return answer`;

const TAKE_SHA = createHash('sha1').update(TAKE).digest('hex');

export function createRedisRateLimiter(options: RedisRateLimiterOptions): RateLimiter {
  const { url, fallback, log, prefix = 'qinbox' } = options;
  let shared = false;
  let probe: NodeJS.Timeout | undefined;
  let closed = false;
  const reached = Promise.withResolvers<void>();
  /** Until Redis was reached for the first time, requests wait for it as they wait for an answer. */
  let starting = true;

  const redis = connectRedis(url, { whileAway: 'fail', socketTimeoutMs: SOCKET_TIMEOUT_MS });
  redis.on('error', lose);
  redis.on('close', () => lose(new Error('the connection was closed')));
  redis.on('ready', regain);

  function regain(): void {
    clearTimeout(probe);
    if (shared || closed) return;
    shared = true;
    starting = false;
    reached.resolve();
    log?.info({}, 'rate limits are counted in Redis');
  }

  function lose(error: unknown): void {
    if (!shared || closed) return;
    shared = false;
    const isOver = () => shared;
    log?.warn({ err: error, isOver }, 'Redis does not answer; this process counts rate limits by itself');
    probeLater();
  }

  function probeLater(): void {
    clearTimeout(probe);
    probe = setTimeout(() => {
      probeLater();
      count('probe', [PROBE]).then(regain, () => undefined);
    }, PROBE_MS).unref();
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

  /** Redis has counted already, so a failure here refuses no request. */
  async function countHere(bucket: string, windows: readonly RateWindow[]): Promise<void> {
    try {
      await fallback.take(bucket, windows);
    } catch (error) {
      log?.warn({ err: error }, 'a request that Redis counted could not be counted in this process');
    }
  }

  return {
    async take(bucket, windows) {
      if (starting)
        await withTimeLimit(ANSWER_MS, reached.promise, () => {
          starting = false;
        });
      if (!shared) return fallback.take(bucket, windows);
      let verdict: RateVerdict;
      try {
        verdict = await withTimeLimit(ANSWER_MS, count(bucket, windows));
      } catch (error) {
        lose(error);
        return fallback.take(bucket, windows);
      }
      if (verdict.allowed) await countHere(bucket, windows);
      return verdict;
    },

    async close() {
      closed = true;
      shared = false;
      clearTimeout(probe);
      redis.disconnect();
    },
  };
}
