// A damaged database through the running program: probes say so and what to do, doctor finds it, the log
// tells of it once.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { breakEntry, breakPage } from '#test/helpers/damage.ts';
import {
  createKey,
  end,
  freePort,
  plainEnvironment,
  root,
  startProgram,
  serverScript,
  startScript,
  temporaryFolder,
} from '#test/program/program.ts';
import { waitFor } from '#test/program/wait.ts';

let folder: ReturnType<typeof temporaryFolder>;
beforeAll(() => {
  folder = temporaryFolder('damage');
});
afterAll(() => folder.remove());

/** A data folder that a server has worked on. */
async function used(name: string): Promise<{ dataDir: string; file: string }> {
  const dataDir = join(folder.path, name);
  const key = createKey(dataDir);
  const program = await startProgram({ dataDir });
  const tasks = Array.from({ length: 400 }, (_, index) => ({ content: `task ${index} ${'x'.repeat(100)}` }));
  const made = await fetch(`${program.url}/api/v1/tasks/batch`, {
    method: 'POST',
    headers: { 'x-api-key': key, 'content-type': 'application/json' },
    body: JSON.stringify({ tasks }),
  });
  expect(made.status).toBe(201);
  expect(await program.stop()).toBe(0);
  return { dataDir, file: join(dataDir, 'qinbox.db') };
}

async function doctor(dataDir: string): Promise<{ status: number | null; text: string }> {
  const env = plainEnvironment({ DATA_DIR: dataDir, PORT: String(await freePort()), SMTP_PORT: 'off' });
  const ran = spawnSync(process.execPath, [join(root, 'cli', 'qinbox.mjs'), 'doctor'], {
    cwd: root,
    env,
    encoding: 'utf8',
  });
  return { status: ran.status, text: ran.stdout + ran.stderr };
}

test.each(['tasks', 'tasks_by_id', 'tasks_restorable'])(
  'a broken page of %s makes /ready say so, keeps /health, and doctor finds it',
  async (name) => {
    const { dataDir, file } = await used(name);
    expect(await doctor(dataDir)).toMatchObject({ status: 0 });
    breakPage(file, name);
    const examined = await doctor(dataDir);
    expect(examined.status).toBe(1);
    expect(examined.text).toMatch(
      /FAIL {2}every page and index of the store: the database is damaged.*backup/,
    );

    const port = await freePort();
    const env = plainEnvironment({
      DATA_DIR: dataDir,
      PORT: String(port),
      SMTP_PORT: 'off',
      LOG_LEVEL: 'warn',
    });
    const { child, output } = await startScript(serverScript(), [], env);
    const ask = (path: string) => fetch(`http://127.0.0.1:${port}${path}`).catch(() => null);
    await waitFor('the server to answer', async () => (await ask('/health'))?.ok === true);
    const ready = await waitFor('the damage to be found', async () => {
      const answer = await ask('/ready');
      return answer?.status === 503 ? ((await answer.json()) as { parts: object[] }) : null;
    });
    expect(ready.parts).toContainEqual({
      name: 'store',
      ok: false,
      detail: expect.stringMatching(/damaged.*qinbox doctor.*backup/),
    });
    expect((await ask('/ready'))?.status).toBe(503);
    expect((await ask('/health'))?.status).toBe(200);
    expect(output().match(/The database is damaged/g)).toHaveLength(1);
    await end(child, 'SIGTERM');
  },
);

test('an index that does not agree with its table is found by doctor', async () => {
  const { dataDir, file } = await used('disagreeing');
  breakEntry(file, 'sqlite_autoindex_owners_1');
  const { status, text } = await doctor(dataDir);
  expect(status).toBe(1);
  expect(text).toMatch(/the database is damaged[^]*index/);
});

test('a start that meets the damage says so in one line', async () => {
  const { dataDir, file } = await used('start');
  breakPage(file, 'users');
  const env = plainEnvironment({ DATA_DIR: dataDir, PORT: String(await freePort()), SMTP_PORT: 'off' });
  const { child, output } = await startScript(serverScript(), [], env);
  await waitFor('it to end', () => child.exitCode !== null);
  expect(child.exitCode).toBe(1);
  expect(output().split('\n')).toContainEqual(expect.stringMatching(/^qinbox: The store is damaged\./));
});
