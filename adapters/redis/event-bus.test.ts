// The event bus over Redis keeps the promises of the port, and tells everybody who may have missed something.
import { randomUUID } from 'node:crypto';
import { Redis } from 'ioredis';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { BusEvent, EventBus } from '#core/ports/event-bus.ts';
import { describeEventBus, listen, taskEvent } from '#test/contract/event-bus.suite.ts';
import { startRedis, withoutRedis, type RedisServer } from '#test/faults/redis-server.ts';
import { newOwner } from '#test/helpers/records.ts';
import { waitFor } from '#test/program/wait.ts';
import { startProxy } from '#test/services/proxy.ts';
import { createRedisEventBus } from './event-bus.ts';

const FORGET: BusEvent[] = [
  { kind: 'access', userId: null },
  { kind: 'reset', ownerId: null },
];

describe.skipIf(withoutRedis !== null)('on a Redis', () => {
  let redis: RedisServer;
  beforeAll(async () => {
    redis = await startRedis();
  });
  afterAll(() => redis.remove());

  describeEventBus('Redis', {
    async create() {
      const prefix = randomUUID();
      const buses = [1, 2, 3].map(() => createRedisEventBus({ url: redis.url, prefix }));
      return {
        buses,
        async dispose() {
          await Promise.all(buses.map((bus) => bus.close()));
        },
      };
    },
  });

  describe('of many owners', () => {
    it('brings a process that watches one of 640 the events of its channel alone, and none after it has left', async () => {
      const prefix = randomUUID();
      const [ours, theirs, all] = [1, 2, 3].map(() =>
        createRedisEventBus({ url: redis.url, prefix, leaveAfterMs: 100 }),
      ) as [EventBus, EventBus, EventBus];
      const owners = Array.from({ length: 640 }, () => newOwner());
      const [mine = ''] = owners;
      try {
        const buses = [ours, theirs, all];
        await waitFor('all to be connected', () => buses.every((bus) => bus.isConnected()));
        const watch = ours.watch(mine);
        await Promise.all([watch.ready, all.watch(null).ready]);
        const { heard } = listen(ours);
        const publishAll = async (round: number) => {
          for (const owner of owners) theirs.publish(taskEvent(owner));
          await waitFor('one that watches all to hear all', () => all.received() === 640 * round);
        };
        await publishAll(1);
        await waitFor('the own event', () =>
          heard.some((event) => event.kind === 'task' && event.task.ownerId === mine),
        );
        // An even hash gives each of the 64 channels ten owners.
        expect(ours.received()).toBeGreaterThanOrEqual(1);
        expect(ours.received()).toBeLessThan(40);
        watch.end();
        const probe = new Redis(redis.url);
        const listeners = async () =>
          ((await probe.pubsub('CHANNELS', `${prefix}:live:*`)) as string[]).length;
        expect(await listeners()).toBe(64);
        const channel = async () => {
          const names = (await probe.pubsub('CHANNELS', `${prefix}:live:*`)) as string[];
          const counts = (await probe.pubsub('NUMSUB', ...names)) as (string | number)[];
          return counts.filter((count) => count === 2).length;
        };
        await waitFor('its channel to be left', async () => (await channel()) === 0);
        probe.disconnect();
        const before = ours.received();
        await publishAll(2);
        expect(ours.received()).toBe(before);
      } finally {
        await Promise.all([ours, theirs, all].map((bus) => bus.close()));
      }
    });

    it('tells its subscribers to fetch again when a watch went on without Redis', async () => {
      const own = await startRedis();
      const bus = createRedisEventBus({ url: own.url, prefix: randomUUID() });
      try {
        await waitFor('it to be connected', () => bus.isConnected());
        await own.kill();
        await waitFor('it to be disconnected', () => !bus.isConnected());
        const { heard } = listen(bus);
        await bus.watch(newOwner()).ready;
        expect(heard).toEqual([]);
        await own.start();
        await waitFor('the resets', () => heard.filter(({ kind }) => kind === 'reset').length >= 2);
        expect(bus.isConnected()).toBe(true);
      } finally {
        await bus.close();
        await own.remove();
      }
    });

    it('hears what older processes say of tasks on the common channel', async () => {
      const prefix = randomUUID();
      const bus = createRedisEventBus({ url: redis.url, prefix });
      const older = new Redis(redis.url);
      try {
        await waitFor('it to be connected', () => bus.isConnected());
        const { heard } = listen(bus);
        const event = taskEvent();
        await older.publish(`${prefix}:events`, JSON.stringify({ origin: 'older', event }));
        await waitFor('the event', () => heard.length > 0);
        expect(heard).toEqual([event]);
      } finally {
        older.disconnect();
        await bus.close();
      }
    });
  });

  describe('when Redis fails', () => {
    let prefix: string;
    let ours: EventBus;
    let theirs: EventBus;
    const bothAre = (connected: boolean) =>
      waitFor(connected ? 'both to be connected' : 'both to be disconnected', () =>
        [ours, theirs].every((bus) => bus.isConnected() === connected),
      );

    beforeEach(async () => {
      prefix = randomUUID();
      [ours, theirs] = [
        createRedisEventBus({ url: redis.url, prefix }),
        createRedisEventBus({ url: redis.url, prefix }),
      ];
      await bothAre(true);
      await Promise.all([ours.watch(null).ready, theirs.watch(null).ready]);
    });
    afterEach(async () => {
      redis.resume();
      await redis.start();
      await Promise.all([ours.close(), theirs.close()]);
    });

    it('goes on in this process, and tells its subscribers to forget once Redis is back', async () => {
      await redis.kill();
      await bothAre(false);
      const { heard } = listen(ours);
      const event = taskEvent();
      ours.publish(event);
      expect(heard).toEqual([event]);
      await redis.start();
      await bothAre(true);
      expect(heard).toEqual([event, ...FORGET]);
    });

    it('tells the others to forget when they did not hear what was published meanwhile', async () => {
      const { hostname, port } = new URL(redis.url);
      const way = await startProxy(hostname, Number(port));
      const cutOff = createRedisEventBus({ url: `redis://127.0.0.1:${way.port}`, prefix });
      try {
        await waitFor('it to be connected', () => cutOff.isConnected());
        way.refuse();
        await waitFor('it to be disconnected', () => !cutOff.isConnected());
        const { heard } = listen(theirs);
        cutOff.publish(taskEvent());
        way.resume();
        await waitFor('what the others are told', () => heard.length >= FORGET.length);
        expect(heard).toEqual(FORGET);
      } finally {
        await cutOff.close();
        await way.close();
      }
    });

    it('says that it is disconnected while Redis hangs, and tells to forget afterwards', async () => {
      const { heard } = listen(ours);
      redis.pause();
      await bothAre(false);
      redis.resume();
      await waitFor('the reset', () => heard.length >= 2);
      expect(heard.slice(0, 2)).toEqual(FORGET);
    });

    it('survives what cannot be read', async () => {
      const { heard } = listen(ours);
      const stranger = new Redis(redis.url);
      const channel = `${prefix}:events`;
      for (const text of [
        'no JSON',
        'null',
        '[]',
        '{"origin":"x"}',
        '{"origin":"x","event":{"kind":"task"}}',
        '{"origin":"x","event":{"kind":"task","type":"task.created","task":{}}}',
        '{"origin":"x","event":{"kind":"reset"}}',
        '{"origin":"x","event":{"kind":"of another version"}}',
      ])
        await stranger.publish(channel, text);
      stranger.disconnect();
      const event = taskEvent();
      theirs.publish(event);
      await waitFor('the event after them', () => heard.length > 0);
      expect(heard).toEqual([event]);
    });
  });
});
