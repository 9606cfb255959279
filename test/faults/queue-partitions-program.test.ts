// The program on a Redis Cluster: as many queues of a way in as its settings say, told as one.
import { describe, expect, it, onTestFinished } from 'vitest';
import { buildFixture } from '#test/helpers/app.ts';
import { waitFor } from '#test/program/wait.ts';
import { createMongoHarness } from '#test/services/mongo-harness.ts';
import { describeWith, sharedMongo } from '#test/services/services.ts';
import { withoutRedis } from './redis-server.ts';
import { startRedisCluster } from './redis-servers.ts';

const METRICS_TOKEN = 'a-token-for-the-metrics';
const OWNERS = 24;

describe.skipIf(withoutRedis !== null)('on a Redis Cluster', async () => {
  describeWith('the production size', await sharedMongo(), ({ url }) => {
    it('spreads what waits over eight queues, bounds each by its part, tells of one, and works on all', async () => {
      const mongo = createMongoHarness(url);
      onTestFinished(() => mongo.drop());
      const servers = await startRedisCluster();
      onTestFinished(() => servers.remove());
      const start = async (roles: string) => {
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
      const found = async (pattern: string) =>
        (await Promise.all(servers.clients.map((client) => client.keys(`qinbox:{rest*}:${pattern}`)))).flat();

      const api = await start('api');
      await waitFor('it to be ready', async () => (await api.app.inject('/ready')).statusCode === 200);
      for (let index = 0; index < OWNERS; index++) {
        const key = await api.key(`owner-${index}@example.com`);
        const body = { content: 'a task' };
        const answer = await api.call('POST', '/tasks', { key, body, headers: { prefer: 'respond-async' } });
        expect(answer.status).toBe(202);
      }
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
  });
});
