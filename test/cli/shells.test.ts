// Completion and man page: what real shells offer, and what readers of man pages take without a complaint.
// And what a shell sees of an output that goes nowhere.
import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { root } from '#test/program/program.ts';
import { findProgram } from '#test/services/service.ts';
import { wholeManPage } from '../../scripts/man-page.ts';
import { nodeOfMachine, ONE_FILE, startStage, type Stage } from './stage.ts';
import { openTerminal, type Terminal } from './terminal.ts';

let stage: Stage;
let bin: string;
let first: string;
let env: Record<string, string>;
/** The scripts for completion, with the operator's commands. */
const files: Record<string, string> = {};

beforeAll(async () => {
  stage = await startStage('cli-shells');
  bin = join(stage.home, 'bin');
  mkdirSync(bin);
  writeFileSync(join(bin, 'qinbox'), `#!/bin/sh\nexec '${nodeOfMachine()}' '${ONE_FILE}' "$@"\n`);
  chmodSync(join(bin, 'qinbox'), 0o755);
  env = {
    ...stage.env,
    PATH: `${bin}:${stage.env['PATH']}`,
    QINBOX_URL: stage.program.url,
    QINBOX_KEY: stage.key,
  };
  first = (await stage.qinbox(['add', "it's $(touch pwned) `here` \\ : [x]"], '', env)).out.trim();
  for (const shell of ['bash', 'zsh', 'fish']) {
    files[shell] = join(stage.home, `completion.${shell}`);
    writeFileSync(files[shell], (await stage.qinbox(['completion', shell])).out);
  }
});
afterAll(() => stage?.close());

/** What each line is completed to: the word that it ends with is the one under the cursor. */
const CASES: readonly (readonly [line: string, has: readonly string[], hasNot: readonly string[]])[] = [
  ['qinbox sn', ['snooze'], ['ls']],
  ['qinbox k', ['key'], ['key create']],
  ['qinbox --v', ['--version'], ['--help']],
  ['qinbox key --v', [], ['--version']],
  ['qinbox key ', ['create', 'list', 'revoke'], ['add']],
  ['qinbox help us', ['user'], ['add']],
  ['qinbox add --pri', ['--priority'], ['--pin']],
  ['qinbox add text -p ', ['high', 'normal', 'low'], ['--pin']],
  ['qinbox key create --em', ['--email'], ['--days']],
  ['qinbox completion ', ['bash', 'zsh', 'fish'], []],
  ['qinbox export --to key', ['key.txt'], []],
  ['qinbox ls --search ', [], ['--tag', 'key.txt']],
];

function run(
  shell: string,
  args: readonly string[],
): Promise<{ code: number | null; out: string; err: string }> {
  return new Promise((done) => {
    const child = spawn(shell, args, { env, cwd: stage.home });
    const ran = { out: '', err: '' };
    child.stdout.on('data', (data: Buffer) => (ran.out += data.toString()));
    child.stderr.on('data', (data: Buffer) => (ran.err += data.toString()));
    child.on('close', (code) => done({ code, ...ran }));
    child.stdin.end();
  });
}

/** A shell at whose prompt keys are typed. */
function openShell(command: readonly string[]): Terminal {
  const terminal = openTerminal(command, { env, cwd: stage.home, columns: 120 });
  onTestFinished(terminal.kill);
  return terminal;
}

describe('bash', () => {
  /** What bash would offer for each of the lines. */
  async function offers(lines: readonly string[]): Promise<string[][]> {
    const script = [
      `source '${files['bash']}'`,
      'offer() {',
      '  COMP_LINE=$1 COMP_POINT=${#1}',
      '  read -ra COMP_WORDS <<<"$1"',
      '  if [[ $1 == *" " ]]; then COMP_WORDS+=(""); fi',
      '  COMP_CWORD=$((${#COMP_WORDS[@]} - 1))',
      '  _qinbox',
      '  printf "%s\\t" "${COMPREPLY[@]}"; echo',
      '}',
      ...lines.map((line) => `offer '${line}'`),
    ].join('\n');
    const { code, out, err } = await run('bash', ['--norc', '-c', script]);
    expect([code, err]).toEqual([0, '']);
    return out.split('\n').map((line) => line.split('\t').filter((word) => word !== ''));
  }

  it('offers commands, options, values, files and ids, each where it belongs', async () => {
    writeFileSync(join(stage.home, 'key.txt'), '');
    const offered = await offers([
      ...CASES.map(([line]) => line),
      'qinbox ack ',
      'qinbox add --priority = h',
      'qinbox snooze task_x ',
      'qinbox add -- --p',
      'qinbox run -- prin',
    ]);
    for (const [index, [line, has, hasNot]] of CASES.entries()) {
      expect(offered[index], line).toEqual(expect.arrayContaining([...has]));
      for (const word of hasNot) expect(offered[index], line).not.toContain(word);
    }
    const [ids, high, none, text, command] = offered.slice(CASES.length);
    expect([ids, high, none, text]).toEqual([[first], ['high'], [], []]);
    expect(command).toContain('printf');
  });

  it('completes at its prompt, also what follows an equals sign', async () => {
    const terminal = openShell(['bash', '--norc', '-i']);
    terminal.type(`source '${files['bash']}'; PS1='> '; clear\r`);
    await terminal.shows(/^> *\n/);
    terminal.type('qinbox sno\t');
    await terminal.shows('> qinbox snooze');
    terminal.type('\u0015qinbox add --priority=h\t');
    await terminal.shows('--priority=high');
    terminal.type('\u0015qinbox ack task\t');
    expect(await terminal.shows(first)).toContain(`> qinbox ack ${first}`);
  });
});

