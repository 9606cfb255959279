// A real server, and the qinbox command of somebody who has a key for it, on a home folder of their own.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import {
  createKey,
  plainEnvironment,
  root,
  startProgram,
  temporaryFolder,
  type Program,
} from '#test/program/program.ts';

export const CLI = join(root, 'cli', 'qinbox.mjs');

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

export async function startStage(name: string): Promise<Stage> {
  const data = temporaryFolder(`${name}-data`);
  const home = temporaryFolder(`${name}-home`);
  const key = createKey(data.path);
  const program = await startProgram({ dataDir: data.path });
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
