// The processes of an installation know of each other through Redis, and of the end of one, announced or not.
import { randomUUID } from 'node:crypto';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { ProcessFigures, Processes } from '#core/ports/processes.ts';
import { startRedis, withoutRedis, type RedisServer } from '#test/faults/redis-server.ts';
import { waitFor } from '#test/program/wait.ts';
import { createRedisProcesses } from './processes.ts';

describe.skipIf(withoutRedis !== null)('on a Redis', () => {
  let redis: RedisServer;
  beforeAll(async () => {
    redis = await startRedis();
  });
  afterAll(() => redis.remove());

  const figures = (instance: string, liveConnections = 0): ProcessFigures => ({
    instance,
    role: 'api',
    version: '1.0.0',
    startedAt: 1000,
    liveConnections,
    tasksCreated: { lastMinute: 1, lastHour: 2 },
  });
  function start(prefix: string, read: () => ProcessFigures): Processes {
    const processes = createRedisProcesses({ url: redis.url, prefix, intervalMs: 50 });
    onTestFinished(() => processes.close());
    processes.announce(read);
    return processes;
  }
  const names = async (processes: Processes) => (await processes.list()).map(({ instance }) => instance);

  it('each lists all with their latest figures, its own as they are now', async () => {
    const prefix = randomUUID();
    let live = 1;
    const one = start(prefix, () => figures('one', live));
    const two = start(prefix, () => figures('two'));
    await waitFor('both to know both', async () =>
      [await names(one), await names(two)].every((each) => each.join() === 'one,two'),
    );
    live = 7;
    expect(await one.list()).toEqual([figures('one', 7), figures('two')]);
    await waitFor('the other to hear', async () => (await two.list())[0]?.liveConnections === 7);
  });

  it('one that ends is gone at once, one that dies soon after', async () => {
    const prefix = randomUUID();
    const one = start(prefix, () => figures('one'));
    const two = start(prefix, () => figures('two'));
    // As a process leaves it that was killed: told once, and never again.
    const dead = new Redis(redis.url);
    const told = JSON.stringify(figures('three'));
    await dead
      .multi()
      .sadd(`${prefix}:{processes}`, 'three')
      .set(`${prefix}:{processes}:three`, told, 'PX', 1500)
      .exec();
    dead.disconnect();
    await waitFor('all to be known', async () => (await names(one)).join() === 'one,three,two');
    await two.close();
    expect(await names(one)).not.toContain('two');
    await waitFor('the dead one to be gone', async () => (await names(one)).join() === 'one');
  });

  it('lists itself alone while Redis is away, and all when it is back', async () => {
    const prefix = randomUUID();
    const one = start(prefix, () => figures('one'));
    start(prefix, () => figures('two'));
    await waitFor('both to be known', async () => (await names(one)).length === 2);
    await redis.kill();
    expect(await names(one)).toEqual(['one']);
    await redis.start();
    await waitFor('both to be known again', async () => (await names(one)).length === 2);
  });
});
