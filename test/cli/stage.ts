// A real server, and the qinbox command of somebody who has a key for it, on a home folder of their own.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import {
  createKey,
  plainEnvironment,
  root,
  startProgram,
  temporaryFolder,
  type Program,
} from '#test/program/program.ts';

export const CLI = join(root, 'cli', 'qinbox.mjs');

/** The command line as one file, which the build of the server makes as well. */
export const ONE_FILE = join(root, 'dist', 'qinbox');

/** The Node of this machine, not that of the project; that where there is no other. */
export function nodeOfMachine(): string {
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  const others = folders.filter((folder) => !folder.includes('node_modules'));
  return others.map((folder) => join(folder, 'node')).find((path) => existsSync(path)) ?? process.execPath;
}

export interface Ran {
  code: number | null;
  out: string;
  err: string;
}

export interface Stage {
  program: Program;
  key: string;
  dataDir: string;
  home: string;
  /** The environment of the command. */
  env: Record<string, string>;
  qinbox: (args: readonly string[], input?: string, env?: Record<string, string>) => Promise<Ran>;
  close: () => Promise<void>;
}

/** `settings` are those of the server. */
export async function startStage(name: string, settings: Record<string, string> = {}): Promise<Stage> {
  const data = temporaryFolder(`${name}-data`);
  const home = temporaryFolder(`${name}-home`);
  const key = createKey(data.path);
  const program = await startProgram({ dataDir: data.path, env: settings });
  const env = plainEnvironment({ HOME: home.path, NODE_NO_WARNINGS: '1', TZ: 'UTC' });
  return {
    program,
    key,
    dataDir: data.path,
    home: home.path,
    env,
    qinbox: (args, input = '', extra = {}) => run([CLI, ...args], { ...env, ...extra }, input),
    close: async () => {
      await program.stop();
      data.remove();
      home.remove();
    },
  };
}

/** Runs a script under this Node to its end. */
function run(args: readonly string[], env: Record<string, string>, input: string): Promise<Ran> {
  return new Promise((done) => {
    const child = spawn(process.execPath, [...args], { env });
    const ran: Ran = { code: null, out: '', err: '' };
    child.stdout.on('data', (data: Buffer) => (ran.out += data.toString()));
    child.stderr.on('data', (data: Buffer) => (ran.err += data.toString()));
    child.stdin.on('error', () => undefined);
    child.on('close', (code) => done({ ...ran, code }));
    child.stdin.end(input);
  });
}
