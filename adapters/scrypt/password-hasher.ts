// Hashes passwords on a thread of its own, one at a time: no thread that reads, writes or syncs anything ever waits for a password.
// The thread is started with the first one and ended when none came for a while.
import { Worker } from 'node:worker_threads';
import { unavailable } from '#core/errors.ts';
import type { PasswordHasher } from '#core/ports/password-hasher.ts';
import { createHashQueue, type HashWork, type Waiting } from './queue.ts';

/** How long the thread is kept without work. It holds some 10 MiB. */
const IDLE_MS = 30_000;

export function createScryptHasher(idleMs = IDLE_MS): PasswordHasher {
  const queue = createHashQueue();
  let thread: Worker | null = null;
  let current: Waiting | undefined;
  let resting: NodeJS.Timeout | undefined;
  let closed = false;

  function start(): Worker {
    const started = new Worker(new URL('worker.ts', import.meta.url), {
      name: 'passwords',
      resourceLimits: { maxOldGenerationSizeMb: 64 },
    });
    started.on('message', (result: string | boolean) => {
      const done = current;
      current = undefined;
      done?.resolve(result);
      next();
    });
    started.on('error', (error) => lose(started, error));
    started.on('exit', () => lose(started, new Error('the thread ended')));
    return started;
  }

  // What it was at is refused; what waits goes to another.
  function lose(ended: Worker, error: unknown): void {
    if (ended !== thread) return;
    thread = null;
    current?.reject(unavailable('check of passwords', error));
    current = undefined;
    if (!closed) next();
  }

  function next(): void {
    if (current !== undefined) return;
    current = queue.shift();
    if (current === undefined) return rest();
    clearTimeout(resting);
    thread ??= start();
    thread.ref();
    thread.postMessage(current.work, []);
  }

  function rest(): void {
    thread?.unref();
    clearTimeout(resting);
    resting = setTimeout(() => void end(), idleMs).unref();
  }

  async function end(): Promise<void> {
    clearTimeout(resting);
    const last = thread;
    thread = null;
    await last?.terminate();
  }

  function run(work: HashWork, attempt: Waiting['attempt']): Promise<string | boolean> {
    return new Promise((resolve, reject) => {
      if (closed) throw unavailable('check of passwords', new Error('closed'));
      queue.add({ attempt, work, resolve, reject });
      next();
    });
  }

  return {
    hash: async (password, attempt) => String(await run({ kind: 'hash', password }, attempt)),
    verify: async (password, hash, attempt) =>
      (await run({ kind: 'verify', password, hash }, attempt)) === true,
    async close() {
      closed = true;
      const refusal = unavailable('check of passwords', new Error('closed'));
      current?.reject(refusal);
      current = undefined;
      for (let waiting = queue.shift(); waiting !== undefined; waiting = queue.shift())
        waiting.reject(refusal);
      await end();
    },
  };
}
