// Worker processes and Redis die or hang: what was taken is carried out, once.
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createBullQueue } from '#adapters/queue/bullmq/adapter.ts';
import { openSqliteStorage } from '#adapters/storage/sqlite/storage.ts';
import { systemClock } from '#core/ports/clock.ts';
import type { IngestQueue } from '#core/ports/ingest-queue.ts';
import type { Storage } from '#core/ports/storage.ts';
import { newOwner, orderOf } from '#test/helpers/records.ts';
import { submissionOf } from '#test/helpers/submissions.ts';
import { end, temporaryFolder } from '#test/program/program.ts';
import { waitFor } from '#test/program/wait.ts';
import { killWorkersUnderLoad, startWorker } from './queue-kill.ts';
import { startRedis, withoutRedis, type RedisServer } from './redis-server.ts';

describe.skipIf(withoutRedis !== null)('a worker process', { timeout: 60_000 }, () => {
  let redis: RedisServer;
  let folder: ReturnType<typeof temporaryFolder>;
  let file: string;
  let storage: Storage;
  let queue: IngestQueue;
  let owner: string;

  beforeEach(async () => {
    redis = await startRedis();
    folder = temporaryFolder('queue');
    file = `${folder.path}/qinbox.db`;
    storage = openSqliteStorage({ file, clock: systemClock });
    queue = createBullQueue({ url: redis.url });
    owner = newOwner();
  });
  afterEach(async () => {
    await queue.close();
    await storage.close();
    await redis.remove();
    folder.remove();
  });

  const submission = (content: string) =>
    submissionOf({ ownerId: owner, orders: [orderOf({ content })], at: Date.now() });
  const contents = async () =>
    (await storage.tasks.list(owner, {}, 1000, 0, Date.now())).tasks.map(({ content }) => content);
  const drained = () =>
    waitFor(
      'everything to be carried out',
      async () => (await queue.states()).every(({ waiting, active }) => waiting + active === 0),
      30_000,
    );

  it.each([
    ['killed before it stored', 'SIGKILL', 'before', 'begun'],
    ['killed after it stored', 'SIGKILL', 'after', 'stored'],
    ['stopped before it stored', 'SIGSTOP', 'before', 'begun'],
    ['stopped after it stored', 'SIGSTOP', 'after', 'stored'],
  ] as const)('that is %s is relieved: one task, even if it comes back', async (_how, signal, hold, sign) => {
    const first = await startWorker(redis.url, file, hold);
    const sent = ['one', 'two', 'three'];
    for (const content of sent) await queue.submit(submission(content));
    await waitFor('the first to hold all', () => first.output().split(sign).length - 1 === sent.length);
    if (signal === 'SIGKILL') await end(first.child, signal);
    else first.child.kill(signal);

    const second = await startWorker(redis.url, file);
    await drained();
    expect((await contents()).toSorted()).toEqual(sent.toSorted());

    if (signal === 'SIGSTOP') {
      first.child.kill('SIGCONT');
      first.child.kill('SIGUSR2');
      await waitFor(
        'the first to carry them out as well',
        () => first.output().split('stored').length - 1 === sent.length,
      );
      await end(first.child, 'SIGTERM');
    }
    await end(second.child, 'SIGTERM');
    await drained();
    expect((await contents()).toSorted()).toEqual(sent.toSorted());
    expect(await storage.rejected.count(Date.now())).toBe(0);
  });

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
    const { child } = await startWorker(redis.url, file);
    await drained();
    await end(child, 'SIGTERM');
    const { total } = await storage.tasks.list(owner, {}, 1, 0, Date.now());
    const stored: string[] = [];
    for (let offset = 0; offset < total; offset += 1000)
      stored.push(
        ...(await storage.tasks.list(owner, {}, 1000, offset, Date.now())).tasks.map(
          ({ content }) => content,
        ),
      );
    const there = new Set(stored);
    expect(answered.filter((content) => !there.has(content))).toEqual([]);
    expect(stored).toHaveLength(there.size);
  });

  it('ends at SIGTERM although Redis is gone, by itself', async () => {
    const { child, output } = await startWorker(redis.url, file);
    await queue.submit(submission('one'));
    await waitFor('it to be at work', () => output().includes('stored'));
    await redis.kill();
    await end(child, 'SIGTERM');
    expect(child.exitCode).toBe(0);
  });

  it('ends at SIGTERM without losing what it was told, under load', async () => {
    const first = await startWorker(redis.url, file);
    const sent = Array.from({ length: 300 }, (_, index) => `content ${index}`);
    await Promise.all(sent.map((content) => queue.submit(submission(content))));
    await waitFor('the first to be at work', () => first.output().includes('stored'));
    await end(first.child, 'SIGTERM');
    expect(first.child.exitCode).toBe(0);
    const second = await startWorker(redis.url, file);
    await drained();
    await end(second.child, 'SIGTERM');
    expect((await contents()).toSorted()).toEqual(sent.toSorted());
  });
});

describe.skipIf(withoutRedis !== null)('submissions', () => {
  it(
    'exist exactly once each, though a third comes twice and the workers are killed all the time',
    {
      timeout: 120_000,
    },
    async () => {
      const fates = await killWorkersUnderLoad(1000, 0.3, 60);
      expect(fates).toMatchObject({ lost: [], doubled: [], rejected: 0 });
      expect(fates.kills).toBeGreaterThan(3);
    },
  );
});
