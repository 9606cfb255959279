// The queue behind a sentinel while the primary is lost. How long a fail-over takes is up to the sentinel,
// which waits with everything while it is not given the processor.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createBullQueue } from '#adapters/redis/queue/queue.ts';
import { submissionOf } from '#test/helpers/submissions.ts';
import { waitFor } from '#test/program/wait.ts';
import { workOn } from './queue-load.ts';
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
    const answered: string[] = [];
    const tried: string[] = [];
    async function submit(): Promise<void> {
      const submission = submissionOf();
      tried.push(submission.requestId);
      await producer.submit(submission);
      answered.push(submission.requestId);
    }
    try {
      for (let index = 0; index < 100; index++) await submit();
      expect(await primary?.wait(1, PATIENCE_MS)).toBe(1);
      await servers.services[0]?.kill();
      const done = workOn(worker);
      await waitFor(
        'submissions to be taken again',
        async () => {
          await submit().catch((error: unknown) =>
            expect(error).toMatchObject({ code: 'SERVICE_UNAVAILABLE' }),
          );
          return answered.length > 100;
        },
        PATIENCE_MS,
      );
      await waitFor('all to be carried out', () => answered.every((id) => done.includes(id)), PATIENCE_MS);
      expect(done.filter((id) => !tried.includes(id))).toEqual([]);
      expect(new Set(done).size).toBe(done.length);
    } finally {
      await producer.close();
      await worker.close();
    }
  });
});
