// The thread that waits for the disk: one for all databases of the process, started with the first sync. Not one of libuv's, which
// also inflate, hash, look up names and read files, first come, first served: no write may wait for any of that.
import { Worker } from 'node:worker_threads';
import type { SyncRequest, SyncResult } from './sync-worker.ts';

interface Waiting {
  resolve: () => void;
  reject: (error: Error) => void;
}

const waiting = new Map<number, Waiting>();
let thread: Worker | null = null;
let next = 0;

/** Resolves when all that was written to the open file `fd` is on disk (fdatasync); rejects with the system's error. */
export function syncOnThread(fd: number): Promise<void> {
  return new Promise((resolve, reject) => {
    thread ??= start();
    const id = next++;
    waiting.set(id, { resolve, reject });
    // The thread keeps the process alive only while somebody waits for it.
    thread.ref();
    thread.postMessage({ id, fd } satisfies SyncRequest, []);
  });
}

function start(): Worker {
  const started = new Worker(new URL('sync-worker.ts', import.meta.url), {
    name: 'log-sync',
    resourceLimits: { maxOldGenerationSizeMb: 32 },
  });
  started.on('message', ({ id, fault }: SyncResult) => {
    const done = waiting.get(id);
    waiting.delete(id);
    if (waiting.size === 0) started.unref();
    if (fault === null) done?.resolve();
    else done?.reject(Object.assign(new Error(fault.message), { code: fault.code }));
  });
  started.on('error', (error: Error) => lose(started, error));
  started.on('exit', () => lose(started, new Error('The thread that syncs ended.')));
  return started;
}

// What it was to sync is not known to be on disk.
function lose(ended: Worker, error: Error): void {
  if (ended !== thread) return;
  thread = null;
  for (const { reject } of waiting.values()) reject(error);
  waiting.clear();
}
