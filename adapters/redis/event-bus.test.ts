// The event bus over Redis keeps the promises of the port, and tells everybody who may have missed something.
import { randomUUID } from 'node:crypto';
import { Redis } from 'ioredis';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { BusEvent, EventBus } from '#core/ports/event-bus.ts';
import { describeEventBus, listen, taskEvent } from '#test/contract/event-bus.suite.ts';
import { startRedis, withoutRedis, type RedisServer } from '#test/faults/redis-server.ts';
import { waitFor } from '#test/program/wait.ts';
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
      await redis.kill();
      await bothAre(false);
      ours.publish(taskEvent());
      const { heard } = listen(theirs);
      await redis.start();
      await waitFor('both resets, our own and the one of the others', () => heard.length >= 4);
      expect(heard).toEqual([...FORGET, ...FORGET]);
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
