// `npm run test:clone`: what somebody sees who has just cloned the repository, with the Node and npm of the
// machine.
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { freePort, root, runOnce, temporaryFolder } from '#test/program/program.ts';
import { timeStart } from './start.ts';

describe('a fresh clone', () => {
  let folder: ReturnType<typeof temporaryFolder>;
  let clone: string;
  let env: { PORT: string; DATA_DIR: string; PATH: string };

  beforeAll(async () => {
    folder = temporaryFolder('clone');
    clone = join(folder.path, 'qinbox');
    execFileSync('git', ['clone', '--quiet', '--no-local', '--depth=1', `file://${root}`, clone]);
    const bin = join(root, 'node_modules', '.bin');
    const PATH = (process.env['PATH'] ?? '')
      .split(':')
      .filter((path) => path !== bin)
      .join(':');
    env = { PORT: String(await freePort()), DATA_DIR: join(folder.path, 'data'), PATH };
  });
  // Tens of thousands of files.
  afterAll(() => folder.remove(), 300_000);

  test('serves app and API by `npm start` within 90 s', async () => {
    const first = await timeStart(['npm', 'start'], clone, env, 180_000);
    const page = await fetch(`http://127.0.0.1:${env.PORT}/inbox`, { headers: { accept: 'text/html' } });
    const text = await page.text();
    const code = await first.interrupt();
    process.stdout.write(`first start: ${Math.round(first.readyMs)} ms\n`);
    expect(page.status).toBe(200);
    expect(text).toContain('<div id="root"');
    expect(first.readyMs).toBeLessThan(90_000);
    expect(first.output()).not.toMatch(/npm (error|ERR)|\bat .*:\d+:\d+/);
    expect(code).toBeOneOf([0, 'SIGINT']);
  });

  test('serves within 2 s from then on', async () => {
    const second = await timeStart(['npm', 'start'], clone, env, 60_000);
    const code = await second.interrupt();
    process.stdout.write(`second start: ${Math.round(second.readyMs)} ms\n`);
    expect(second.readyMs).toBeLessThan(2000);
    expect(second.output()).not.toMatch(/npm (error|ERR)/);
    expect(code).toBeOneOf([0, 'SIGINT']);
  });

  test('lets a script read a key from the command line and nothing else', () => {
    const args = [
      'run',
      '--silent',
      'qinbox',
      '--',
      'key',
      'create',
      '--email',
      'me@example.com',
      '--name',
      'cron',
      '--json',
    ];
    const printed = runOnce('npm', args, clone, env);
    expect(JSON.parse(printed)).toMatchObject({
      key: expect.stringMatching(/^qi_[0-9A-Za-z]{40}$/) as string,
    });
  });

  test('leaves the clone as it was', () => {
    expect(execFileSync('git', ['status', '--porcelain'], { cwd: clone, encoding: 'utf8' })).toBe('');
  });
});
