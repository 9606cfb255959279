// Clients that others' generators make of the server's own document, as docs/clients.md says it, do what the
// page says against the real program: create, list, acknowledge, see an error with its type, follow live.
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Task } from '#core/contract/index.ts';
import {
  createKey,
  plainEnvironment,
  root,
  startProgram,
  temporaryFolder,
  type Program,
} from '#test/program/program.ts';
import type { Sought } from '#test/services/cache.ts';
import { installModules } from '#test/services/javascript.ts';
import { installPackages } from '#test/services/python.ts';
import { generatorOf, PAGE, programOf, run } from './page.ts';

const here = import.meta.dirname;
const installed = {
  typescript: await installModules('openapi-clients-js', join(here, 'javascript')),
  python: await installPackages('openapi-clients', join(here, 'requirements.txt')),
};
const page = readFileSync(join(root, PAGE), 'utf8');

const folder = temporaryFolder('openapi-clients');
let program: Program;
let env: Record<string, string>;

beforeAll(async () => {
  const dataDir = join(folder.path, 'data');
  program = await startProgram({ dataDir });
  env = plainEnvironment({ QINBOX_URL: program.url, QINBOX_KEY: createKey(dataDir), TZ: 'UTC' });
});
afterAll(async () => {
  await program?.stop();
  folder.remove();
});

/** A new folder of this test. */
function makeFolder(name: string): string {
  const path = join(folder.path, name);
  mkdirSync(path);
  return path;
}

/** Its folder, or no test where it is not there. */
function pathOf(found: Sought, skip: (why: string) => never): string {
  if ('path' in found) return found.path;
  if (process.env['REQUIRE_SERVICES'] === '1') throw new Error(found.missing);
  return skip(found.missing);
}

/** What the programs of the page print, and the server has done by then. */
async function expectAsSaid(out: string): Promise<void> {
  const [created, listed, refused, left, live, ...more] = out.trim().split('\n');
  expect(created).toMatch(/^created task_\w+$/);
  expect([listed, refused]).toEqual([
    'listed high Disk 91 % full on nas-2',
    'refused 400 VALIDATION_ERROR content',
  ]);
  expect(left).toMatch(/^requests left \d+$/);
  expect([live, ...more]).toEqual(['live task.created Seen live 1']);
  const answer = await fetch(`${program.url}/api/v1/tasks`, {
    headers: { 'x-api-key': env['QINBOX_KEY'] ?? '' },
  });
  const { tasks } = (await answer.json()) as { tasks: Task[] };
  expect(tasks.map(({ content }) => content)).toEqual(['Seen live']);
  for (const { id } of tasks)
    await fetch(`${program.url}/api/v1/tasks/${id}`, {
      method: 'DELETE',
      headers: { 'x-api-key': env['QINBOX_KEY'] ?? '' },
    });
}

describe('the TypeScript client', () => {
  const CHECKED = {
    compilerOptions: {
      target: 'es2024',
      lib: ['es2024', 'dom', 'dom.iterable'],
      module: 'nodenext',
      types: ['node'],
      strict: true,
      noEmit: true,
      allowImportingTsExtensions: true,
      noUncheckedIndexedAccess: true,
      exactOptionalPropertyTypes: true,
    },
    files: ['example.mts'],
  };

  async function generate(skip: (why: string) => never): Promise<string> {
    const modules = join(pathOf(installed.typescript, skip), 'node_modules');
    const place = makeFolder(`typescript-${Math.random()}`);
    mkdirSync(join(place, 'node_modules', '@types'), { recursive: true });
    for (const name of ['openapi-fetch', 'openapi-typescript', 'openapi-typescript-helpers', '.bin'])
      symlinkSync(join(modules, name), join(place, 'node_modules', name));
    symlinkSync(join(root, 'node_modules/@types/node'), join(place, 'node_modules/@types/node'));
    writeFileSync(join(place, 'package.json'), '{ "type": "commonjs", "private": true }');
    writeFileSync(join(place, 'tsconfig.json'), JSON.stringify(CHECKED));
    await run('bash', ['-euc', generatorOf('openapi-typescript')], place, env);
    return place;
  }
  const check = (place: string) =>
    run(process.execPath, [join(root, 'node_modules/typescript/bin/tsc')], place, env);

  it('is generated, type-checks, and does what the page says', async ({ skip }) => {
    const place = await generate(skip);
    writeFileSync(join(place, 'example.mts'), programOf('ts'));
    await expect(check(place)).resolves.toEqual({ out: '', err: '' });
    const { out } = await run(process.execPath, ['example.mts'], place, env);
    await expectAsSaid(out);
    const wrong = [
      ['content: ', 'contents: '],
      ["priority: 'high'", "priority: 'urgent'"],
      ['error.code', 'error.kode'],
      ['message.task.content', 'message.task.contents'],
      ["case 'queue.reset'", "case 'queue.rest'"],
    ] as const;
    const refused = wrong.map(([from, to]) => programOf('ts').replace(from, to));
    for (const [number, text] of refused.entries()) writeFileSync(join(place, `wrong-${number}.ts`), text);
    const files = wrong.map((_, number) => `wrong-${number}.ts`);
    writeFileSync(join(place, 'tsconfig.json'), JSON.stringify({ ...CHECKED, files }));
    const failed = await check(place).then(
      () => '',
      (error: { stdout: string }) => error.stdout,
    );
    for (const file of files) expect(failed).toContain(`${file}(`);
  });
});

describe('the Python client', () => {
  it('is generated without a warning but for plain text, and does what the page says', async ({ skip }) => {
    const packages = pathOf(installed.python, skip);
    const place = makeFolder('python');
    const own = {
      ...env,
      PATH: `${join(packages, 'bin')}:${env['PATH']}`,
      PYTHONPATH: packages,
      PYTHONDONTWRITEBYTECODE: '1',
    };
    const { out: told, err } = await run('bash', ['-euc', generatorOf('openapi-python-client')], place, own);
    const said = told + err;
    expect(said.match(/^(WARNING|ERROR).*$/gm)).toEqual(['WARNING parsing POST /api/v1/tasks within tasks.']);
    expect(said).toContain('Unsupported content type text/plain');
    writeFileSync(join(place, 'example.py'), programOf('python'));
    const { out } = await run('python3', ['-W', 'error', 'example.py'], place, own);
    await expectAsSaid(out);
  });
});

describe('the page', () => {
  it('installs what the test has', () => {
    const { dependencies } = JSON.parse(readFileSync(join(here, 'javascript/package.json'), 'utf8')) as {
      dependencies: Record<string, string>;
    };
    expect(page).toContain('npm install openapi-fetch\n');
    const [major] = (dependencies['openapi-typescript'] ?? '').split('.');
    expect(page).toContain(`npx --yes openapi-typescript@${major} `);
    const pip = /^pip install (.*)$/m.exec(page)?.[1]?.split(' ') ?? [];
    const pinned = readFileSync(join(here, 'requirements.txt'), 'utf8');
    for (const name of pip) expect(pinned).toMatch(new RegExp(`^${name}==`, 'm'));
    expect(pip.length).toBeGreaterThan(2);
  });
});
