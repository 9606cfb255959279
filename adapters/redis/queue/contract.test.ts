// The queue over BullMQ keeps the promises of the port.
import { randomUUID } from 'node:crypto';
import { describe } from 'vitest';
import { describeIngestQueue } from '#test/contract/submission-queue.suite.ts';
import { sharedRedis } from '#test/services/services.ts';
import { createBullQueue } from './queue.ts';

const redis = await sharedRedis();

describe.skipIf('missing' in redis)('on a Redis', () => {
  const url = 'url' in redis ? redis.url : '';

  describeIngestQueue('BullMQ', {
    async create() {
      const prefix = randomUUID();
      const queue = createBullQueue({ url, prefix, backoffMs: 5, concurrency: 8, ownerConcurrency: 4 });
      return { queue, dispose: () => queue.close() };
    },
  });
});
