// Rate limits in Redis keep the promises of the port over several processes, and go on without Redis.
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { Redis } from 'ioredis';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { describeRateLimiter } from '#test/contract/rate-limiter.suite.ts';
import { startRedis, withoutRedis, type RedisServer } from '#test/faults/redis-server.ts';
import { plainEnvironment, root, startScript } from '#test/program/program.ts';
import { systemClock } from '#core/system-clock.ts';
import type { RateLimiter } from '#core/ports/rate-limiter.ts';
import { waitFor } from '#test/program/wait.ts';
import { createLocalRateLimiter } from '../memory/rate-limiter.ts';
import { createRedisRateLimiter } from './rate-limiter.ts';

/** A log of a limiter, by which a test sees whether the count is shared. */
function createLog() {
  const messages: string[] = [];
  const write = (_fields: object, message: string) => void messages.push(message);
  return { info: write, warn: write, isShared: () => messages.at(-1) === 'rate limits are counted in Redis' };
}

const WINDOW = { name: 'minute', limit: 100, seconds: 60 };

describe.skipIf(withoutRedis !== null)('on a Redis', () => {
  let redis: RedisServer;
  let client: Redis;
  let prefix: string;

  beforeAll(async () => {
    redis = await startRedis();
  });
  afterAll(() => redis.remove());
  beforeEach(() => {
    prefix = randomUUID();
  });

  const create = (log = createLog()) =>
    createRedisRateLimiter({ url: redis.url, prefix, fallback: createLocalRateLimiter(systemClock), log });

  async function serverTimeMs(): Promise<number> {
    const [seconds, micros] = await client.time();
    return Number(seconds) * 1000 + Number(micros) / 1000;
  }

  describe('together', () => {
    beforeAll(() => {
      client = new Redis(redis.url);
    });
    afterAll(() => client.disconnect());

    describeRateLimiter('Redis', {
      async create() {
        const limiters = [create(), create()];
        return {
          limiters,
          async pass(ms) {
            const until = (await serverTimeMs()) + ms;
            await waitFor('time to pass', async () => (await serverTimeMs()) > until);
          },
          // Nobody sets the clock of a Redis here; what is kept in it then looks as if it had longer to live.
          async setBack(ms) {
            for (const key of await client.keys(`${prefix}:*`))
              await client.pexpire(key, (await client.pttl(key)) + ms);
          },
          async dispose() {
            await Promise.all(limiters.map((limiter) => limiter.close()));
          },
        };
      },
    });

    it('lets 100 through of what two processes ask for, 8 at once each', async () => {
      const env = plainEnvironment({ REDIS_URL: redis.url, PREFIX: prefix });
      const script = `${root}/test/faults/limiter-process.ts`;
      const children = await Promise.all([1, 2].map(() => startScript(script, [], env)));
      await Promise.all(children.map(({ child }) => once(child, 'exit')));
      const allowed = children.map(({ output }) => Number(output()));
      expect(allowed.reduce((sum, one) => sum + one)).toBe(100);
    });

    it('keeps counting in Redis when the count in this process fails', async () => {
      const fallback = {
        ...createLocalRateLimiter(systemClock),
        take: () => {
          throw new Error('the count in this process is broken');
        },
      };
      const connected = Promise.withResolvers<void>();
      const warn = (_fields: object, message: string) => void warnings.push(message);
      const warnings: string[] = [];
      const log = { info: () => connected.resolve(), warn };
      const limiter = createRedisRateLimiter({ url: redis.url, prefix, fallback, log });
      await connected.promise;
      expect(await limiter.take('a', [WINDOW])).toMatchObject({
        allowed: true,
        states: [{ remaining: 99 }],
      });
      expect(warnings).toEqual(['a request that Redis counted could not be counted in this process']);
      await limiter.close();
    });

    it('leaves nothing behind in Redis once the windows have ended', async () => {
      const limiter = create();
      await limiter.take('a', [{ name: 'brief', limit: 9, seconds: 0.1 }]);
      const keys = () => client.keys(`${prefix}:*`);
      expect(await keys()).toHaveLength(1);
      await waitFor('the keys to go', async () => (await keys()).length === 0);
      await limiter.close();
    });
  });

  describe('when Redis fails', () => {
    let limiter: RateLimiter;
    let log: ReturnType<typeof createLog>;
    beforeEach(async () => {
      log = createLog();
      limiter = create(log);
      await waitFor('the limiter to be connected', log.isShared);
    });
    afterEach(async () => {
      redis.resume();
      await redis.start();
      await limiter.close();
    });

    async function setMemory(bytes: number): Promise<void> {
      const own = new Redis(redis.url);
      await own.config('SET', 'maxmemory', bytes);
      own.disconnect();
    }
    async function allowedOf(times: number): Promise<number> {
      let allowed = 0;
      for (let time = 0; time < times; time++) if ((await limiter.take('a', [WINDOW])).allowed) allowed++;
      return allowed;
    }

    it.each([
      ['hangs', async () => redis.pause(), async () => redis.resume()],
      ['is full', () => setMemory(1), () => setMemory(0)],
      ['is gone', () => redis.kill(), () => redis.start()],
    ])('counts on in this process while it %s, and together when it is back', async (_how, fail, heal) => {
      expect(await allowedOf(60)).toBe(60);
      await fail();
      // One request may wait for Redis; those after it wait for nothing, and so are answered before any timer
      // goes off.
      expect(await allowedOf(1)).toBe(1);
      expect(log.isShared()).toBe(false);
      const waited = new Promise<string>((resolve) => setTimeout(resolve, 0, 'waited'));
      expect(await Promise.race([waited, allowedOf(59)])).toBe(39);
      await heal();
      await waitFor('the count to be shared', log.isShared);
      expect((await limiter.take('b', [WINDOW])).allowed).toBe(true);
    });
  });
});
