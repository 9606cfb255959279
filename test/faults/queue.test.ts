// Worker processes and Redis die or hang: what was taken is carried out, once.
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createBullQueue } from '#adapters/redis/queue/queue.ts';
import type { SubmissionQueue } from '#core/ports/submission-queue.ts';
import { newOwner, insertOf } from '#test/helpers/records.ts';
import { submissionOf } from '#test/helpers/submissions.ts';
import { end } from '#test/program/program.ts';
import { waitFor } from '#test/program/wait.ts';
import { deliveryOf, endWorkers, killWorkersUnderLoad, startWorker } from './queue-kill.ts';
import { startRedis, withoutRedis, type RedisServer } from './redis-server.ts';
import { createStore, STORES, type SharedStore } from './stores.ts';

const TIMEOUT_MS = 900_000;

describe.skipIf(withoutRedis !== null).each(STORES)('on %s', { timeout: TIMEOUT_MS }, (kind) => {
  let redis: RedisServer;
  let found: SharedStore | { missing: string };
  let store: SharedStore;
  let queue: SubmissionQueue;
  let owner: string;

  beforeAll(async () => {
    found = await createStore(kind);
  }, TIMEOUT_MS);
  afterAll(async () => {
    if ('storage' in found) await found.remove();
  });
  beforeEach(async ({ skip }) => {
    if ('missing' in found) return skip(found.missing);
    store = found;
    redis = await startRedis();
    queue = createBullQueue({ url: redis.url });
    owner = newOwner();
  });
  afterEach(async () => {
    if ('missing' in found) return;
    await endWorkers();
    await queue.close();
    await redis.remove();
  });

  const contents = () => store.contents([owner]);
  const drained = () =>
    waitFor(
      'everything to be carried out',
      async () => (await queue.states()).every(({ waiting, active }) => waiting + active === 0),
      TIMEOUT_MS,
    );

  const ways = [
    ['killed before it stored', 'SIGKILL', 'before', 'begun'],
    ['killed after it stored', 'SIGKILL', 'after', 'stored'],
    ['stopped before it stored', 'SIGSTOP', 'before', 'begun'],
    ['stopped after it stored', 'SIGSTOP', 'after', 'stored'],
  ] as const;
  // That two processes are at the same work, the driver's own tests have MongoDB face at every step.
  it.each(ways.filter(([, signal]) => kind === 'SQLite' || signal === 'SIGKILL'))(
    'a worker that is %s is relieved: one task, even if it comes back, and however often the submission does',
    async (_how, signal, hold, sign) => {
      const first = await startWorker(redis.url, store, { hold });
      const sent = ['one', 'two', 'three'];
      const deliver = async () => {
        for (const content of sent) await queue.submit(deliveryOf(content, owner));
      };
      await deliver();
      await waitFor('the first to hold all', () => first.output().split(sign).length - 1 === sent.length);
      await deliver();
      if (signal === 'SIGKILL') await end(first.child, signal);
      else first.child.kill(signal);
      await deliver();

      const second = await startWorker(redis.url, store);
      await drained();
      expect((await contents()).toSorted()).toEqual(sent.toSorted());
      await deliver();
      await drained();

      if (signal === 'SIGSTOP') {
        first.child.kill('SIGCONT');
        first.child.kill('SIGUSR2');
        await waitFor(
          'the first to carry them out as well',
          () => first.output().split('stored').length - 1 >= sent.length,
        );
        await end(first.child, 'SIGTERM');
      }
      await deliver();
      await drained();
      await end(second.child, 'SIGKILL');
      expect((await contents()).toSorted()).toEqual(sent.toSorted());
      expect(await store.storage.rejected.count(Date.now())).toBe(0);
    },
  );

  it('submissions exist exactly once each, though a third comes twice and the workers are killed all the time', async () => {
    const distinct = kind === 'SQLite' ? 400 : 100;
    const plan = { store, distinct, share: 0.3, life: distinct / 4, kills: 4, speed: 20 };
    const fates = await killWorkersUnderLoad(plan);
    expect(fates).toMatchObject({ tasks: distinct, lost: [], doubled: [], rejected: 0 });
    expect(fates.kills).toBeGreaterThanOrEqual(4);
  });

  if (kind !== 'SQLite') return;

  const submission = (content: string) =>
    submissionOf({ ownerId: owner, inserts: [insertOf({ content })], at: Date.now() });

  it('finds every submission that was answered when Redis was killed under load and is back', async () => {
    const answered: string[] = [];
    let next = 0;
    let sending = true;
    const senders = Array.from({ length: 16 }, async () => {
      while (sending) {
        const content = `content ${next++}`;
        await queue.submit(submission(content)).then(
          () => answered.push(content),
          () => pause(1),
        );
      }
    });
    for (const target of [100, 200, 300]) {
      await waitFor('more answers', () => answered.length > target);
      await redis.kill();
      await redis.start();
    }
    sending = false;
    await Promise.all(senders);
    const { child } = await startWorker(redis.url, store);
    await drained();
    await end(child, 'SIGTERM');
    const stored = await contents();
    const there = new Set(stored);
    expect(answered.filter((content) => !there.has(content))).toEqual([]);
    expect(stored).toHaveLength(there.size);
  });

  it('ends at SIGTERM although Redis is gone, by itself', async () => {
    const { child, output } = await startWorker(redis.url, store);
    await queue.submit(submission('one'));
    await waitFor('it to be at work', () => output().includes('stored'));
    await redis.kill();
    await end(child, 'SIGTERM');
    expect(child.exitCode).toBe(0);
  });

  it('ends at SIGTERM without losing what it was told, under load', async () => {
    const first = await startWorker(redis.url, store);
    const sent = Array.from({ length: 300 }, (_, index) => `content ${index}`);
    await Promise.all(sent.map((content) => queue.submit(submission(content))));
    await waitFor('the first to be at work', () => first.output().includes('stored'));
    await end(first.child, 'SIGTERM');
    expect(first.child.exitCode).toBe(0);
    const second = await startWorker(redis.url, store);
    await drained();
    await end(second.child, 'SIGTERM');
    expect((await contents()).toSorted()).toEqual(sent.toSorted());
  });
});
