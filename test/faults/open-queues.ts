// Queues over BullMQ for the tests of a file: each test has keys of its own, and what it opens is closed.
import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach } from 'vitest';
import { createBullQueue, type BullQueueOptions } from '#adapters/redis/queue/queue.ts';
import type { SubmissionQueue } from '#core/ports/submission-queue.ts';

export interface OpenQueues {
  /** What the keys of the present test begin with. */
  prefix: string;
  /** In the order in which they were opened. */
  opened: SubmissionQueue[];
  open(options?: Partial<BullQueueOptions>): SubmissionQueue;
}

/** To be called where the tests are described. `url`: of the Redis, once it is started. */
export function openQueues(url: () => string): OpenQueues {
  const queues: OpenQueues = {
    prefix: '',
    opened: [],
    open(options) {
      const queue = createBullQueue({ url: url(), prefix: queues.prefix, backoffMs: 5, ...options });
      queues.opened.push(queue);
      return queue;
    },
  };
  beforeEach(() => {
    queues.prefix = randomUUID();
  });
  afterEach(async () => {
    await Promise.all(queues.opened.splice(0).map((each) => each.close()));
  });
  return queues;
}
