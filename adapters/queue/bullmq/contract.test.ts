// The queue over BullMQ keeps the promises of the port.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe } from 'vitest';
import { describeIngestQueue } from '#test/contract/ingest-queue.suite.ts';
import { startRedis, withoutRedis, type RedisServer } from '#test/faults/redis-server.ts';
import { createBullQueue } from './adapter.ts';

describe.skipIf(withoutRedis !== null)('on a Redis', () => {
  let redis: RedisServer;
  beforeAll(async () => {
    redis = await startRedis();
  });
  afterAll(() => redis.remove());

  describeIngestQueue('BullMQ', {
    async create() {
      const queue = createBullQueue({
        url: redis.url,
        prefix: randomUUID(),
        backoffMs: 5,
        concurrency: 8,
        perOwner: 4,
      });
      return { queue, dispose: () => queue.close() };
    },
  });
});
