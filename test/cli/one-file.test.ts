// The command line as one file: what a machine that reaches the server downloads from it runs there on its
// own Node, wherever it is put.
import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import { nodeOfMachine, startStage, type Stage } from './stage.ts';

const MAX_BYTES = 256 * 1024;

let stage: Stage;
let env: Record<string, string>;
beforeAll(async () => {
  stage = await startStage('cli-one-file');
  // Nothing of this project is on its way.
  env = {
    PATH: `${dirname(nodeOfMachine())}:/usr/bin:/bin`,
    HOME: stage.home,
    QINBOX_URL: stage.program.url,
    QINBOX_KEY: stage.key,
  };
});
afterAll(() => stage?.close());

async function shell(script: string, folder: string): Promise<string> {
  const { stdout } = await promisify(execFile)('bash', ['-euc', script], { env, cwd: folder });
  return stdout;
}

it('is downloaded and used as the documents say, also in the folder of a package of modules', async () => {
  const install = `curl -fsSo qinbox ${stage.program.url}/cli/qinbox && chmod +x qinbox`;
  for (const [name, manifest] of [
    ['plain', null],
    ['modules', '{"type":"module"}'],
  ] as const) {
    const folder = join(stage.home, name);
    mkdirSync(folder);
    if (manifest !== null) writeFileSync(join(folder, 'package.json'), manifest);
    await shell(install, folder);
    const id = await shell(`./qinbox add from ${basename(folder)} -p high`, folder);
    expect(await shell('./qinbox ls', folder)).toContain(`▲ ${id.trim()} from ${name}`);
    expect((await shell(`./qinbox snooze ${id.trim()} tomorrow 08:00`, folder)).trim()).toBe(id.trim());
  }
  expect(await shell(`node --version`, stage.home)).toMatch(/^v\d+\./);
});

it('says which version it is, and carries nothing else of package.json', async () => {
  const folder = join(stage.home, 'version');
  mkdirSync(folder);
  await shell(`curl -fsSo qinbox ${stage.program.url}/cli/qinbox && chmod +x qinbox`, folder);
  for (const option of ['--version', '-V'])
    expect(await shell(`./qinbox ${option}`, folder)).toBe(`qinbox ${manifest.version}\n`);
  expect(readFileSync(join(folder, 'qinbox'), 'utf8')).not.toContain('node scripts/');
});

it('is asked for again when it has changed, and is small', async () => {
  const url = `${stage.program.url}/cli/qinbox`;
  const { status, headers, body } = await fetch(url);
  await body?.cancel();
  expect([status, headers.get('cache-control'), headers.get('content-disposition')]).toEqual([
    200,
    'no-cache',
    'attachment; filename="qinbox"',
  ]);
  expect(headers.get('x-content-type-options')).toBe('nosniff');
  expect(Number(headers.get('content-length'))).toBeLessThan(MAX_BYTES);
  // Not `fetch`, which asks for the whole again.
  const again = await shell(
    `curl -sS -w '%{http_code}' -H 'if-none-match: ${headers.get('etag')}' ${url}`,
    '/',
  );
  expect(again).toBe('304');
});
