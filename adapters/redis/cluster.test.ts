// The client of a Redis Cluster ends when it is told to, whatever comes meanwhile.
import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { withoutRedis } from '#test/faults/redis-server.ts';
import { placeOf, startRedisCluster, type RedisServers } from '#test/faults/redis-servers.ts';
import { waitFor } from '#test/program/wait.ts';
import { freeze, wake } from '#test/services/signals.ts';
import type { FirstAnswerCluster } from './cluster.ts';
import { connectRedis } from './connection.ts';

const KEY = 'one';

describe.skipIf(withoutRedis !== null)('a client of a Redis Cluster', () => {
  let servers: RedisServers;
  beforeAll(async () => {
    servers = await startRedisCluster();
  });
  afterAll(() => servers.remove());

  /** BullMQ's workers wait on clients of the second kind. */
  it.each([
    ['that was made by us', (client: FirstAnswerCluster) => client],
    ['that was copied', (client: FirstAnswerCluster) => client.duplicate()],
  ])('%s ends, though it hears meanwhile that a slot has moved', async (_which, copyOf) => {
    const first = connectRedis(servers.url, { whileAway: 'wait' }) as unknown as FirstAnswerCluster;
    const client = copyOf(first);
    const nodes = () => client.nodes('all');
    await waitFor('it to be ready', () => client.status === 'ready' && nodes().length === 3);
    await Promise.all(nodes().map((node) => node.ping()));
    // It takes another server for the one that has the key, and the others close no connection now.
    const place = await placeOf(servers, KEY);
    const other = servers.services.find((_, index) => index !== place);
    const slot = Number(await servers.clients[0]?.cluster('KEYSLOT', KEY));
    (client as unknown as { slots: string[][] }).slots[slot] = [new URL(other?.url ?? '').host];
    const frozen = servers.services.filter((service) => service !== other);
    for (const { pid } of frozen) freeze(pid);
    try {
      const answer = client.get(KEY).catch((error: unknown) => error);
      const ended = once(client, 'end');
      client.disconnect();
      await ended;
      expect(await answer).toBeInstanceOf(Error);
      expect(nodes()).toEqual([]);
    } finally {
      for (const { pid } of frozen) wake(pid);
      first.disconnect();
    }
  });
});
