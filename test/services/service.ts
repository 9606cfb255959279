// One server that tests talk to: started on a free port of 127.0.0.1 with a folder of its own, or found by
// its URL.
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { existsSync } from 'node:fs';
import { freePort } from '#test/program/program.ts';
import { waitFor } from '#test/program/wait.ts';

export interface Service {
  url: string;
  /** Its name and version for people: `MongoDB 6.0.5`. */
  kind: string;
  /** Of the server's process, to stop or kill it; null when it was found and is somebody else's. */
  pid: number | null;
  /** Ends it as a power cut would; its data stays. Rejects for a service that is somebody else's. */
  kill(): Promise<void>;
  /** Starts it again after {@link kill}, on the same port and data. */
  restart(): Promise<void>;
  /** Ends it and removes its data. Twice is fine. */
  stop(): Promise<void>;
}

/** A service, or why there is none on this machine. */
export type Found = { service: Service } | { missing: string };

const running = new Set<ChildProcess>();
const folders = new Set<string>();
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL');
  for (const folder of folders) remove(folder);
});

/** A server that was killed may take a moment to let go of its files. */
function remove(folder: string): void {
  rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
  folders.delete(folder);
}

/** The path of a program, or null. */
export function findProgram(name: string): string | null {
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  return folders.map((folder) => join(folder, name)).find((path) => existsSync(path)) ?? null;
}

/** A service that was started by somebody else. */
export function foundService(url: string, kind: string): Service {
  const refuse = () => Promise.reject(new Error(`${kind} is not ours to stop`));
  return { url, kind, pid: null, kill: refuse, restart: refuse, stop: () => Promise.resolve() };
}

/** How to run a server on this port with this folder. */
export interface Recipe {
  kind: string;
  command(port: number, folder: string): [program: string, ...args: string[]];
  url(port: number): string;
  /** Resolves when a server whose port answers can be used. May be called again after a restart. */
  prepare?(port: number): Promise<void>;
}

/**
 * Starts a server; resolves when its port answers. One that does not is ended, and the fault says what it
 * complained.
 */
export async function startService(recipe: Recipe): Promise<Service> {
  const port = await freePort();
  const folder = mkdtempSync(join(tmpdir(), 'qinbox-service-'));
  folders.add(folder);
  let child: ChildProcess | undefined;

  async function start(): Promise<void> {
    const [program, ...args] = recipe.command(port, folder);
    const started = spawn(program, args, { stdio: ['ignore', 'ignore', 'pipe'] });
    let complaint = '';
    started.stderr.on('data', (chunk: Buffer) => (complaint = (complaint + chunk.toString()).slice(-2000)));
    started.once('error', (error) => (complaint += error.message));
    running.add(started);
    started.once('exit', () => running.delete(started));
    child = started;
    await waitFor(`${recipe.kind} to answer`, async () => {
      if (started.exitCode !== null || started.pid === undefined)
        throw new Error(`${recipe.kind} did not start: ${complaint}`);
      return answers(port);
    });
    await recipe.prepare?.(port);
  }
  async function kill(): Promise<void> {
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  }

  await start().catch(async (error: unknown) => {
    await kill();
    remove(folder);
    throw error;
  });
  return {
    url: recipe.url(port),
    kind: recipe.kind,
    get pid() {
      return child?.pid ?? null;
    },
    kill,
    restart: start,
    async stop() {
      await kill();
      remove(folder);
    },
  };
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}
