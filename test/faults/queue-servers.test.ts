// The queue and the limits on a Redis Cluster. Behind a sentinel: queue-sentinel.long.ts.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createLocalRateLimiter } from '#adapters/memory/rate-limiter.ts';
import { createBullQueue } from '#adapters/redis/queue/queue.ts';
import { createRedisEventBus } from '#adapters/redis/event-bus.ts';
import { createRedisRateLimiter } from '#adapters/redis/rate-limiter.ts';
import { systemClock } from '#core/system-clock.ts';
import type { BusEvent } from '#core/ports/event-bus.ts';
import { submissionOf } from '#test/helpers/submissions.ts';
import { waitFor } from '#test/program/wait.ts';
import { freeze, wake } from '#test/services/signals.ts';
import { workOn } from './queue-load.ts';
import { withoutRedis } from './redis-server.ts';
import { startRedisCluster, type RedisServers } from './redis-servers.ts';

describe.skipIf(withoutRedis !== null)('on a Redis Cluster', () => {
  const adapters = ['webhook', 'smtp', 'slack', 'rest', 'x', 'y'];
  let servers: RedisServers;
  beforeAll(async () => {
    servers = await startRedisCluster();
  });
  afterAll(() => servers.remove());

  it('carries out each submission of each adapter once, on the server that has the adapter', async () => {
    const [producer, worker] = [createBullQueue({ url: servers.url }), createBullQueue({ url: servers.url })];
    const sent = adapters.flatMap((adapter) => Array.from({ length: 20 }, () => submissionOf({ adapter })));
    try {
      for (const submission of sent) await producer.submit(submission);
      const states = await producer.states();
      expect(states.map(({ adapter, waiting }) => [adapter, waiting])).toEqual(
        adapters.toSorted().map((adapter) => [adapter, 20]),
      );
      const keys = await Promise.all(servers.clients.map((client) => client.keys('*}:wait')));
      expect(keys.filter((own) => own.length > 0).length).toBeGreaterThan(1);
      const done = workOn(worker);
      await waitFor('all to be carried out', () => done.length >= sent.length);
      expect(done.toSorted()).toEqual(sent.map(({ requestId }) => requestId).toSorted());
      await producer.check();
      expect(await producer.memory()).toMatchObject({ limitBytes: 0 });
    } finally {
      await producer.close();
      await worker.close();
    }
  });

  it('refuses what the server that is gone would have, takes the others, and goes on when it is back', async () => {
    const [producer, worker] = [createBullQueue({ url: servers.url }), createBullQueue({ url: servers.url })];
    const [first] = servers.clients;
    const done = workOn(worker);
    const sent = adapters.map((adapter) => submissionOf({ adapter }));
    const tryAll = () =>
      Promise.all(
        adapters.map((adapter) =>
          producer.submit(submissionOf({ adapter })).then(
            () => ({ adapter, taken: 1 }),
            () => ({ adapter, taken: 0 }),
          ),
        ),
      );
    try {
      for (const submission of sent) await producer.submit(submission);
      await waitFor('all to be carried out', () => done.length === sent.length);
      const slots = await Promise.all(adapters.map(async (each) => first?.cluster('KEYSLOT', `{${each}}`)));
      const owned = slots.filter((slot) => Number(slot) < 16_384 / 3 - 1).length;
      expect(owned).toBeGreaterThan(0);
      await servers.services[0]?.kill();
      const meanwhile = await tryAll();
      const taken = meanwhile.filter(({ taken: one }) => one === 1);
      expect(taken.length).toBeLessThanOrEqual(adapters.length - owned);
      expect(taken.length).toBeGreaterThan(0);
      await waitFor('those to be carried out', () => done.length === sent.length + taken.length);
      await servers.services[0]?.restart();
      let more = 0;
      await waitFor('all to be taken again', async () => {
        const tried = (await tryAll()).filter(({ taken: one }) => one === 1).length;
        more += tried;
        return tried === adapters.length;
      });
      const total = sent.length + taken.length + more;
      await waitFor('all to be carried out', () => done.length >= total);
      expect([done.length, new Set(done).size]).toEqual([total, total]);
    } finally {
      await producer.close();
      await worker.close();
    }
  });

  it('takes what the other servers would have while one hangs', async () => {
    const producer = createBullQueue({ url: servers.url });
    const [first] = servers.clients;
    const slots = await Promise.all(adapters.map(async (each) => first?.cluster('KEYSLOT', `{${each}}`)));
    const others = adapters.filter((_, index) => Number(slots[index]) >= 16_384 / 3);
    /** What is known of the memory is then older than it may be. */
    const untilMemoryIsOld = () => {
      const told = performance.now() + 1100;
      return waitFor('it to be asked for again', () => performance.now() > told);
    };
    const submit = (adapter: string) =>
      producer.submit(submissionOf({ adapter })).then(
        () => adapter,
        () => null,
      );
    try {
      for (const adapter of adapters) await producer.submit(submissionOf({ adapter }));
      freeze(servers.services[0]?.pid ?? null);
      await untilMemoryIsOld();
      const taken = await Promise.all(adapters.map(submit));
      expect(others.length).toBeGreaterThan(0);
      expect(taken.filter((adapter) => adapter !== null)).toEqual(others);
      // Once it is known, it costs the others nothing: they do not wait until it is given up again.
      await waitFor('one time in which they did not', async () => {
        await untilMemoryIsOld();
        const asked = performance.now();
        expect(await Promise.all(others.map(submit))).toEqual(others);
        return performance.now() - asked < 1000;
      });
      await expect(producer.check()).rejects.toThrow('Redis does not answer');
    } finally {
      wake(servers.services[0]?.pid ?? null);
      await producer.close();
    }
  });

  it('counts limits exactly over two processes, and passes events on', async () => {
    const messages: string[][] = [[], []];
    const limiters = messages.map((own) => {
      const note = (_fields: object, message: string) => void own.push(message);
      const log = { info: note, warn: note };
      return createRedisRateLimiter({
        url: servers.url,
        log,
        fallback: createLocalRateLimiter(systemClock),
      });
    });
    const areShared = () => messages.every((own) => own.at(-1) === 'rate limits are counted in Redis');
    const [one, other] = [
      createRedisEventBus({ url: servers.url }),
      createRedisEventBus({ url: servers.url }),
    ];
    try {
      let exact = 0;
      for (let bucket = 0; exact < 8; bucket++) {
        await waitFor('both to count in Redis', areShared);
        const before = messages.flat().length;
        const windows = [{ name: 'minute', limit: 5, seconds: 60 }];
        const verdicts = await Promise.all(
          Array.from({ length: 12 }, async (_, index) => limiters[index % 2]?.take(`${bucket}`, windows)),
        );
        // A machine that is busy may take longer than a request waits; the limiter then says so.
        if (messages.flat().length > before) continue;
        expect(verdicts.filter((verdict) => verdict?.allowed)).toHaveLength(5);
        exact++;
      }
      const heard: BusEvent[] = [];
      other.subscribe((event) => heard.push(event));
      await waitFor('both to be connected', () => one.isConnected() && other.isConnected());
      one.publish({ kind: 'access', userId: 'user_1' });
      await waitFor('the event to arrive', () =>
        heard.some((event) => event.kind === 'access' && event.userId === 'user_1'),
      );
    } finally {
      for (const each of [...limiters, one, other]) await each.close();
    }
  });
});
