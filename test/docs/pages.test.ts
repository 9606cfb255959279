// Every block of the pages that is marked to be run does what its page says, word for word and in order,
// against the real server.
import { execFile } from 'node:child_process';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { root, startProgram, temporaryFolder, type Program } from '#test/program/program.ts';
import { blocksOf, curlSettings, environmentOf } from './blocks.ts';

const PAGES = [
  'README.md',
  ...readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.md'))
    .map((file) => join('docs', file)),
].filter((page) => blocksOf(page, 'run').length > 0);

const folder = temporaryFolder('pages');
const home = join(folder.path, 'home');
let program: Program;

beforeAll(async () => {
  mkdirSync(home);
  program = await startProgram({ dataDir: join(folder.path, 'data') });
  writeFileSync(join(home, '.curlrc'), curlSettings(program.port));
});
afterAll(async () => {
  await program?.stop();
  folder.remove();
});

/** Runs blocks in one shell, as somebody would who copies them one after the other; what each printed. */
async function runInOrder(blocks: readonly string[]): Promise<string[]> {
  const SEPARATOR = '\u0000';
  const script = blocks.map((block) => `${block}\nprintf '\\0'\n`).join('');
  const env = environmentOf(program.port, join(folder.path, 'data'), home);
  const { stdout } = await promisify(execFile)('bash', ['--norc', '-euo', 'pipefail', '-c', script], {
    cwd: root,
    env,
  });
  return stdout.split(SEPARATOR).slice(0, -1);
}

test('the pages that lead a newcomer have blocks that are run', () => {
  expect(PAGES).toEqual(expect.arrayContaining(['README.md', 'docs/getting-started.md']));
});

test.each(PAGES)('%s: every block that is marked is run, and none fails', async (page) => {
  const blocks = blocksOf(page, 'run');
  // What the first page says is looked at, too.
  const look = page === 'README.md' ? ['curl -H "x-api-key: $KEY" http://localhost:3000/api/v1/tasks'] : [];
  const printed = await runInOrder([...blocks, ...look]);
  expect(printed).toHaveLength(blocks.length + look.length);
  if (page === 'README.md')
    expect(JSON.parse(printed.at(-1) ?? '')).toMatchObject({
      tasks: [{ content: 'Disk 91 % full on nas-2', priority: 'high' }, { content: 'backup failed' }],
    });
});

test('a block that is refused fails', async () => {
  await expect(
    runInOrder(['curl -H "x-api-key: qi_none" http://localhost:3000/api/v1/tasks']),
  ).rejects.toThrow(/401/);
});
