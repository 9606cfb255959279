// What a submission costs Redis, from being submitted to being done: counted by Redis itself, what its
// scripts do included.
import { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { SubmissionQueue } from '#core/ports/submission-queue.ts';
import { startRedis, withoutRedis, type RedisServer } from '#test/faults/redis-server.ts';
import { submissionOf } from '#test/helpers/submissions.ts';
import { waitFor } from '#test/program/wait.ts';
import { createBullQueue } from './queue.ts';

const COMMANDS = 20;
/** What a worker does by itself: lists the adapters, looks for jobs that lost their worker. */
const OF_ITS_OWN = 60;

describe.skipIf(withoutRedis !== null).each([1, 8])('a submission to one of %i queues', (partitions) => {
  let redis: RedisServer;
  let client: Redis;
  let queue: SubmissionQueue;
  let done = 0;

  beforeAll(async () => {
    redis = await startRedis();
    client = new Redis(redis.url);
    queue = createBullQueue({ url: redis.url, partitions });
    queue.work({
      async carryOut() {
        done++;
        return { kind: 'done', outcomes: [], resolved: [] };
      },
      reject: () => Promise.reject(new Error('none is rejected')),
    });
    await submit();
    await waitFor('the worker to be there', () => done === 1);
  });
  afterAll(async () => {
    await queue.close();
    client.disconnect();
    await redis.remove();
  });

  const submit = () => queue.submit(submissionOf({ ownerId: `user_${done % 50}` }));
  async function commandsOf(load: () => Promise<void>): Promise<number> {
    await waitFor('nothing to be under way', async () =>
      (await queue.states()).every(({ waiting, active }) => waiting + active === 0),
    );
    await client.config('RESETSTAT');
    await load();
    const counts = (await client.info('commandstats')).matchAll(/^cmdstat_(.+?):calls=(\d+)/gm);
    return [...counts].reduce(
      (sum, [, name = '', calls]) => (/config|info/.test(name) ? sum : sum + Number(calls)),
      0,
    );
  }

  it.each([
    ['when many are under way', 64],
    ['when each waits for the one before', 1],
  ])(`costs no more than ${COMMANDS} commands %s`, async (_when, inFlight) => {
    const count = 600;
    const until = done + count;
    const commands = await commandsOf(async () => {
      let left = count;
      await Promise.all(
        Array.from({ length: inFlight }, async () => {
          while (left-- > 0) {
            const before = done;
            await submit();
            if (inFlight === 1) await waitFor('it to be done', () => done > before);
          }
        }),
      );
      await waitFor('all to be done', () => done === until);
    });
    expect(commands - OF_ITS_OWN).toBeLessThanOrEqual(count * COMMANDS);
    expect(commands).toBeGreaterThan(count * 10);
  });
});
