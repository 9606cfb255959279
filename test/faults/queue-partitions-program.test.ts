// The program on a Redis Cluster: as many queues of a way in as its settings say, told as one, and worked on
// where they answer by a process that starts while a server is away.
import { describe, expect, it, onTestFinished } from 'vitest';
import { partitionOf, queueName } from '#adapters/redis/queue/partitions.ts';
import type { Statistics } from '#core/contract/index.ts';
import { buildFixture, type Fixture } from '#test/helpers/app.ts';
import { waitFor } from '#test/program/wait.ts';
import { createMongoHarness } from '#test/services/mongo-harness.ts';
import { describeWith, sharedMongo } from '#test/services/services.ts';
import { withoutRedis } from './redis-server.ts';
import { placeOf, startRedisCluster, type RedisServers } from './redis-servers.ts';

const METRICS_TOKEN = 'a-token-for-the-metrics';
const OWNERS = 24;
/** QUEUE_PARTITIONS on a cluster, unless it is set. */
const PARTITIONS = 8;

describe.skipIf(withoutRedis !== null)('on a Redis Cluster', async () => {
  describeWith('the production size', await sharedMongo(), ({ url }) => {
    it('spreads what waits over eight queues, bounds each by its part, tells of one, and works on all', async () => {
      const servers = await startRedisCluster();
      onTestFinished(() => servers.remove());
      const start = starter(url, servers);
      const found = async (pattern: string) =>
        (await Promise.all(servers.clients.map((client) => client.keys(`qinbox:{rest*}:${pattern}`)))).flat();

      const api = await start('api');
      await submitForAll(api);
      const queues = (await found('wait')).length;
      expect(queues).toBeGreaterThan(4);
      expect(queues).toBeLessThanOrEqual(8);
      const metrics = async () => {
        const headers = { authorization: `Bearer ${METRICS_TOKEN}` };
        const { body } = await api.app.inject({ url: '/metrics', headers });
        return body.split('\n').filter((line) => line.startsWith('qinbox_queue_waiting{'));
      };
      expect(await metrics()).toEqual([`qinbox_queue_waiting{adapter="rest"} ${OWNERS}`]);

      await start('worker');
      await waitFor('all to be carried out', async () => (await metrics())[0]?.endsWith(' 0'));
      const parts = await Promise.all(
        servers.clients.map(async (client) => {
          const names = await client.keys('qinbox:{rest*}:meta');
          return Promise.all(names.map((name) => client.hget(name, 'concurrency')));
        }),
      );
      expect([...new Set(parts.flat())].toSorted()).toEqual(['2', '3']);
      expect(parts.flat().reduce((sum, part) => sum + Number(part), 0)).toBeLessThanOrEqual(20);
    });

    it('makes the tasks of the queues that answer in a worker that starts without the list, and then all', async () => {
      const servers = await startRedisCluster({ partial: true });
      onTestFinished(() => servers.remove());
      const start = starter(url, servers);
      const api = await start('api');
      const owners = await submitForAll(api);
      const away = await placeOf(servers, 'qinbox:partitions');
      const places = await Promise.all(
        owners.map(({ id }) =>
          placeOf(servers, `qinbox:${queueName(partitionOf('rest', id, PARTITIONS))}:wait`),
        ),
      );
      const there = owners.filter((_, index) => places[index] !== away);
      expect(there.length).toBeGreaterThan(0);
      expect(there.length).toBeLessThan(OWNERS);
      const hasTask = async ({ key }: { key: string }) => {
        const { body } = await api.call('GET', '/tasks', { key });
        return (body['statistics'] as Statistics).total === 1;
      };
      const withTask = async () => {
        const have = await Promise.all(owners.map(hasTask));
        return owners.filter((_, index) => have[index]);
      };

      await servers.services[away]?.kill();
      await start('worker');
      await waitFor('those to be made', async () => (await withTask()).length >= there.length);
      expect(await withTask()).toEqual(there);
      await servers.services[away]?.restart();
      await waitFor('all to be made', async () => (await withTask()).length === OWNERS);
    });
  });
});

/** Starts processes of one installation; they end with the test. */
function starter(url: string, servers: RedisServers) {
  const mongo = createMongoHarness(url);
  onTestFinished(() => mongo.drop());
  return async (roles: string): Promise<Fixture> => {
    const app = await buildFixture({
      MONGODB_URL: mongo.url,
      REDIS_URL: servers.url,
      JWT_SECRET: 's'.repeat(32),
      METRICS_TOKEN,
      QUEUE_CONCURRENCY: '20',
      QINBOX_ROLES: roles,
    });
    onTestFinished(() => app.close());
    return app;
  };
}

/** Submits a task of each owner; their ids and keys. */
async function submitForAll(api: Fixture): Promise<{ id: string; key: string }[]> {
  await waitFor('it to be ready', async () => (await api.app.inject('/ready')).statusCode === 200);
  const owners = [];
  for (let index = 0; index < OWNERS; index++) {
    const email = `owner-${index}@example.com`;
    const key = await api.key(email);
    const body = { content: 'a task' };
    const answer = await api.call('POST', '/tasks', { key, body, headers: { prefer: 'respond-async' } });
    expect(answer.status).toBe(202);
    owners.push({ id: (await api.user(email)).id, key });
  }
  return owners;
}