describe.each(['zsh', 'fish'])('%s', (shell) => {
  it('is on this machine', ({ skip }) => {
    const found = findProgram(shell);
    if (found === null && process.env['REQUIRE_SERVICES'] !== '1') skip(`there is no ${shell} here`);
    expect(found).not.toBeNull();
  });

  it.skipIf(findProgram(shell) === null)('takes the script for its own', async () => {
    expect(await run(shell, ['-n', files[shell] ?? ''])).toEqual({ code: 0, out: '', err: '' });
  });
});

describe.skipIf(findProgram('fish') === null)('fish', () => {
  it('offers the same, each with what it does', async () => {
    writeFileSync(join(stage.home, 'key.txt'), '');
    const lines = [...CASES.map(([line]) => line), 'qinbox ack ', 'qinbox run -- prin', 'qinbox sn'];
    const script = `source ${files['fish']}\n${lines.map((line) => `complete -C '${line}'; echo ---`).join('\n')}\n`;
    const { code, out, err } = await run('fish', ['--no-config', '-c', script]);
    expect([code, err]).toEqual([0, '']);
    const offered = out.split('---\n').map((part) => part.split('\n'));
    const words = offered.map((each) => each.map((line) => line.split('\t')[0]));
    for (const [index, [line, has, hasNot]] of CASES.entries()) {
      expect(words[index], line).toEqual(expect.arrayContaining([...has]));
      for (const word of hasNot) expect(words[index], line).not.toContain(word);
    }
    const [ids, command, described] = offered.slice(CASES.length);
    expect(ids).toContain(`${first}\tit's $(touch pwned) \`here\` \\ : [x]`);
    expect(command?.some((line) => line.startsWith('printf'))).toBe(true);
    expect(described).toContain('snooze\thide a task for a while, or wake it');
  });
});

describe.skipIf(findProgram('zsh') === null)('zsh', () => {
  it('completes at its prompt', async () => {
    const terminal = openShell(['zsh', '-f', '-i']);
    terminal.type(`PS1='> '; autoload -Uz compinit; compinit -D -u; eval "$(cat ${files['zsh']})"; clear\r`);
    await terminal.shows(/^> *\n/);
    terminal.type('qinbox sno\t');
    await terminal.shows('> qinbox snooze');
    terminal.type('\u0015qinbox --v\t');
    await terminal.shows('> qinbox --version');
    terminal.type('\u0015qinbox key create --em\t');
    await terminal.shows('key create --email');
    terminal.type('\u0015qinbox add text --priority hi\t');
    await terminal.shows('--priority high');
    terminal.type('\u0015qinbox export --to completion.f\t');
    await terminal.shows('--to completion.fish');
    terminal.type('\u0015qinbox ack task\t');
    await terminal.shows(`qinbox ack ${first}`);
    terminal.type('\u0015qinbox key \t');
    await terminal.shows('make an API key; it is shown this once');
    terminal.type('\u0015qinbox run -- print\t');
    expect(await terminal.shows('printf')).toContain('> qinbox run -- print');
  });
});

describe('the man page', () => {
  const file = join(root, 'docs', 'cli', 'qinbox.1');

  it('is what scripts/man-page.ts makes of the description', async () => {
    expect(readFileSync(file, 'utf8')).toBe(await wholeManPage());
  });

  it.skipIf(findProgram('man') === null)('is shown by man, without a warning and with every command', () => {
    const { stdout, stderr, status } = spawnSync('man', ['--warnings', file], { env, encoding: 'utf8' });
    expect([status, stderr]).toEqual([0, '']);
    expect(stdout).toContain('qinbox snooze ID FOR [--json]');
  });

  it('opens on a terminal with man, and is printed into a pipe', async () => {
    writeFileSync(join(bin, 'man'), '#!/bin/sh\nprintf "man shows "; head -n 1 "$1"\n', { mode: 0o755 });
    const terminal = openShell(['qinbox', 'man']);
    await terminal.shows('man shows .TH QINBOX 1');
    expect(await terminal.ended).toBe(0);
    expect((await run('qinbox', ['man'])).out).toMatch(/^\.TH QINBOX 1 [^]*qinbox snooze/);
  });
});

describe('an output', () => {
  it.each(['help', 'ls --help', 'man', 'ls'])(
    'of %j that nobody reads ends quietly, and one that its file cannot take in one line',
    async (args) => {
      const unread = await run('bash', ['-c', `qinbox ${args} | true; exit "\${PIPESTATUS[0]}"`]);
      expect(unread).toEqual({ code: 0, out: '', err: '' });
      const full = await run('bash', ['-c', `qinbox ${args} > /dev/full`]);
      expect(full).toEqual({
        code: 1,
        out: '',
        err: 'qinbox: The output cannot be written (ENOSPC).\n',
      });
    },
  );
});
