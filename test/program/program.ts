// Runs the real program as a child process on a free port of 127.0.0.1 with a data folder of its own, for the
// tests and measurements that must see what an operator sees. Every child is killed with its parent at the
// latest.
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import nodeEnv from '../../scripts/parts/node-env.json' with { type: 'json' };
import flags from '../../scripts/parts/node-flags.json' with { type: 'json' };
import { freePort } from './ports.ts';
import { waitFor } from './wait.ts';

export { freePort };

export const root = resolve(import.meta.dirname, '../..');

const running = new Set<ChildProcess>();
const serverPids = new WeakMap<ChildProcess, number>();
process.on('exit', () => {
  for (const child of running) {
    const pid = serverPids.get(child) ?? child.pid;
    if (pid !== undefined) process.kill(pid, 'SIGKILL');
  }
});

/** The environment of child processes: no settings of this process, and nothing of the test runner. */
export function plainEnvironment(extra: Record<string, string> = {}): Record<string, string> {
  const { PATH = '', HOME = '', LANG = 'C.UTF-8', NODE_COMPILE_CACHE } = process.env;
  const cache = NODE_COMPILE_CACHE === undefined ? {} : { NODE_COMPILE_CACHE };
  return { PATH: `${join(root, 'node_modules', '.bin')}:${PATH}`, HOME, LANG, ...cache, ...extra };
}

export interface ProgramOptions {
  dataDir: string;
  port?: number;
  env?: Record<string, string>;
  /** What to run the server under, for example `['taskset', '-c', '0']` or strace. */
  under?: readonly string[];
  /** The checkout whose server it is, built there; this one unless given. */
  folder?: string;
}

export interface Program {
  readonly url: string;
  readonly port: number;
  /** Process id of the server itself, also when it runs under a tracer. */
  readonly pid: number;
  /** Everything printed so far. */
  output(): string;
  /** Ends it as a power cut would; resolves when it is gone. */
  kill(): Promise<void>;
  /** Asks it to end, by SIGTERM as a rule; resolves with its exit code. */
  stop(signal?: NodeJS.Signals): Promise<number | null>;
}

/** A folder that does not exist before, and a way to remove it. */
export function temporaryFolder(name: string): { path: string; remove: () => void } {
  const path = mkdtempSync(join(tmpdir(), `qinbox-${name}-`));
  // A process that was killed may have a child that still closes its files.
  const options = { recursive: true, force: true, maxRetries: 10, retryDelay: 100 };
  return { path, remove: () => rmSync(path, options) };
}

/** Starts a script under this Node and resolves when `ready` does. */
export async function startScript(
  script: string,
  args: readonly string[],
  env: Record<string, string>,
  under: readonly string[] = [],
): Promise<{ child: ChildProcess; output: () => string }> {
  const [command = process.execPath, ...rest] = [...under, process.execPath, ...flags, script, ...args];
  const child = spawn(command, rest, { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'] });
  running.add(child);
  child.once('exit', () => running.delete(child));
  const chunks: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk: Buffer) => chunks.push(chunk));
  await once(child, 'spawn');
  return { child, output: () => Buffer.concat(chunks).toString() };
}

let built = false;

/** Builds the web app and the server where their sources changed. Blocks meanwhile. */
export function buildOnce(): void {
  if (!built) runOnce(process.execPath, ['scripts/build.mjs', '--if-needed'], root, {});
  built = true;
}

/** The script of the server: of this checkout, built from the sources as they are, or of another one. */
export function serverScript(folder = root): string {
  if (folder === root) buildOnce();
  return join(folder, 'dist', 'server.js');
}

/** Starts Qinbox and resolves as soon as it is ready to serve. */
export async function startProgram(options: ProgramOptions): Promise<Program> {
  const port = options.port ?? (await freePort());
  const url = `http://127.0.0.1:${port}`;
  const env = plainEnvironment({
    PORT: String(port),
    DATA_DIR: options.dataDir,
    ...nodeEnv,
    SMTP_PORT: 'off',
    LOG_LEVEL: 'warn',
    ...options.env,
  });
  const { child, output } = await startScript(serverScript(options.folder), [], env, options.under);
  const gone = () => child.exitCode !== null || child.signalCode !== null;
  await waitFor(`Qinbox on port ${port}`, async () => {
    if (gone()) throw new Error(`Qinbox ended before it was ready:\n${output()}`);
    return (await fetch(`${url}/ready`).catch(() => null))?.ok === true;
  });
  const pid = serverBelow(child.pid ?? 0);
  serverPids.set(child, pid);
  return {
    url,
    port,
    pid,
    output,
    kill: () => end(child, 'SIGKILL', pid),
    stop: async (signal = 'SIGTERM') => {
      await end(child, signal, pid);
      return child.exitCode;
    },
  };
}

// taskset becomes the server; strace stays beside it as its parent, and takes its exit code.
function serverBelow(pid: number): number {
  const name = readFileSync(`/proc/${pid}/comm`, 'utf8').trim();
  if (name !== 'strace') return pid;
  return Number(readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ')[0]);
}

/** Sends a signal, to the child or to the process below it, and resolves when the child is gone. */
export async function end(child: ChildProcess, signal: NodeJS.Signals, pid = child.pid): Promise<void> {
  if (pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const exit = once(child, 'exit');
  process.kill(pid, signal);
  await exit;
}

/** Runs a program to its end and returns what it printed on stdout; an exit code other than 0 is an error. */
export function runOnce(
  command: string,
  args: readonly string[],
  folder: string,
  env: Record<string, string>,
): string {
  const ran = spawnSync(command, args, { cwd: folder, env: plainEnvironment(env), encoding: 'utf8' });
  if (ran.status !== 0)
    throw new Error(`${command} ${args.join(' ')} ended with ${ran.status}: ${ran.stderr}`);
  return ran.stdout;
}

/** The script of all commands: of this checkout, built from the sources as they are, or of another one. */
export function commandLine(folder = root): string {
  if (folder !== root) return join(folder, 'cli', 'qinbox.mjs');
  buildOnce();
  return join(root, 'dist', 'command-line.js');
}

/** Runs the `qinbox` command, of a checkout, on a data folder; returns what it printed on stdout. */
export function runCommand(
  dataDir: string,
  args: readonly string[],
  env: Record<string, string> = {},
  folder = root,
): string {
  return runOnce(process.execPath, [commandLine(folder), ...args], folder, {
    DATA_DIR: dataDir,
    ...env,
  });
}

/** Makes an API key through the command line, of a checkout, as an operator would. */
export function createKey(
  dataDir: string,
  email = 'me@example.com',
  scopes = 'read,write',
  folder = root,
): string {
  const about = ['--email', email, '--name', 'test', '--scopes', scopes];
  const printed = runCommand(dataDir, ['key', 'create', ...about, '--json'], {}, folder);
  return (JSON.parse(printed) as { key: string }).key;
}

/** Makes a one-time sign-in link through the command line. */
export function createSignInLink(dataDir: string, publicUrl: string, email = 'me@example.com'): string {
  const printed = runCommand(dataDir, ['signin-link', '--email', email, '--json'], { PUBLIC_URL: publicUrl });
  return (JSON.parse(printed) as { url: string }).url;
}
