// The commands about the server itself: run it, and find out what is wrong with it.
import { createServer } from 'node:net';
import { spawn } from 'node:child_process';
import { existsSync, readFileSync, statfsSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Command, Output } from '../command.ts';
import { operatorConfig, withStore } from '../operator.ts';

/** What the server runs with, however it is started. */
const NODE_FLAGS = JSON.parse(
  readFileSync(new URL('../../scripts/parts/node-flags.json', import.meta.url), 'utf8'),
) as string[];
const DAMAGED =
  'the database is damaged; stop the server and put back a backup (docs/operations.md tells what else there is). Found:';
const LOW_DISK_BYTES = 500 * 1024 * 1024;

const serve: Command = {
  name: 'serve',
  usage: '',
  summary: 'run the server',
  async run() {
    const start = fileURLToPath(new URL('../../scripts/start.mjs', import.meta.url));
    const built = fileURLToPath(new URL('../../dist/server.js', import.meta.url));
    // The image has only what was built; elsewhere, it is built from the sources as they are.
    const args = existsSync(start) ? [start] : [...NODE_FLAGS, built];
    const server = spawn(process.execPath, args, { stdio: 'inherit' });
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => server.kill(signal));
    process.exitCode = await new Promise<number>((done) => server.on('exit', (code) => done(code ?? 1)));
  },
};

const doctor: Command = {
  name: 'doctor',
  usage: '',
  summary: 'check configuration, store and port, and say what to do',
  async run(_words, output) {
    const config = operatorConfig();
    output.print('ok    configuration');
    const embedded = config.production === null;
    const store = embedded ? `store in ${resolve(config.dataDir)}` : 'store in MongoDB';
    let sound = await report(output, store, () => withStore(({ storage }) => storage.check()));
    if (embedded && sound) sound = await report(output, 'every page and index of the store', checkStore);
    if (embedded)
      sound = (await report(output, 'disk space', async () => checkDisk(config.dataDir))) && sound;
    else {
      const isQueueSound = await report(output, 'queue in Redis', () =>
        withStore(({ queue }) => queue.check()),
      );
      if (isQueueSound) await warnOfMemory(output);
      sound = isQueueSound && sound;
    }
    const running = await serverAnswers(config.port);
    if (running) output.print(`ok    server on port ${config.port}: it runs`);
    else
      sound =
        (await report(output, `port ${config.port}`, () => checkPort(config.host, config.port))) && sound;
    if (!sound) throw new Error('Something needs attention; see above.');
  },
};

async function report(output: Output, what: string, check: () => Promise<void>): Promise<boolean> {
  try {
    await check();
    output.print(`ok    ${what}`);
    return true;
  } catch (error) {
    output.print(`FAIL  ${what}: ${(error as Error).message}`);
    return false;
  }
}

async function warnOfMemory(output: Output): Promise<void> {
  const memory = await withStore(({ queue }) => queue.memory());
  if (memory?.limitBytes === 0)
    output.print(
      'warn  Redis has no maxmemory: when submissions fill the machine, the system ends it, instead of their being refused. Set one.',
    );
}

async function checkStore(): Promise<void> {
  const findings = await withStore(({ storage }) => storage.verify());
  if (findings.length > 0)
    throw new Error(`${DAMAGED}\n${findings.map((line) => `      ${line}`).join('\n')}`);
}

function checkDisk(folder: string): void {
  const { bavail, bsize } = statfsSync(folder);
  const left = bavail * bsize;
  if (left < LOW_DISK_BYTES)
    throw new Error(`only ${Math.round(left / 1024 / 1024)} MiB are left; free some before writes fail`);
}

async function serverAnswers(port: number): Promise<boolean> {
  try {
    return (await fetch(`http://localhost:${port}/health`, { signal: AbortSignal.timeout(1000) })).ok;
  } catch {
    return false;
  }
}

function checkPort(host: string, port: number): Promise<void> {
  return new Promise((done, fail) => {
    const probe = createServer();
    probe.once('error', (error: NodeJS.ErrnoException) => {
      const isTaken = error.code === 'EADDRINUSE';
      fail(new Error(isTaken ? 'another program uses it; stop that, or set PORT' : error.message));
    });
    probe.listen(port, host, () => probe.close(() => done()));
  });
}

export const serverCommands: Command[] = [serve, doctor];
