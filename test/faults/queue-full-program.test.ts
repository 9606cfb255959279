// What callers, probes and the operator see of a Redis that is full, or that has no limit.
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Redis } from 'ioredis';
import { describe, expect, it, onTestFinished } from 'vitest';
import { buildFixture } from '#test/helpers/app.ts';
import { plainEnvironment, root } from '#test/program/program.ts';
import { waitFor } from '#test/program/wait.ts';
import { createMongoHarness } from '#test/services/mongo-harness.ts';
import { describeWith, sharedMongo } from '#test/services/services.ts';
import { startRedis, withoutRedis } from './redis-server.ts';

const METRICS_TOKEN = 'a-token-for-the-metrics';

describe.skipIf(withoutRedis !== null)('a full Redis', async () => {
  describeWith('the production size', await sharedMongo(), ({ url }) => {
    it('refuses what would wait in it, takes what is stored at once, and is told of by probe, metrics and doctor', async () => {
      const mongo = createMongoHarness(url);
      onTestFinished(() => mongo.drop());
      const redis = await startRedis();
      onTestFinished(() => redis.remove());
      const client = new Redis(redis.url);
      onTestFinished(() => client.disconnect());
      const env = { MONGODB_URL: mongo.url, REDIS_URL: redis.url, JWT_SECRET: 's'.repeat(32), METRICS_TOKEN };
      const app = await buildFixture(env);
      onTestFinished(() => app.close());
      const key = await app.key();
      const create = (headers = {}) =>
        app.call('POST', '/tasks', { key, body: { content: 'a task' }, headers });
      const enqueue = () => create({ prefer: 'respond-async' });
      const get = (path: string) =>
        app.app.inject({ url: path, headers: { authorization: `Bearer ${METRICS_TOKEN}` } });
      await waitFor('it to be ready', async () => (await get('/ready')).statusCode === 200);
      expect((await enqueue()).status).toBe(202);

      const used = Number(/used_memory:(\d+)/.exec(await client.info('memory'))?.[1]);
      await client.config('SET', 'maxmemory', Math.round(used * 1.1));
      const refused = await waitFor('a refusal', async () => {
        const answer = await enqueue();
        return answer.status === 202 ? null : answer;
      });
      expect([refused.status, refused.headers['retry-after']]).toEqual([503, '10']);
      expect((await create()).status).toBe(201);
      expect((await get('/ready')).statusCode).toBe(503);
      const metrics = (await get('/metrics')).body;
      expect(metrics).toContain('qinbox_queue_waiting{adapter="rest"} 0');
      expect(metrics).toContain(`qinbox_queue_memory_limit_bytes ${Math.round(used * 1.1)}`);

      await client.config('SET', 'maxmemory', 0);
      await waitFor('it to be taken again', async () => (await enqueue()).status === 202);
      expect((await get('/ready')).statusCode).toBe(200);
      const command = [join(root, 'cli', 'qinbox.mjs'), 'doctor'];
      const { stdout } = await promisify(execFile)(process.execPath, command, {
        env: plainEnvironment({ ...env, PORT: '0' }),
      });
      expect(stdout).toMatch(/ok {4}queue in Redis\nwarn {2}Redis has no maxmemory/);
    });
  });
});
