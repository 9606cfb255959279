// What is particular to the queue over BullMQ: retries, redeliveries, fairness, and Redis failing.
import { randomUUID } from 'node:crypto';
import { Redis } from 'ioredis';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { QinboxError } from '#core/errors.ts';
import type { SubmissionQueue, SubmissionHandler } from '#core/ports/submission-queue.ts';
import type { Submission } from '#core/domain/submission.ts';
import type { SubmissionOutcome } from '#core/domain/submission-outcome.ts';
import { createSlowHandler } from '#test/faults/queue-load.ts';
import { startRedis, withoutRedis, type RedisServer } from '#test/faults/redis-server.ts';
import { submissionOf } from '#test/helpers/submissions.ts';
import { waitFor } from '#test/program/wait.ts';
import { createBullQueue, type BullQueueOptions } from './queue.ts';

const DONE: SubmissionOutcome = { kind: 'done', outcomes: [], resolved: [] };
const CLAIM = { scope: 'intake:1', key: 'delivery 1', fingerprint: null };

/** Something that a handler does not expect. */
const broken = () => Promise.reject(new Error('the disk is on fire'));

describe.skipIf(withoutRedis !== null)('the queue over BullMQ', () => {
  let redis: RedisServer;
  let client: Redis;
  let prefix: string;
  let queue: SubmissionQueue;
  const opened: SubmissionQueue[] = [];

  beforeAll(async () => {
    redis = await startRedis();
    client = new Redis(redis.url, { maxRetriesPerRequest: null });
    client.on('error', () => null);
  });
  afterAll(async () => {
    client.disconnect();
    await redis.remove();
  });
  beforeEach(() => {
    prefix = randomUUID();
    queue = open();
  });
  afterEach(async () => {
    redis.resume();
    await redis.start();
    await Promise.all(opened.splice(0).map((each) => each.close()));
  });

  function open(options: Partial<BullQueueOptions> = {}): SubmissionQueue {
    const created = createBullQueue({ url: redis.url, prefix, backoffMs: 2, ...options });
    opened.push(created);
    return created;
  }
  const ignore = async () => {};
  function work(carryOut: SubmissionHandler['carryOut'], reject: SubmissionHandler['reject'] = ignore) {
    return queue.work({ carryOut, reject });
  }
  const stateOf = async (adapter = 'webhook') =>
    (await queue.states()).find((state) => state.adapter === adapter);
  const empty = () =>
    waitFor('the queue to be empty', async () => {
      const state = await stateOf();
      return state !== undefined && state.waiting + state.active === 0;
    });

  describe('a submission', () => {
    it('is not added again while it is in the queue, and is once it has left it', async () => {
      const first = submissionOf({ claim: CLAIM });
      await queue.submit(first);
      await queue.submit(submissionOf({ claim: CLAIM }));
      expect(await queue.waiting(submissionOf({ claim: CLAIM }))).toEqual(first);
      await queue.submit(submissionOf({ claim: { ...CLAIM, key: 'delivery 2' } }));
      const plain = submissionOf();
      await queue.submit(plain);
      await queue.submit(plain);
      expect(await stateOf()).toMatchObject({ waiting: 3 });
      const carriedOut: Submission[] = [];
      work(async (submission) => {
        carriedOut.push(submission);
        return DONE;
      });
      await empty();
      await queue.submit(submissionOf({ claim: CLAIM }));
      await waitFor('it to be carried out again', () => carriedOut.length === 4);
    });

    it('is rejected after the last try, with the fault and the number of tries', async () => {
      let tries = 0;
      const rejected: [Submission, unknown, number][] = [];
      work(
        () => {
          tries++;
          return broken();
        },
        async (...args) => void rejected.push(args),
      );
      const submission = submissionOf();
      await queue.submit(submission);
      await waitFor('the rejection', () => rejected.length > 0);
      await empty();
      expect(rejected).toEqual([[submission, new Error('the disk is on fire'), 8]]);
      expect(tries).toBe(8);
    });

    it('waits as long as the store is away, without a try being counted', async () => {
      let asked = 0;
      const rejected: unknown[] = [];
      work(
        () => {
          asked++;
          return asked <= 30 ? Promise.reject(new QinboxError('SERVICE_UNAVAILABLE')) : Promise.resolve(DONE);
        },
        async (...args) => void rejected.push(args),
      );
      await queue.submit(submissionOf());
      await waitFor('it to be carried out', () => asked === 31);
      await empty();
      expect(rejected).toEqual([]);
    });

    it('that only resolves is another than the one before it, and the same when it comes again', async () => {
      const over = (id: string) =>
        submissionOf({ id, ownerId: 'owner', inserts: [], resolves: ['disk'], requestId: 'syslog' });
      for (const id of ['sub_1', 'sub_1', 'sub_2']) await queue.submit(over(id));
      expect(await stateOf()).toMatchObject({ waiting: 2 });
    });

    it('that is tried again after its rejection is another than the one that was rejected', async () => {
      const submission = submissionOf({ claim: CLAIM });
      await queue.submit(submission);
      await queue.submit({ ...submission, retryOf: 'rej_1' });
      await queue.submit({ ...submission, retryOf: 'rej_1' });
      expect(await stateOf()).toMatchObject({ waiting: 2 });
    });

    it.each([
      ['after the last try', broken],
      ['at once', () => Promise.reject(new QinboxError('VALIDATION_ERROR'))],
    ])('stays in the queue until its rejection %s is kept', async (_when, fail) => {
      let failures = 3;
      const stored: Submission[] = [];
      work(fail, async (submission) => {
        if (failures-- > 0) throw new QinboxError('SERVICE_UNAVAILABLE');
        stored.push(submission);
      });
      const submission = submissionOf();
      await queue.submit(submission);
      await waitFor('the rejection to be kept', () => stored.length > 0);
      await empty();
      expect(stored).toEqual([submission]);
      expect(failures).toBe(-1);
    });

    it('is tried again, however often, and never rejected while another process holds its claim', async () => {
      const HELD = 20;
      const outcomes: SubmissionOutcome[] = [
        ...Array.from({ length: HELD }, () => ({ kind: 'in-progress', retryAfterMs: 5 }) as const),
        { kind: 'replayed', taskIds: [], outcomes: null },
      ];
      const answered: string[] = [];
      work(async () => {
        const outcome = outcomes.shift() ?? DONE;
        answered.push(outcome.kind);
        return outcome;
      });
      await queue.submit(submissionOf({ claim: CLAIM }));
      await waitFor('it to be done', () => answered.length > HELD);
      await empty();
      expect(answered.slice(HELD)).toEqual(['replayed']);
    });

    it('of an owner whose queue is full comes again when it was told to, and is kept as rejected after its last try', async () => {
      const tries: number[] = [];
      const stored: { fault: unknown; attempts: number }[] = [];
      queue = open({ attempts: 3 });
      work(
        async () => {
          tries.push(performance.now());
          throw new QinboxError('QUOTA_EXCEEDED', 'full', { retryAfterSeconds: 0.2 });
        },
        async (_, fault, attempts) => void stored.push({ fault, attempts }),
      );
      await queue.submit(submissionOf());
      await waitFor('the rejection', () => stored.length > 0);
      await empty();
      expect(stored).toMatchObject([{ fault: { code: 'QUOTA_EXCEEDED' }, attempts: 3 }]);
      const pauses = tries.slice(1).map((at, index) => at - (tries[index] as number));
      expect(pauses).toHaveLength(2);
      expect(Math.min(...pauses)).toBeGreaterThan(190);
    });

    it('whose claim was made with another fingerprint is done with', async () => {
      let tries = 0;
      work(async () => {
        tries++;
        return { kind: 'fingerprint-mismatch' };
      });
      await queue.submit(submissionOf({ claim: CLAIM }));
      await waitFor('it to be carried out', () => tries > 0);
      await empty();
      expect(tries).toBe(1);
    });

    it('leaves nothing behind in Redis, whether done or rejected', async () => {
      const sizes: number[] = [];
      work(async ({ inserts }) => {
        if (inserts.length === 2) throw new QinboxError('VALIDATION_ERROR');
        return DONE;
      });
      for (const round of [1, 2, 3]) {
        const sent = Array.from({ length: 20 }, (_, index) =>
          queue.submit(submissionOf({}, 1 + ((index + round) % 2))),
        );
        await Promise.all(sent);
        await empty();
        sizes.push(
          (await client.keys(`${prefix}:*`)).filter((key) => !key.endsWith(':stalled-check')).length,
        );
      }
      expect(Math.max(...sizes)).toBeLessThan(12);
    });

    it('is carried out by a worker that was there before its adapter ever submitted', async () => {
      const carriedOut: string[] = [];
      work(async ({ adapter }) => {
        carriedOut.push(adapter);
        return DONE;
      });
      await open().submit(submissionOf({ adapter: 'brand new' }));
      await waitFor('it to be carried out', () => carriedOut.length > 0);
      expect(carriedOut).toEqual(['brand new']);
    });
  });

  it('lets the flood of one owner hold up no other, even when none of the flood is ever done', async () => {
    queue = open({ concurrency: 16, ownerConcurrency: 4 });
    const FLOOD = 300;
    const done: string[] = [];
    const door = Promise.withResolvers<void>();
    for (let index = 0; index < FLOOD; index++) await queue.submit(submissionOf({ ownerId: 'flood' }));
    for (let index = 0; index < 10; index++) await queue.submit(submissionOf({ ownerId: 'calm' }));
    work(async ({ ownerId }) => {
      if (ownerId === 'flood') await door.promise;
      done.push(ownerId);
      return DONE;
    });
    // First come, first served would never get to them.
    await waitFor('the calm ones to be carried out', () => done.length === 10);
    expect(new Set(done)).toEqual(new Set(['calm']));
    door.resolve();
    await waitFor('the flood to be carried out', () => done.length === FLOOD + 10);
  }, 900_000);

  it('carries out no more at a time than all processes together may, and all in the end', async () => {
    const MOST = 3;
    const COUNT = 60;
    const { handler, done, highest } = createSlowHandler(5);
    const stopping: (() => Promise<void>)[] = [];
    const workers = Array.from({ length: 3 }, () => open({ totalConcurrency: MOST, concurrency: 16 }));
    for (const each of workers) stopping.push(each.work(handler).stop);
    const owners = ['one', 'two', 'three'];
    for (let index = 0; index < COUNT; index++)
      await queue.submit(submissionOf({ ownerId: owners[index % 3] ?? '' }));
    // One that ends hands over what waits to the others.
    await waitFor('some to be carried out', () => done.length > 10);
    await stopping[0]?.();
    await waitFor('all to be carried out', () => done.length === COUNT);
    expect(highest()).toBe(MOST);
    expect(new Set(done).size).toBe(COUNT);
  }, 900_000);

  it('tells the age of the submission that waits longest', async () => {
    await queue.submit(submissionOf());
    await waitFor('it to grow older', async () => ((await stateOf())?.oldestMs ?? 0) > 20);
    await queue.submit(submissionOf());
    expect((await stateOf())?.oldestMs).toBeGreaterThan(20);
  });

  describe('when Redis', () => {
    it.each([
      ['hangs', async () => redis.pause(), async () => redis.resume()],
      ['is gone', () => redis.kill(), () => redis.start()],
    ])(
      '%s, refuses instead of waiting for it, and takes submissions again afterwards',
      async (_how, fail, heal) => {
        const carriedOut: Submission[] = [];
        work(async (submission) => {
          carriedOut.push(submission);
          return DONE;
        });
        await queue.submit(submissionOf());
        await empty();
        await fail();
        for (const call of [() => queue.submit(submissionOf()), () => queue.states()]) {
          await expect(call()).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
        }
        await expect(queue.check()).rejects.toThrow('Redis does not answer');
        await heal();
        const submission = submissionOf();
        await waitFor('it to be taken', () =>
          queue.submit(submission).then(
            () => true,
            () => false,
          ),
        );
        await waitFor('it to be carried out', () =>
          carriedOut.some(({ requestId }) => requestId === submission.requestId),
        );
      },
    );

    it('is gone, stops and closes all the same', async () => {
      const begun: Submission[] = [];
      const door = Promise.withResolvers<void>();
      const worker = work(async (submission) => {
        begun.push(submission);
        await door.promise;
        return DONE;
      });
      await queue.submit(submissionOf());
      await waitFor('it to be begun', () => begun.length === 1);
      await redis.kill();
      try {
        const stopped = worker.stop();
        door.resolve();
        await stopped;
        await queue.close();
        expect(begun).toHaveLength(1);
      } finally {
        await redis.start();
      }
    });

    it('may evict what it keeps, refuses the check', async () => {
      const passes = () =>
        queue.check().then(
          () => true,
          () => false,
        );
      await waitFor('the check to pass', passes);
      await client.config('SET', 'maxmemory-policy', 'allkeys-lru');
      await expect(queue.check()).rejects.toThrow(/maxmemory-policy allkeys-lru.*noeviction/);
      await client.config('SET', 'maxmemory-policy', 'noeviction');
      await queue.check();
    });
  });
});
