// `qinbox run`: the command runs as it would alone, and a task is there exactly while its last run failed.
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import type { Task } from '#core/contract/index.ts';
import { freePort } from '#test/program/program.ts';
import { CLI, startStage, type Stage } from './stage.ts';
import { openTerminal, type Terminal } from './terminal.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await startStage('cli-run');
  Object.assign(stage.env, { QINBOX_URL: stage.program.url, QINBOX_KEY: stage.key });
});
afterAll(() => stage?.close());

const list = async () => JSON.parse((await stage.qinbox(['ls', '--json'])).out) as Task[];
// The same command each time: what it does is in its environment.
const SCRIPT = 'seq 30; cat; echo "$WORD" >&2; exit $CODE';
const runScript = (code: number, word: string, ...options: string[]) =>
  stage.qinbox(['run', ...options, '--', 'sh', '-c', SCRIPT], 'given', { CODE: String(code), WORD: word });

it('makes one task of repeated failures, with the latest lines, and closes it when the command succeeds', async () => {
  const first = await runScript(3, 'first word');
  expect([first.code, first.out.endsWith('30\ngiven'), first.err]).toEqual([3, true, 'first word\n']);
  expect((await runScript(4, 'second word')).code).toBe(4);
  const [task, ...others] = await list();
  expect(others).toEqual([]);
  expect(task).toMatchObject({ occurrences: 2, source: 'run' });
  expect(task?.content).toMatch(/^sh -c .* failed \(exit 4, after [^)]+\)\n\n/);
  expect(task?.content).toContain('second word');
  expect(task?.content.split('\n').length).toBe(22);
  expect(await runScript(0, 'fine')).toMatchObject({ code: 0, err: 'fine\n' });
  expect(await list()).toEqual([]);
});

it('passes on signals and what cannot be started, under a name and a key of your own', async () => {
  const killed = await stage.qinbox([
    'run',
    '--name',
    'backup',
    '--key',
    'k',
    '--',
    'sh',
    '-c',
    'kill -9 $$',
  ]);
  expect(killed.code).toBe(137);
  expect((await list())[0]?.content).toMatch(/^backup failed \(SIGKILL, after /);
  const missing = await stage.qinbox(['run', '--name', 'backup', '--key', 'k', '--', 'no-such-command-here']);
  expect(missing.code).toBe(127);
  expect((await list())[0]).toMatchObject({
    content: 'backup could not be started (command not found)',
    occurrences: 2,
  });
  const done = await stage.qinbox(['run', '--key', 'k', '--always', '--name', 'backup', '--', 'true']);
  expect(done.code).toBe(0);
  expect((await list()).map(({ content }) => content)).toEqual([
    expect.stringMatching(/^backup succeeded \(after /),
  ]);
});

it('passes on the exit code when the server is away, and says that no task was made', async () => {
  const env = { QINBOX_URL: `http://127.0.0.1:${await freePort()}` };
  const ran = await stage.qinbox(['run', '--', 'sh', '-c', 'echo out; exit 5'], '', env);
  expect([ran.code, ran.out]).toEqual([5, 'out\n']);
  expect(ran.err).toMatch(/^qinbox: no task was made: \S+ does not answer [^\n]*\n$/);
  expect((await stage.qinbox(['run'])).code).toBe(2);
});

it('runs nothing where options may be meant for the command or for itself, and says what to do', async () => {
  for (const words of [
    ['sh', '-c', 'echo ran', '-h'],
    ['echo', 'ran', '-p', 'high'],
    ['echo', '--', 'ran'],
    ['--name', 'x', 'echo', '--full'],
  ]) {
    const { code, out, err } = await stage.qinbox(['run', ...words]);
    expect([words, code, out]).toEqual([words, 2, '']);
    expect(err).toMatch(/^qinbox: put -- before "(sh|echo)": [^\n]+\nUsage: qinbox run /);
  }
  expect(await stage.qinbox(['run', 'echo', 'ran'])).toMatchObject({ code: 0, out: 'ran\n' });
  expect(await stage.qinbox(['run', '-h'])).toMatchObject({ code: 0, err: '' });
});

function runInTerminal(script: string): Terminal {
  const command = [process.execPath, CLI, 'run', '--name', 'drawing', '--', 'sh', '-c', script];
  const terminal = openTerminal(command, { env: { ...stage.env, SHELL: '/bin/sh' }, columns: 70, rows: 20 });
  onTestFinished(terminal.kill);
  return terminal;
}

it.skipIf(process.platform !== 'linux')(
  'gives the command a terminal where it has one, with its keys and its size',
  async () => {
    const size = 'test -t 0 && test -t 1 && test -t 2 && stty size';
    const resized = 'while test "$(stty size)" = "20 70"; do sleep 0.1; done; stty size';
    const terminal = runInTerminal(`${size}; read -r word; echo "got $word"; ${resized}; kill -KILL $$`);
    await terminal.shows('20 70');
    terminal.resize(50, 10);
    terminal.type('a word\r');
    await terminal.shows('10 50');
    expect(await terminal.ended).toBe(137);
    const [task] = await list();
    expect(task?.content).toMatch(
      /^drawing failed \(SIGKILL, after [^)]+\)\n\n20 70\na word\ngot a word\n10 50$/,
    );
    expect(task?.metadata).toMatchObject({ exitCode: 137, signal: 'SIGKILL' });
  },
);

it.skipIf(process.platform !== 'linux')(
  'leaves Ctrl-C to the command there, and passes on a signal to itself',
  async () => {
    const traps = 'trap "echo stopped" INT; trap "echo ended; exit 9" TERM';
    const terminal = runInTerminal(`${traps}; echo "it's $PPID"; while :; do sleep 0.1; done`);
    const [, pid = ''] = /it's (\d+)/.exec(await terminal.shows(/it's \d+/)) ?? [];
    terminal.type('\u0003');
    await terminal.shows('stopped');
    // Of `script`, whose parent is the command line.
    const [, , parent] = /^\d+ \(.*\) (.) (\d+)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? [];
    process.kill(Number(parent), 'SIGTERM');
    expect(await terminal.ended).toBe(9);
    expect(terminal.raw()).toContain('ended');
  },
);
