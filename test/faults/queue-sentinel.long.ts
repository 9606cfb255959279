// The queue behind a sentinel while the primary is lost. How long a fail-over takes is up to the sentinel,
// which waits with everything while it is not given the processor.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createBullQueue } from '#adapters/redis/queue/queue.ts';
import { submissionOf } from '#test/helpers/submissions.ts';
import { submitTo, workOn } from './queue-load.ts';
import { withoutRedis } from './redis-server.ts';
import { startRedisWithSentinel, type RedisServers } from './redis-servers.ts';

const PATIENCE_MS = 120_000;

describe.skipIf(withoutRedis !== null)('behind a sentinel', () => {
  let servers: RedisServers;
  beforeAll(async () => {
    servers = await startRedisWithSentinel();
  });
  afterAll(() => servers.remove());

  it('loses the primary, takes submissions again when the replica has taken over, and carries out what it had', async () => {
    const producer = createBullQueue({ url: servers.url });
    const worker = createBullQueue({ url: servers.url, lockMs: 1000, stalledCheckMs: 250 });
    const [primary] = servers.clients;
    const load = submitTo(producer, () => submissionOf(), PATIENCE_MS);
    try {
      await load.many(100);
      expect(await primary?.wait(1, PATIENCE_MS)).toBe(1);
      await servers.services[0]?.kill();
      const done = workOn(worker);
      await load.untilOneIsTaken();
      await load.untilAllAreIn(done);
      expect(new Set(done).size).toBe(done.length);
    } finally {
      await producer.close();
      await worker.close();
    }
  });
});
