// What a start says and leaves behind. How long it takes is measured by clone.long.ts (`npm run test:clone`).
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { freePort, root, temporaryFolder } from '#test/program/program.ts';
import { timeStart } from './start.ts';

const start = [join(root, 'node_modules', '.bin', 'node'), join(root, 'scripts', 'start.mjs')] as const;
/** The first one may have to build the web app. */
const PATIENCE_MS = 150_000;

describe('a second start', () => {
  let folder: ReturnType<typeof temporaryFolder>;
  let env: { PORT: string; DATA_DIR: string };

  beforeAll(async () => {
    folder = temporaryFolder('start');
    env = { PORT: String(await freePort()), DATA_DIR: join(folder.path, 'data') };
    const first = await timeStart(start, root, env, PATIENCE_MS);
    await first.interrupt();
  });
  afterAll(() => folder.remove());

  test('serves, says where it listens, where the data is and how to sign in, and ends cleanly at Ctrl-C', async () => {
    const second = await timeStart(start, root, env, PATIENCE_MS);
    const output = second.output();
    const code = await second.interrupt();
    expect(output).toContain(`http://localhost:${env.PORT}`);
    expect(output).toContain(env.DATA_DIR);
    expect(output).toMatch(/\/inbox#signin=\S+/);
    expect(output).not.toContain('building');
    expect(code).toBe(0);
  });
});
