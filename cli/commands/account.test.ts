// The operator's commands on one account, each as a process of its own beside a running server.
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import type { AccountFile } from '#core/contract/index.ts';
import { createTestApp, type TestApp } from '#test/helpers/app.ts';
import { plainEnvironment } from '#test/program/program.ts';

const CLI = resolve(import.meta.dirname, '..', 'qinbox.mjs');

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'qinbox-account-'));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

/** Runs a command on the store of `app`, which goes on. */
function qinbox(app: TestApp, ...args: string[]): Promise<{ code: number | null; out: string; err: string }> {
  const DATA_DIR = app.parts.config.dataDir;
  const env = plainEnvironment({ HOME: DATA_DIR, NODE_NO_WARNINGS: '1', DATA_DIR });
  return new Promise((done) => {
    const child = spawn(process.execPath, [CLI, ...args], { env });
    const ran = { out: '', err: '' };
    child.stdout.on('data', (data: Buffer) => (ran.out += data.toString()));
    child.stderr.on('data', (data: Buffer) => (ran.err += data.toString()));
    child.on('close', (code) => done({ ...ran, code }));
  });
}

/** A server whose clock is that of the commands. */
async function startServer(): Promise<TestApp> {
  const app = await createTestApp();
  app.clock.jump(Date.now() - app.clock.now());
  return app;
}

async function list(app: TestApp, token: string): Promise<string[]> {
  const { body } = await app.call('GET', '/tasks', { token });
  return (body['tasks'] as { content: string }[]).map(({ content }) => content);
}

it('an account goes from one server to another as a file, which its owner alone may read', async () => {
  const [here, there] = [await startServer(), await startServer()];
  const token = (await here.session('me@example.com')).accessToken;
  await here.call('POST', '/tasks', { token, body: { content: 'to move', tags: ['nas'] } });
  const file = join(folder(), 'account.json');
  const written = await qinbox(here, 'user', 'export', 'me@example.com', '--to', file);
  expect([written.code, written.err]).toEqual([0, '']);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const before = readFileSync(file, 'utf8');
  const again = await qinbox(here, 'user', 'export', 'me@example.com', '--to', file);
  expect([again.code, again.err]).toEqual([1, expect.stringContaining('is there already')]);
  expect(readFileSync(file, 'utf8')).toBe(before);
  const nowhere = join(folder(), 'none', 'account.json');
  const lost = await qinbox(here, 'user', 'export', 'me@example.com', '--to', nowhere);
  expect([lost.code, lost.err]).toEqual([
    1,
    `qinbox: ${nowhere} cannot be written: its folder is not there, or nothing may be written in it.\n`,
  ]);

  const nobody = await qinbox(there, 'user', 'import', file);
  expect([nobody.code, nobody.err]).toEqual([1, expect.stringContaining('There is no user me@example.com')]);
  const other = (await there.session('other@example.com')).accessToken;
  const planned = await qinbox(there, 'user', 'import', file, '--email', 'other@example.com', '--dry-run');
  expect([planned.code, planned.out]).toEqual([0, expect.stringMatching(/^Would be taken[^]* 1 {2}tasks/)]);
  expect(await list(there, other)).toEqual([]);
  const taken = await qinbox(there, 'user', 'import', file, '--email', 'other@example.com');
  expect([taken.code, taken.out]).toEqual([0, expect.stringMatching(/^Taken[^]* 1 {2}tasks/)]);
  expect(await list(there, other)).toEqual(['to move']);
});

it('a file that is none, was cut off, or has a fault changes nothing, and says where the fault is', async () => {
  const app = await startServer();
  const token = (await app.session('me@example.com')).accessToken;
  await app.call('POST', '/tasks', { token, body: { content: 'only one' } });
  const whole = (await app.call('GET', '/account/export', { token })).body as unknown as AccountFile;
  const [task] = whole.tasks;
  const wrong = { ...whole, tasks: [{ ...task, id: 'task_new', priority: 'urgent' }] };
  const fewer = { ...whole, tasks: [] };
  const path = join(folder(), 'account.json');
  const refusals: [string, string][] = [
    [JSON.stringify(whole).slice(0, -20), 'account.json was cut off, or is no file of an account'],
    [JSON.stringify(whole).replace('"metadata":{}', '"metadata":{"__proto__":{}}'), 'named __proto__'],
    [JSON.stringify({ ...whole, version: 2, tasks: 'elsewhere' }), 'a newer Qinbox wrote it'],
    [JSON.stringify(fewer), 'counts/tasks: says 1, and the file has 0'],
    [JSON.stringify(wrong), 'tasks/0/priority'],
  ];
  for (const [text, why] of refusals) {
    writeFileSync(path, text);
    const ran = await qinbox(app, 'user', 'import', path);
    expect([ran.code, ran.out, ran.err]).toEqual([1, '', expect.stringContaining(why)]);
  }
  for (const name of [folder(), join(folder(), 'nowhere')]) {
    const ran = await qinbox(app, 'user', 'import', name);
    expect([ran.code, ran.err]).toEqual([
      1,
      expect.stringMatching(/^qinbox: \/\S+ (is not there|cannot be)/),
    ]);
  }
  expect(await list(app, token)).toEqual(['only one']);
});

it('deletes a user only when the address is said again; sessions end at once on a server that runs', async () => {
  const app = await startServer();
  const token = (await app.session('me@example.com')).accessToken;
  const path = join(folder(), 'account.json');
  writeFileSync(path, (await app.call('GET', '/account/export', { token })).text);
  const unsaid = await qinbox(app, 'user', 'delete', 'me@example.com');
  expect([unsaid.code, unsaid.err]).toEqual([2, expect.stringContaining('--confirm me@example.com')]);
  expect((await app.call('GET', '/tasks', { token })).status).toBe(200);
  const done = await qinbox(app, 'user', 'delete', 'me@example.com', '--confirm', 'me@example.com');
  expect([done.code, done.out]).toEqual([0, expect.stringContaining('is shut out')]);
  app.clock.advance(1000);
  expect((await app.call('GET', '/tasks', { token })).status).toBe(401);
  const late = await qinbox(app, 'user', 'import', path);
  expect([late.code, late.err]).toEqual([1, expect.stringMatching(/is being deleted|There is no user/)]);
});
