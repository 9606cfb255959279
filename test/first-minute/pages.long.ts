// `npm run test:clone`: the README of a fresh clone, its commands copied word for word. Once everything is
// installed, the first task is in the queue within a minute of the first command.
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freePort, root, runOnce, temporaryFolder } from '#test/program/program.ts';
import { blocksOf, curlSettings, environmentOf } from '../docs/blocks.ts';
import { timeStart } from './start.ts';

const INSTALL_MS = 300_000;
const FIRST_TASK_MS = 60_000;

const folder = temporaryFolder('readme');
const clone = join(folder.path, 'qinbox');
const home = join(folder.path, 'home');
let env: Record<string, string> & { PORT: string };

beforeAll(async () => {
  execFileSync('git', ['clone', '--quiet', '--no-local', '--depth=1', `file://${root}`, clone]);
  const port = await freePort();
  mkdirSync(home);
  writeFileSync(join(home, '.curlrc'), curlSettings(port));
  const own = join(root, 'node_modules', '.bin');
  const all = environmentOf(port, join(folder.path, 'data'), home);
  // The Node and npm of the machine; what npm was told of where packages come from stays.
  const PATH = (all['PATH'] ?? '').split(':').filter((path) => path !== own);
  const npm = Object.entries(process.env).filter(([name]) => /^npm_config_(registry|cache)$/i.test(name));
  env = {
    ...all,
    ...(Object.fromEntries(npm) as Record<string, string>),
    ...npmSettings(),
    PATH: PATH.join(':'),
    PORT: String(port),
  };
});
afterAll(() => folder.remove(), INSTALL_MS);

/** The settings of this account, though the clone has a home of its own. */
function npmSettings(): Record<string, string> {
  const HOME = process.env['HOME'] ?? '';
  return {
    NPM_CONFIG_USERCONFIG: process.env['NPM_CONFIG_USERCONFIG'] ?? join(HOME, '.npmrc'),
    NPM_CONFIG_CACHE: process.env['NPM_CONFIG_CACHE'] ?? join(HOME, '.npm'),
  };
}

test('the README leads from a fresh clone to the first task, within a minute of machine time once it is installed', async () => {
  const [serve = ''] = blocksOf('README.md', 'serve');
  const [first = '', ...others] = blocksOf('README.md', 'run');
  const command = ['bash', '--norc', '-c', serve] as const;
  const installed = await timeStart(command, clone, env, INSTALL_MS);
  await installed.interrupt();
  process.stdout.write(`installed, built and served: ${Math.round(installed.readyMs)} ms\n`);

  const from = performance.now();
  const started = await timeStart(command, clone, env, FIRST_TASK_MS);
  const printed = runOnce('bash', ['--norc', '-euo', 'pipefail', '-c', first], clone, env);
  const firstTaskMs = performance.now() - from;
  process.stdout.write(`first task by curl, after installing: ${Math.round(firstTaskMs)} ms\n`);
  expect(JSON.parse(printed)).toMatchObject({ success: true, task: { content: 'backup failed' } });
  expect(firstTaskMs).toBeLessThan(FIRST_TASK_MS);

  const all = runOnce(
    'bash',
    ['--norc', '-euo', 'pipefail', '-c', [first, ...others].join('\n')],
    clone,
    env,
  );
  expect(all).toContain('Disk 91 % full on nas-2');
  const page = await fetch(`http://127.0.0.1:${env.PORT}/docs/getting-started`);
  expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('Getting started')]);
  await started.interrupt();
});
