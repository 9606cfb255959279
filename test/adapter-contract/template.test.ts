// The template, copied to a folder outside of this repository as docs/adapters/own.md says: it type-checks,
// it passes its own tests under node:test, and the server that is built loads it by path and by package name.
import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { blocksIn } from '#test/docs/blocks.ts';
import { createKey, plainEnvironment, root, startProgram, temporaryFolder } from '#test/program/program.ts';
import { waitFor } from '#test/program/wait.ts';

const outside = temporaryFolder('template');
const copy = join(outside.path, 'adapter-rss');
const run = (args: readonly string[], cwd = copy) =>
  promisify(execFile)(process.execPath, ['--disable-warning=ExperimentalWarning', ...args], {
    cwd,
    env: plainEnvironment(),
  });
const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc');

beforeAll(() => {
  cpSync(join(root, 'templates', 'adapter-rss'), copy, { recursive: true });
  mkdirSync(join(copy, 'node_modules', '@types'), { recursive: true });
  // What `npm install --save-dev --install-links=false ../qinbox` puts there.
  symlinkSync(root, join(copy, 'node_modules', 'qinbox'));
  for (const name of ['fast-xml-parser', '@types/node'])
    symlinkSync(join(root, 'node_modules', name), join(copy, 'node_modules', name));
});
afterAll(() => outside.remove());

const testsPassed = async (cwd: string): Promise<number> => {
  const { stdout } = await run(['--test', '--test-reporter=tap', 'adapter.test.ts'], cwd);
  expect(stdout).toMatch(/^# fail 0$/m);
  return Number(/^# pass (\d+)$/m.exec(stdout)?.[1]);
};

it.concurrent('type-checks, and passes its tests and the contract of every adapter, outside of this repository', async () => {
  await expect(run([tsc])).resolves.toMatchObject({ stdout: '' });
  expect(await testsPassed(copy)).toBeGreaterThan(15);
});

it.concurrent('can be made the adapter of docs/adapters/own.md, which passes the contract as it stands there', async () => {
  const documented = join(outside.path, 'adapter-status');
  cpSync(copy, documented, { recursive: true, verbatimSymlinks: true });
  for (const name of ['poll-feed.ts', 'read-feed.ts', 'download.ts']) rmSync(join(documented, name));
  for (const name of ['adapter.ts', 'adapter.test.ts'])
    writeFileSync(join(documented, name), `${blocksIn('docs/adapters/own.md', `ts ${name}`).join('\n')}\n`);
  await expect(run([tsc], documented)).resolves.toMatchObject({ stdout: '' });
  expect(await testsPassed(documented)).toBe(15);
});

/** A feed with one entry, and the tasks that a server with this adapter makes of it. */
async function contentsWith(adapters: string, dataDir: string): Promise<string[]> {
  const entry = '<rss><channel><item><guid>1</guid><title>Version 2 is out</title></item></channel></rss>';
  const feed = createServer((_, response) => response.end(entry)).listen(0, '127.0.0.1');
  await once(feed, 'listening');
  onTestFinished(() => void feed.close());
  const key = createKey(dataDir);
  const env = {
    QINBOX_ADAPTERS: adapters,
    RSS_FEEDS: `http://127.0.0.1:${(feed.address() as AddressInfo).port}/`,
    RSS_OWNER: 'me@example.com',
  };
  const program = await startProgram({ dataDir, env });
  onTestFinished(async () => void (await program.stop()));
  return waitFor('a task', async () => {
    const answer = await fetch(`${program.url}/api/v1/tasks`, { headers: { 'x-api-key': key } });
    const { tasks } = (await answer.json()) as { tasks: { content: string }[] };
    return tasks.length > 0 && tasks.map(({ content }) => content);
  });
}

it('is loaded by the path of its folder, from its sources', async () => {
  const data = temporaryFolder('data');
  onTestFinished(data.remove);
  expect(await contentsWith(copy, data.path)).toEqual(['Version 2 is out']);
});

it('is loaded by the name of its package, once it is built and installed', async () => {
  const data = temporaryFolder('data');
  onTestFinished(data.remove);
  await run([tsc, '-p', 'tsconfig.build.json']);
  // As npm unpacks it: without Qinbox, without sources.
  const installed = join(data.path, 'node_modules', 'qinbox-adapter-rss');
  cpSync(join(copy, 'dist'), join(installed, 'dist'), { recursive: true });
  cpSync(join(copy, 'package.json'), join(installed, 'package.json'));
  symlinkSync(
    join(root, 'node_modules', 'fast-xml-parser'),
    join(data.path, 'node_modules', 'fast-xml-parser'),
  );
  expect(await contentsWith('qinbox-adapter-rss', data.path)).toEqual(['Version 2 is out']);
});

it('is refused as TypeScript inside of node_modules, with what to do', async () => {
  const data = temporaryFolder('data');
  onTestFinished(data.remove);
  const installed = join(data.path, 'node_modules', 'qinbox-adapter-rss');
  cpSync(join(root, 'templates', 'adapter-rss'), installed, { recursive: true });
  const env = { QINBOX_ADAPTERS: 'qinbox-adapter-rss' };
  await expect(startProgram({ dataDir: data.path, env })).rejects.toThrow(
    /adapter\.ts is TypeScript inside of node_modules, which Node does not run\. Publish it as JavaScript/,
  );
});
