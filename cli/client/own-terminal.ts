// A terminal for a command that is run where there is one: `script` of util-linux makes another one inside of
// it, so that what the command draws can be read along, which Node alone cannot.
import { spawnSync } from 'node:child_process';
import { accessSync, constants, readFileSync, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/**
 * The command that runs this one in a terminal; null where none is here for all three streams, where it is in
 * the background, which must not touch the terminal, and where `script` is another one.
 */
export function inOwnTerminal(command: readonly string[]): string[] | null {
  const [program = ''] = command;
  const { stdin, stdout, stderr, platform } = process;
  if (platform !== 'linux' || !(stdin.isTTY && stdout.isTTY && stderr.isTTY)) return null;
  if (program.startsWith('-') || !isFound(program) || !isInForeground() || !hasScript()) return null;
  const shell = process.env['SHELL'];
  const restore = shell === undefined ? 'unset SHELL' : `SHELL=${quoted(shell)}`;
  // The shell of the user may quote in another way.
  const line = `${restore}; exec ${command.map(quoted).join(' ')}`;
  return ['env', 'SHELL=/bin/sh', 'script', '-qec', line, '/dev/null'];
}

/** Sends a signal to the command, not to the `script` around it, which would end without its exit code. */
export function signalWithin(pid: number, signal: NodeJS.Signals): void {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim();
  // It has ended by itself meanwhile.
  if (children === '') return;
  try {
    process.kill(Number(children.split(' ')[0]), signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

function quoted(word: string): string {
  return `'${word.replaceAll("'", String.raw`'\''`)}'`;
}

function isFound(program: string): boolean {
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  const files = program.includes('/') ? [program] : folders.map((folder) => join(folder, program));
  return files.some((file) => {
    try {
      accessSync(file, constants.X_OK);
      return statSync(file).isFile();
    } catch {
      return false;
    }
  });
}

/** Whether this process group is the one that the terminal listens to (proc(5), `/proc/pid/stat`). */
function isInForeground(): boolean {
  const stat = readFileSync('/proc/self/stat', 'utf8');
  const [, , group, , , foreground] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return group === foreground;
}

function hasScript(): boolean {
  const { status, stdout } = spawnSync('script', ['--version'], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  return status === 0 && stdout.includes('util-linux');
}
