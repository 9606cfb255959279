import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { freePort, root, temporaryFolder } from '#test/program/program.ts';
import { timeStart } from './start.ts';

const start = [join(root, 'node_modules', '.bin', 'node'), join(root, 'scripts', 'start.mjs')] as const;

describe('a second start', () => {
  let folder: ReturnType<typeof temporaryFolder>;
  let env: { PORT: string; DATA_DIR: string };

  beforeAll(async () => {
    folder = temporaryFolder('start');
    env = { PORT: String(await freePort()), DATA_DIR: join(folder.path, 'data') };
    const first = await timeStart(start, root, env, 60_000);
    await first.interrupt();
  });
  afterAll(() => folder.remove());

  test('serves within 2 s, says where it listens, where the data is and how to sign in, and ends cleanly at Ctrl-C', async () => {
    const second = await timeStart(start, root, env, 20_000);
    const output = second.output();
    const code = await second.interrupt();
    expect(second.readyMs).toBeLessThan(2000);
    expect(output).toContain(`http://localhost:${env.PORT}`);
    expect(output).toContain(env.DATA_DIR);
    expect(output).toMatch(/\/inbox#signin=\S+/);
    expect(output).not.toContain('building');
    expect(code).toBe(0);
  });
});
