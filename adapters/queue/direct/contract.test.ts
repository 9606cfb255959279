// The direct queue keeps the promises of the port.
import { describeIngestQueue } from '#test/contract/ingest-queue.suite.ts';
import { createDirectQueue } from './adapter.ts';

describeIngestQueue('direct', {
  async create() {
    const queue = createDirectQueue();
    return { queue, dispose: () => queue.close() };
  },
});
