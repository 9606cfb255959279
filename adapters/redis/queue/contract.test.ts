// The queue over BullMQ keeps the promises of the port.
import { randomUUID } from 'node:crypto';
import { describe } from 'vitest';
import { describeIngestQueue } from '#test/contract/submission-queue.suite.ts';
import { sharedRedis } from '#test/services/services.ts';
import { createBullQueue } from './queue.ts';

const redis = await sharedRedis();

describe.skipIf('missing' in redis)('on a Redis', () => {
  const url = 'url' in redis ? redis.url : '';

  const queues = [
    ['BullMQ', 1],
    ['BullMQ, several queues a way in', 5],
  ] as const;
  for (const [name, partitions] of queues)
    describeIngestQueue(name, {
      async create() {
        const limits = { concurrency: 8, ownerConcurrency: 4 };
        const queue = createBullQueue({ url, prefix: randomUUID(), backoffMs: 5, partitions, ...limits });
        return { queue, dispose: () => queue.close() };
      },
    });
});
