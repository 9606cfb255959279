// The direct queue keeps the promises of the port.
import { describeIngestQueue } from '#test/contract/submission-queue.suite.ts';
import { createDirectQueue } from './queue.ts';

describeIngestQueue('direct', {
  async create() {
    const queue = createDirectQueue();
    return { queue, dispose: () => queue.close() };
  },
});
