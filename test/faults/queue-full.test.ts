// Redis is full: submissions are refused while workers have room, and what was taken is carried out, once.
import { Redis } from 'ioredis';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createBullQueue } from '#adapters/redis/queue/queue.ts';
import { createOutages, onceAState } from '#api/health/outages.ts';
import type { Submission } from '#core/domain/submission.ts';
import type { SubmissionQueue } from '#core/ports/submission-queue.ts';
import { insertOf, newOwner } from '#test/helpers/records.ts';
import { submissionOf } from '#test/helpers/submissions.ts';
import { waitFor } from '#test/program/wait.ts';
import { startRedis, withoutRedis, type RedisServer } from './redis-server.ts';

const ROOM_BYTES = 6 * 2 ** 20;

describe.skipIf(withoutRedis !== null)('a queue whose Redis is full', { timeout: 900_000 }, () => {
  let redis: RedisServer;
  let client: Redis;
  let queue: SubmissionQueue;
  let logged: string[];
  let done: string[];

  beforeEach(async () => {
    redis = await startRedis();
    client = new Redis(redis.url);
    logged = [];
    done = [];
    const log = (_fields: object, message: string) => void logged.push(message);
    const states = { debug: log, info: log, warn: log, error: log };
    queue = createBullQueue({
      url: redis.url,
      log: onceAState(states, createOutages({ ...states, info: () => undefined })),
    });
    await limit(ROOM_BYTES);
  });
  afterEach(async () => {
    await queue.close();
    client.disconnect();
    await redis.remove();
  });

  async function limit(roomBytes: number): Promise<void> {
    const used = Number(/used_memory:(\d+)/.exec(await client.info('memory'))?.[1]);
    await client.config('SET', 'maxmemory', roomBytes === 0 ? 0 : used + roomBytes);
  }
  const owners = Array.from({ length: 5 }, newOwner);
  function submission(index: number): Submission {
    const content = `${index} ${'x'.repeat(10_000)}`;
    return submissionOf({ ownerId: owners[index % 5] ?? '', inserts: [insertOf({ content })] });
  }
  /** Submits until one is refused; what was taken, and the refusal. */
  async function fill(): Promise<{ taken: Submission[]; refusal: unknown }> {
    const taken: Submission[] = [];
    for (;;) {
      const next = submission(taken.length);
      const refusal: unknown = await queue.submit(next).then(
        () => null,
        (error: unknown) => error,
      );
      if (refusal !== null) return { taken, refusal };
      taken.push(next);
      // Asked for, the memory is read anew: at this pace and size, a second would fill all that is left.
      if (taken.length % 10 === 0) await queue.memory();
    }
  }
  const work = () =>
    queue.work({
      async carryOut({ requestId }) {
        done.push(requestId);
        return { kind: 'done', outcomes: [], resolved: [] };
      },
      reject: (_submission, fault) => Promise.reject(new Error('rejected', { cause: fault })),
    });
  const isWell = () =>
    queue.check().then(
      () => true,
      () => false,
    );
  const ids = (submissions: Submission[]) => submissions.map(({ requestId }) => requestId).toSorted();

  it('refuses submissions before workers lack room, says so, and takes them again once workers made room', async () => {
    const { taken, refusal } = await fill();
    expect(refusal).toMatchObject({ code: 'SERVICE_UNAVAILABLE', retryAfterSeconds: 10 });
    expect(taken.length).toBeGreaterThan(100);
    await expect(queue.check()).rejects.toThrow(/Redis is full .* workers run.* raise its maxmemory/);
    const memory = await queue.memory();
    expect((memory?.usedBytes ?? 0) / (memory?.limitBytes ?? 0)).toBeGreaterThan(0.85);
    expect((await queue.states()).map(({ waiting }) => waiting)).toEqual([taken.length]);

    work();
    await waitFor('all to be carried out', () => done.length >= taken.length);
    await waitFor('the queue to be well again', isWell);
    const last = submission(taken.length);
    await queue.submit(last);
    await waitFor('one more to be carried out', () => done.length > taken.length);
    expect(done.toSorted()).toEqual(ids([...taken, last]));
    expect(logged).toEqual([
      'Redis is full: submissions are refused until it has room',
      'Redis has room: submissions are taken again',
    ]);
  });

  it('is worked off, and seen, even when something else fills Redis to the brim', async () => {
    await limit(0);
    const taken = Array.from({ length: 200 }, (_, index) => submission(index));
    for (const each of taken) await queue.submit(each);
    for (let part = 0; part < 20; part++) await client.set(`else:${part}`, 'x'.repeat(100_000));
    // Less than something else has taken, so that what workers take out makes no room.
    await client.config('SET', 'maxmemory', 1_000_000);
    await expect(client.set('one', 'more')).rejects.toThrow('OOM');

    await expect(queue.submit(submission(200))).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    await expect(queue.check()).rejects.toThrow('Redis is full');
    expect((await queue.states()).map(({ waiting }) => waiting)).toEqual([taken.length]);
    work();
    await waitFor('all to be carried out', () => done.length >= taken.length);
    await expect(client.set('one', 'more')).rejects.toThrow('OOM');
    await limit(0);
    await waitFor('the queue to be well again', isWell);
    expect(done.toSorted()).toEqual(ids(taken));
  });

  it('asks no more than once a second, and logs once, while Redis refuses what its workers want', async () => {
    await queue.submit(submission(0));
    await client.config('SET', 'min-replicas-to-write', 1);
    const refusals = async () =>
      Number(/cmdstat_evalsha:.*rejected_calls=(\d+)/.exec(await client.info('commandstats'))?.[1] ?? 0) +
      Number(/cmdstat_evalsha:.*failed_calls=(\d+)/.exec(await client.info('commandstats'))?.[1] ?? 0);
    await client.config('RESETSTAT');
    const begun = performance.now();
    work();
    await waitFor('three attempts', async () => (await refusals()) >= 6);
    expect(performance.now() - begun).toBeGreaterThan(1500);
    await client.config('SET', 'min-replicas-to-write', 0);
    await waitFor('it to be carried out', () => done.length === 1);
    expect(logged).toEqual(['the queue worker met a fault']);
  });
});
