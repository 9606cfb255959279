// What `qinbox doctor` says of the production size while a part of it is away.
import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import { expect, it } from 'vitest';
import { freePort, plainEnvironment } from '#test/program/program.ts';

const CLI = resolve(import.meta.dirname, '..', 'qinbox.mjs');

it('doctor says nothing against Redis where it is MongoDB that cannot be reached', async () => {
  const env = plainEnvironment({
    MONGODB_URL: `mongodb://127.0.0.1:${await freePort()}/qinbox`,
    REDIS_URL: `redis://127.0.0.1:${await freePort()}`,
    JWT_SECRET: 'a-secret-of-the-tests-0123456789abcdef',
    PORT: String(await freePort()),
    SMTP_PORT: 'off',
    NODE_NO_WARNINGS: '1',
  });
  const { status, stdout } = spawnSync(process.execPath, [CLI, 'doctor'], { env, encoding: 'utf8' });
  const lines = stdout.split('\n');
  expect(status).toBe(1);
  expect(lines).toContainEqual(expect.stringMatching(/^FAIL {2}store in MongoDB: .*Check MONGODB_URL/));
  expect(lines).toContain('skip  queue in Redis: it is looked at once the store can be opened');
});
