// Events of an owner on a Redis Cluster: they stay on the server of their channel, and are heard again after
// that channel has moved to another server, or its server was away.
import type { Redis } from 'ioredis';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { connectRedis } from '#adapters/redis/connection.ts';
import { createRedisEventBus } from '#adapters/redis/event-bus.ts';
import { createShards } from '#adapters/redis/shards.ts';
import { newTask } from '#core/domain/task.ts';
import type { BusEvent, EventBus } from '#core/ports/event-bus.ts';
import { insertOf, newOwner } from '#test/helpers/records.ts';
import { waitFor } from '#test/program/wait.ts';
import { withoutRedis } from './redis-server.ts';
import { startRedisCluster, type RedisServers } from './redis-servers.ts';

const EVENTS = 500;

describe.skipIf(withoutRedis !== null)("an owner's events on a Redis Cluster", () => {
  let servers: RedisServers;
  let speaking: EventBus;
  let hearing: EventBus;
  let heard: BusEvent[] = [];
  const owner = newOwner();
  let events = 0;

  beforeAll(async () => {
    servers = await startRedisCluster();
    [speaking, hearing] = [
      createRedisEventBus({ url: servers.url }),
      createRedisEventBus({ url: servers.url }),
    ];
    hearing.subscribe((event) => heard.push(event));
    await waitFor('both to be connected', () => speaking.isConnected() && hearing.isConnected());
    await hearing.watch(owner).ready;
    await waitFor('the first event to be heard', () => speak());
  });
  beforeEach(() => {
    heard = [];
  });
  afterAll(async () => {
    await speaking.close();
    await hearing.close();
    await servers.remove();
  });

  /** Publishes an event; whether one was heard. */
  function speak(): boolean {
    const { id, draft } = insertOf({ content: `event ${events++}` });
    const task = newTask(draft, id, owner, Date.now());
    speaking.publish({ kind: 'task', type: 'task.created', task });
    return heard.some(({ kind }) => kind === 'task');
  }

  const hasReset = () => heard.some((event) => event.kind === 'reset' && event.ownerId === null);

  /** The one channel of owners that is listened to, and its place among the servers. */
  async function channel(): Promise<{ name: string; slot: string; at: number }> {
    const lists = await Promise.all(
      servers.clients.map(
        async (client) => (await client.call('PUBSUB', 'SHARDCHANNELS', '*:live:*')) as string[],
      ),
    );
    const at = lists.findIndex((list) => list.some((one) => !one.includes('beat')));
    const name = lists[at]?.find((one) => !one.includes('beat')) ?? '';
    return { name, slot: String(await servers.clients[0]?.call('CLUSTER', 'KEYSLOT', name)), at };
  }

  async function countOf(client: Redis, section: 'commandstats' | 'bus', what: string): Promise<number> {
    const text =
      section === 'bus' ? String(await client.call('CLUSTER', 'INFO')) : await client.info('commandstats');
    const pattern =
      section === 'bus' ? `cluster_stats_messages_${what}:(\\d+)` : `cmdstat_${what}:calls=(\\d+)`;
    return Number(new RegExp(pattern).exec(text)?.[1] ?? 0);
  }

  it('pass no other server', async () => {
    const { at } = await channel();
    const counts = () =>
      Promise.all(
        servers.clients.map(async (client) => ({
          published: await countOf(client, 'commandstats', 'spublish'),
          carried: await countOf(client, 'bus', 'publish_received'),
        })),
      );
    const before = await counts();
    const first = events;
    for (let event = 0; event < EVENTS; event++) speak();
    const wanted = Array.from({ length: EVENTS }, (_, index) => `event ${first + index}`);
    const contents = () => heard.flatMap((event) => (event.kind === 'task' ? event.task.content : []));
    await waitFor('the last to be heard', () => contents().includes(wanted.at(-1) ?? ''));
    // One that was sent before the channel was known may come late.
    expect(contents().filter((one) => wanted.includes(one))).toEqual(wanted);
    const after = await counts();
    const more = after.map(({ published, carried }, index) => ({
      published: published - (before[index]?.published ?? 0),
      carried: carried - (before[index]?.carried ?? 0),
    }));
    for (const [index, { published, carried }] of more.entries()) {
      if (index === at) expect(published).toBeGreaterThanOrEqual(EVENTS);
      else expect(published).toBe(0);
      // Beats of the two processes alone.
      expect(carried).toBeLessThan(EVENTS / 4);
    }
  });

  it('are heard after their channel has moved to another server, which is told', async () => {
    const { slot, at } = await channel();
    const to = (at + 1) % servers.clients.length;
    const ids = await Promise.all(
      servers.clients.map(async (each) => String(await each.call('CLUSTER', 'MYID'))),
    );
    const set = (index: number, ...how: string[]) =>
      servers.clients[index]?.call('CLUSTER', 'SETSLOT', slot, ...how);
    await set(to, 'IMPORTING', ids[at] ?? '');
    await set(at, 'MIGRATING', ids[to] ?? '');
    for (const index of [to, at, (at + 2) % 3]) await set(index, 'NODE', ids[to] ?? '');
    await waitFor('the gap to be told', hasReset);
    heard = [];
    await waitFor('an event to be heard', () => speak());
    expect((await channel()).at).toBe(to);
  });

  it('are heard again where the subscription was lost without a word', async () => {
    const publisher = connectRedis(servers.url, { whileAway: 'fail' });
    const listener = connectRedis(servers.url, { whileAway: 'wait', hearsShards: true });
    let gaps = 0;
    const texts: string[] = [];
    const shards = createShards({
      publisher,
      listener,
      beats: 'test:beat',
      onMessage: (text) => texts.push(text),
      onGap: () => gaps++,
    });
    const { name } = await channel();
    const say = async (text: string) => {
      await publisher.spublish(name, text).catch(() => 0);
      return texts.includes(text);
    };
    try {
      await shards.subscribe(name);
      await waitFor('it to be heard', () => say('before'));
      gaps = 0;
      await listener.sunsubscribe(name, `test:beat:{${name}}`);
      expect(await say('meanwhile')).toBe(false);
      await waitFor('the gap to be told', () => gaps > 0);
      await waitFor('it to be heard', () => say('after'));
      expect(texts).not.toContain('meanwhile');
    } finally {
      shards.close();
      publisher.disconnect();
      listener.disconnect();
    }
  });

  it('reach all while the server of their channel is away, and are heard through it when it is back', async () => {
    const { at } = await channel();
    await servers.services[at]?.kill();
    await waitFor('an event to be heard', () => speak());
    heard = [];
    await servers.services[at]?.restart();
    await waitFor('the gap to be told', hasReset);
    await waitFor('the channel to be listened to', async () => (await channel()).at === at);
    const client = servers.clients[at] as Redis;
    await waitFor('the server to answer', () => client.ping());
    heard = [];
    await waitFor('an event to be heard', () => speak());
    expect(await countOf(client, 'commandstats', 'spublish')).toBeGreaterThan(0);
  });

  it('of everybody are heard or told of, although the connection that hears them is replaced', async () => {
    await waitFor('both to be connected', () => speaking.isConnected() && hearing.isConnected());
    heard = [];
    let said = 0;
    const say = () => speaking.publish({ kind: 'access', userId: `${said++}` });
    const numbers = () =>
      heard.map((event) => (event.kind === 'access' && event.userId !== null ? Number(event.userId) : -1));
    const heardSince = (first: number) => {
      say();
      return Math.max(...numbers()) >= first;
    };
    /** The first that never comes, since a later one has come. */
    const lost = () => {
      const known = new Set(numbers());
      const first = Array.from({ length: Math.max(...known) }, (_, number) => number);
      return first.find((number) => !known.has(number));
    };
    await waitFor('one to be heard', () => heardSince(0));
    await waitFor('one to be lost', async () => {
      await Promise.all(servers.clients.map((client) => client.call('CLIENT', 'KILL', 'TYPE', 'pubsub')));
      const first = said;
      await waitFor('one to be heard again', () => heardSince(first));
      return lost() !== undefined;
    });
    const before = numbers().indexOf((lost() ?? 0) - 1);
    const isTold = () =>
      heard.slice(before + 1).some((event) => event.kind === 'access' && event.userId === null);
    expect(await waitFor('the gap to be told', isTold)).toBe(true);
    await waitFor('both to be connected again', () => speaking.isConnected() && hearing.isConnected());
  });
});
