// The thread that searches, as the event loop sees it: started by the first search that takes longer than a moment, ended when
// nobody has searched for a while. One that dies fails what was asked of it; the next search starts another.
import { Worker } from 'node:worker_threads';
import { unavailable } from '#core/errors.ts';
import type { ScanQuestion, ScanReply } from './scan-worker.ts';
import type { ScanRequest, ScanSlice } from './task-scan.ts';

/** How long the thread is kept with nothing to do. */
const IDLE_MS = 30_000;

export interface ScanThread {
  /** One slice. Slices are read in the order in which they are asked for. Rejects with SERVICE_UNAVAILABLE. */
  scan(request: ScanRequest): Promise<ScanSlice>;
  /** What is under way fails with SERVICE_UNAVAILABLE. Twice is fine. */
  close(): Promise<void>;
}

interface Asked {
  resolve(slice: ScanSlice): void;
  reject(error: Error): void;
}

/** The thread over this database file. */
export function createScanThread(file: string): ScanThread {
  let worker: Worker | undefined;
  let asked = new Map<number, Asked>();
  let lastId = 0;
  let idle: NodeJS.Timeout | undefined;
  let closed = false;

  function start(): Worker {
    const started = new Worker(new URL('scan-worker.ts', import.meta.url), {
      workerData: file,
      name: 'search',
      resourceLimits: { maxOldGenerationSizeMb: 64 },
    });
    started.on('message', receive);
    started.on('error', (error) => bury(started, error));
    started.on('exit', () => bury(started, new Error('The thread that searches has ended.')));
    return started;
  }

  function receive(reply: ScanReply): void {
    const one = asked.get(reply.id);
    asked.delete(reply.id);
    if (asked.size === 0) rest();
    if ('slice' in reply) one?.resolve(reply.slice);
    else one?.reject(unavailable('store', new Error(reply.fault)));
  }

  /** Nothing is under way: the thread keeps no process running, and ends after a while. */
  function rest(): void {
    worker?.unref();
    idle = setTimeout(end, IDLE_MS).unref();
  }

  function end(): void {
    clearTimeout(idle);
    worker?.postMessage(null satisfies ScanQuestion, []);
    worker = undefined;
  }

  function bury(dead: Worker, cause: unknown): void {
    if (worker !== dead) return;
    worker = undefined;
    clearTimeout(idle);
    refuseAll(cause);
  }

  function refuseAll(cause: unknown): void {
    const refused = asked;
    asked = new Map();
    for (const one of refused.values()) one.reject(unavailable('store', cause));
  }

  return {
    scan: (request) =>
      new Promise((resolve, reject) => {
        if (closed) return reject(unavailable('store', new Error('closed')));
        clearTimeout(idle);
        worker ??= start();
        worker.ref();
        const id = ++lastId;
        asked.set(id, { resolve, reject });
        worker.postMessage({ id, request } satisfies ScanQuestion, []);
      }),
    async close() {
      closed = true;
      const open = worker;
      worker = undefined;
      clearTimeout(idle);
      refuseAll(new Error('closed'));
      await open?.terminate();
    },
  };
}
