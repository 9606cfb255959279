// A process that was given a wrong password says so, and never the password.
import { spawnSync } from 'node:child_process';
import { Redis } from 'ioredis';
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  commandLine,
  end,
  freePort,
  plainEnvironment,
  root,
  serverScript,
  startScript,
} from '#test/program/program.ts';
import { waitFor } from '#test/program/wait.ts';
import { createMongoHarness } from '#test/services/mongo-harness.ts';
import { describeWith, sharedMongo } from '#test/services/services.ts';
import { startRedis, withoutRedis } from './redis-server.ts';

const CANARY = 'canary-password';
const settings = { JWT_SECRET: 's'.repeat(32), DATA_DIR: '/nonexistent', NODE_NO_WARNINGS: '1' };

describe.skipIf(withoutRedis !== null)('a process with a wrong password of Redis', async () => {
  describeWith('beside a MongoDB', await sharedMongo(), ({ url: mongoUrl }) => {
    it('says so in the log and at /ready, without the password, and stores all the same', async () => {
      const mongo = createMongoHarness(mongoUrl);
      onTestFinished(() => mongo.drop());
      const redis = await startRedis();
      onTestFinished(() => redis.remove());
      const client = new Redis(redis.url);
      onTestFinished(() => client.disconnect());
      await client.config('SET', 'requirepass', 'right');
      const address = new URL(redis.url);
      address.password = CANARY;
      const port = await freePort();
      const env = plainEnvironment({
        ...settings,
        MONGODB_URL: mongo.url,
        REDIS_URL: address.href,
        PORT: `${port}`,
      });
      const { child, output } = await startScript(serverScript(), [], { ...env, QINBOX_ROLES: 'api,worker' });
      onTestFinished(() => end(child, 'SIGKILL'));
      const ready = () => fetch(`http://127.0.0.1:${port}/ready`);
      await waitFor('it to answer', () => ready().catch(() => null));
      const details = await waitFor('both parts to say why', async () => {
        const { parts } = (await (await ready()).json()) as { parts: { name: string; detail?: string }[] };
        const said = new Map(parts.map(({ name, detail }) => [name, detail]));
        const [queue, events] = [said.get('queue') ?? '', said.get('events') ?? ''];
        return queue.includes('WRONGPASS') && events.includes('WRONGPASS') && { queue, events };
      });
      expect(details).toEqual({
        queue: 'no answer from the queue: Redis does not answer: Redis says WRONGPASS',
        events: 'no answer from the events: Redis says WRONGPASS',
      });
      const made = spawnSync(process.execPath, [commandLine(), 'key', 'create', '--name', 'k'], {
        cwd: root,
        env,
        encoding: 'utf8',
      });
      const headers = { 'x-api-key': made.stdout.trim() };
      const created = await fetch(`http://127.0.0.1:${port}/api/v1/tasks`, {
        method: 'POST',
        headers,
        body: 'one',
      });
      expect(created.status).toBe(201);
      expect(output()).toContain('WRONGPASS');
      expect(output()).not.toContain(CANARY);
    });
  });
});
