// Hashes passwords one at a time on a thread of its own, so that nothing else waits for a password.
import { unavailable } from '#core/errors.ts';
import type { PasswordHasher } from '#core/ports/password-hasher.ts';
import { createWorkerThread } from '#core/worker-thread.ts';
import { RECOMMENDED_COST } from './password-hash.ts';
import { createHashQueue, type HashWork, type Waiting } from './queue.ts';

/** How long the thread is kept without work. It holds some 10 MiB. */
const IDLE_MS = 30_000;

/** A `cost` below the recommended one is for tests, which have nothing to protect. */
export function createScryptHasher({ idleMs = IDLE_MS, cost = RECOMMENDED_COST } = {}): PasswordHasher {
  const queue = createHashQueue();
  const thread = createWorkerThread<HashWork, string | boolean>({
    script: new URL('worker.ts', import.meta.url),
    name: 'passwords',
    maxMemoryMb: 64,
    workerData: cost,
    idleMs,
  });
  const fault = (cause: unknown) => unavailable('check of passwords', cause);
  let isBusy = false;

  async function drain(): Promise<void> {
    if (isBusy) return;
    isBusy = true;
    for (let next = queue.shift(); next !== undefined; next = queue.shift())
      try {
        next.resolve(await thread.ask(next.work));
      } catch (error) {
        next.reject(fault(error));
      }
    isBusy = false;
  }

  function run(work: HashWork, attempt: Waiting['attempt']): Promise<string | boolean> {
    return new Promise((resolve, reject) => {
      queue.add({ attempt, work, resolve, reject });
      void drain();
    });
  }

  return {
    hash: async (password, attempt) => String(await run({ kind: 'hash', password }, attempt)),
    verify: async (password, hash, attempt) =>
      (await run({ kind: 'verify', password, hash }, attempt)) === true,
    // A closed thread rejects what waits and everything later.
    close: () => thread.close(),
  };
}
