// A way in with several queues on a Redis Cluster of three: its submissions are on all servers, however often
// the number of queues changes each is carried out, and the bounds hold over all queues together.
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { partitionOf } from '#adapters/redis/queue/partitions.ts';
import type { SubmissionOutcome } from '#core/domain/submission-outcome.ts';
import { newOwner } from '#test/helpers/records.ts';
import { submissionOf } from '#test/helpers/submissions.ts';
import { waitFor } from '#test/program/wait.ts';
import { deliveryOf, endWorkers, killWorkersUnderLoad } from './queue-kill.ts';
import { openQueues } from './open-queues.ts';
import { createSlowHandler, reject, workOn } from './queue-load.ts';
import { withoutRedis } from './redis-server.ts';
import { startRedisCluster, type RedisServers } from './redis-servers.ts';
import { createStore, type SharedStore } from './stores.ts';

const PATIENCE_MS = 300_000;
const DONE: SubmissionOutcome = { kind: 'done', outcomes: [], resolved: [] };

describe.skipIf(withoutRedis !== null)('a way in with several queues', { timeout: 900_000 }, () => {
  let servers: RedisServers;
  const queues = openQueues(() => servers.url);
  const { open } = queues;
  beforeAll(async () => {
    servers = await startRedisCluster();
  }, PATIENCE_MS);
  afterAll(() => servers.remove());

  const owners = (count: number) => Array.from({ length: count }, (_, index) => `user_${index}`);
  /** The lists of those that wait, on each server. */
  const lists = () => Promise.all(servers.clients.map((client) => client.keys(`${queues.prefix}:*:wait`)));

  it('has what waits on every server, and is told once, with the age of the oldest', async () => {
    const queue = open({ partitions: 8 });
    await queue.submit(submissionOf({ ownerId: 'user_first' }));
    await waitFor('it to grow older', async () => ((await queue.states())[0]?.oldestMs ?? 0) > 50);
    for (const ownerId of owners(100)) await queue.submit(submissionOf({ ownerId }));
    const found = await lists();
    expect(found.map((own) => own.length > 0)).toEqual([true, true, true]);
    expect(found.flat()).toHaveLength(8);
    const states = await queue.states();
    expect(states).toMatchObject([{ adapter: 'webhook', waiting: 101, active: 0 }]);
    expect(states[0]?.oldestMs).toBeGreaterThan(50);
    const done = workOn(open({ partitions: 8 }));
    await waitFor('all to be carried out', () => done.length === 101, PATIENCE_MS);
    expect(new Set(done).size).toBe(101);
  });

  it('is worked off by a worker of whatever number, as the number grows and shrinks', async () => {
    const sent: string[] = [];
    for (const partitions of [1, 8, 1, 3]) {
      const queue = open({ partitions });
      for (const ownerId of owners(40)) {
        const submission = submissionOf({ ownerId });
        await queue.submit(submission);
        sent.push(submission.requestId);
      }
    }
    expect((await open().states()).map(({ waiting }) => waiting)).toEqual([sent.length]);
    const done = workOn(open({ partitions: 1 }));
    await waitFor('all to be carried out', () => done.length >= sent.length, PATIENCE_MS);
    expect(done.toSorted()).toEqual(sent.toSorted());
    // Nothing is left to be found by another one.
    expect((await open().states()).map(({ waiting, active }) => waiting + active)).toEqual([0]);
  });

  it('carries out no more at a time in a process than one with one queue, and puts the rest back', async () => {
    const door = Promise.withResolvers<void>();
    const begun: string[] = [];
    const worker = open({ partitions: 8, concurrency: 6, ownerConcurrency: 3 }).work({
      async carryOut({ requestId }) {
        begun.push(requestId);
        await door.promise;
        return DONE;
      },
      reject,
    });
    const queue = open({ partitions: 8 });
    const sent = owners(100).map((ownerId) => submissionOf({ ownerId }));
    const waiting = async () => (await queue.states())[0]?.waiting ?? 0;
    try {
      for (const submission of sent) await queue.submit(submission);
      await waitFor('it to have taken what it can', async () => (await waiting()) <= 100 - 8 * 6);
      expect(begun).toHaveLength(6);
    } finally {
      const stopped = worker.stop();
      door.resolve();
      await stopped;
    }
    expect(begun).toHaveLength(6);
    const done = workOn(open({ partitions: 8 }));
    await waitFor('the rest to be carried out', () => done.length >= 94, PATIENCE_MS);
    expect([...begun, ...done].toSorted()).toEqual(sent.map(({ requestId }) => requestId).toSorted());
  });

  it('lets the flood of one owner hold up no other, in no queue, even when it is never done', async () => {
    const FLOOD = 200;
    const done: string[] = [];
    const door = Promise.withResolvers<void>();
    const queue = open({ partitions: 4, concurrency: 16, ownerConcurrency: 4 });
    for (let index = 0; index < FLOOD; index++) await queue.submit(submissionOf({ ownerId: 'user_flood' }));
    const calm = owners(40);
    for (const ownerId of calm) await queue.submit(submissionOf({ ownerId }));
    queue.work({
      async carryOut({ ownerId }) {
        if (ownerId === 'user_flood') await door.promise;
        done.push(ownerId);
        return DONE;
      },
      reject,
    });
    await waitFor('the calm ones to be carried out', () => done.length === calm.length, PATIENCE_MS);
    expect(done.toSorted()).toEqual(calm.toSorted());
    door.resolve();
    await waitFor('the flood to be carried out', () => done.length === FLOOD + calm.length, PATIENCE_MS);
  });

  it.each([
    [8, 8],
    [3, 8],
    [3, 1],
  ])(
    'of %i, carries out in all no more than the bound of 8 in two processes, also from %i before',
    async (partitions, before) => {
      const MOST = 8;
      const COUNT = 120;
      const { handler, done, highest } = createSlowHandler(10);
      for (const each of [open({ partitions: before }), open({ partitions })])
        for (const ownerId of owners(COUNT / 2)) await each.submit(submissionOf({ ownerId }));
      const workers = [1, 2].map(() => open({ partitions, totalConcurrency: MOST, concurrency: 16 }));
      for (const each of workers) each.work(handler);
      await waitFor('all to be carried out', () => done.length === COUNT, PATIENCE_MS);
      // Each queue that is left of a larger number may carry out one besides.
      expect(highest()).toBeLessThanOrEqual(MOST + Math.max(0, before - partitions));
      expect(highest()).toBeGreaterThan(Math.ceil(MOST / partitions));
      expect(new Set(done).size).toBe(COUNT);
    },
  );

  it.each([
    // Each of four may have one of the two at a time; one has half of four.
    { processes: 4, total: 8, most: 2 },
    { processes: 1, total: 16, most: 2 },
  ])(
    'bounds one owner over all $processes processes by the part of $total that its queue has',
    async ({ processes, total, most }) => {
      const { handler, done, highest } = createSlowHandler(5);
      const queue = open({ partitions: 4 });
      let sent = 0;
      const send = async (count: number) => {
        for (const last = sent + count; sent < last; sent++)
          await queue.submit(submissionOf({ ownerId: 'user_flood' }));
      };
      await send(400);
      for (let count = 0; count < processes; count++)
        open({ partitions: 4, totalConcurrency: total }).work(handler);
      await waitFor(
        'all to be carried out, as many at a time as may be',
        async () => {
          // One process may be done with all of them before the others have found the queue.
          if (highest() < most && sent - done.length < 200) await send(200);
          return done.length === sent;
        },
        PATIENCE_MS,
      );
      expect(highest()).toBe(most);
    },
  );

  it('is one entry to programs that know of one queue a way in, which find the first', async () => {
    const queue = open({ partitions: 8 });
    for (const ownerId of owners(40)) await queue.submit(submissionOf({ ownerId }));
    const read = async (key: string) =>
      (await Promise.all(servers.clients.map((client) => client.smembers(key).catch(() => [])))).flat();
    expect(await read(`${queues.prefix}:adapters`)).toEqual(['webhook']);
    expect((await lists()).flat()).toContain(`${queues.prefix}:{webhook}:wait`);
  });

  describe('into a store', () => {
    let store: SharedStore;
    beforeAll(async () => {
      const found = await createStore('SQLite');
      if ('missing' in found) throw new Error(found.missing);
      store = found;
    });
    afterEach(endWorkers);
    afterAll(() => store.remove());

    it('stores a delivery once that comes again when the number of queues has changed', async () => {
      let owner = newOwner();
      while (partitionOf('webhook', owner, 8).number === 0) owner = newOwner();
      const contents = ['one', 'two', 'three'];
      for (const partitions of [1, 8])
        for (const content of contents) await open({ partitions }).submit(deliveryOf(content, owner));
      expect((await lists()).flat()).toHaveLength(2);
      expect((await open().states())[0]?.waiting).toBe(6);
      const answers: string[] = [];
      open({ partitions: 8 }).work({
        async carryOut(submission) {
          const outcome = await store.storage.tasks.create(submission);
          answers.push(outcome.kind);
          return outcome;
        },
        reject,
      });
      const isEmpty = async () =>
        (await open().states()).every(({ waiting, active }) => waiting + active === 0);
      await waitFor('all to be carried out', async () => answers.length >= 6 && isEmpty(), PATIENCE_MS);
      expect((await store.contents([owner])).toSorted()).toEqual(contents.toSorted());
    });

    it('has every submission exactly once, though workers are killed all the time', async () => {
      const plan = { store, distinct: 400, share: 0.3, life: 100, kills: 4, speed: 20 };
      const fates = await killWorkersUnderLoad({ ...plan, redisUrl: servers.url, partitions: 8 });
      expect(fates).toMatchObject({ tasks: 400, lost: [], doubled: [], rejected: 0 });
      expect(fates.kills).toBeGreaterThanOrEqual(4);
    });
  });
});
