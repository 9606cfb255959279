// Threads that read mails, each with a limit on the processor time that one mail may take of it. A thread that goes over it is
// ended, as is one that dies; the mail it was at is refused, the others it had are read by its successor.
import { Worker } from 'node:worker_threads';
import { QinboxError } from '#core/errors.ts';
import type { Batch, BatchResult, ThreadData } from './batch.ts';
import type { ReadMail } from './message.ts';

export interface PoolOptions {
  /** Threads at most. */
  size: number;
  /** Processor time that one mail may take of a thread, in milliseconds. */
  timeLimitMs: number;
  /** The module of a thread. */
  script: URL;
}

export interface Pool {
  /** `raw` must not change until this resolves. Throws SERVICE_UNAVAILABLE when closed, or when no thread can be had. */
  read(raw: Uint8Array, nullSender: boolean): Promise<ReadMail>;
  /** What is under way fails with SERVICE_UNAVAILABLE. Twice is fine. */
  close(): Promise<void>;
}

const MAX_BATCH_JOBS = 16;
const MAX_BATCH_BYTES = 1024 * 1024;
/** Batches that wait at a thread while it reads another. */
const BATCHES_AHEAD = 2;
/** Looks at a thread within one time limit, and looks without an answer until it is taken for dead. */
const LOOKS = 4;
const SILENT_LOOKS = 60;
/** Times that threads may die without having begun on anything before a mail is given up. */
const MAX_TRIES = 3;

interface Job {
  id: number;
  raw: Uint8Array;
  nullSender: boolean;
  tries: number;
  resolve(read: ReadMail): void;
  reject(cause: Error): void;
}

interface Thread {
  worker: Worker;
  progress: Int32Array;
  /** Jobs at the thread, by batches. */
  batches: Map<number, Job>[];
  /** The job at hand at the last look, and the processor time in microseconds by then. */
  seen: { id: number; cpuMicros: number } | null;
  looking: boolean;
  silent: number;
  dead: boolean;
}

/** A pool; it starts its threads when they are first needed. */
export function createPool({ size, timeLimitMs, script }: PoolOptions): Pool {
  const threads = new Set<Thread>();
  let queue: Job[] = [];
  let lastId = 0;
  let scheduled = false;
  let closed = false;
  let watch: NodeJS.Timeout | null = null;

  function schedule(): void {
    if (scheduled) return;
    scheduled = true;
    // Once per turn of the loop, so that mails that end together travel together.
    setImmediate(() => {
      scheduled = false;
      dispatch();
    });
  }

  function dispatch(): void {
    while (queue.length > 0 && !closed) {
      const free = [...threads].filter(({ batches }) => batches.length < BATCHES_AHEAD);
      let thread = free.toSorted((a, b) => a.batches.length - b.batches.length)[0];
      if ((thread === undefined || thread.batches.length > 0) && threads.size < size) thread = startThread();
      if (thread === undefined) break;
      send(thread);
    }
    watch ??= [...threads].some(isBusy) ? setInterval(look, Math.max(1, timeLimitMs / LOOKS)) : null;
  }

  function startThread(): Thread {
    const progress = new Int32Array(new SharedArrayBuffer(4));
    const data: ThreadData = { progress };
    const worker = new Worker(script, {
      workerData: data,
      name: 'mail-reader',
      resourceLimits: { maxOldGenerationSizeMb: 256 },
      // Warnings of type stripping and the like are the program's to print, once.
      stderr: false,
    });
    const thread: Thread = {
      worker,
      progress,
      batches: [],
      seen: null,
      looking: false,
      silent: 0,
      dead: false,
    };
    worker.unref();
    worker.on('message', (result: BatchResult) => receive(thread, result));
    worker.on('error', () => bury(thread, 'The mail could not be read.'));
    worker.on('exit', () => bury(thread, 'The mail could not be read.'));
    threads.add(thread);
    return thread;
  }

  function send(thread: Thread): void {
    const jobs: Job[] = [];
    let bytes = 0;
    for (const job of queue) {
      if (jobs.length >= MAX_BATCH_JOBS || (jobs.length > 0 && bytes + job.raw.byteLength > MAX_BATCH_BYTES))
        break;
      jobs.push(job);
      bytes += job.raw.byteLength;
    }
    queue = queue.slice(jobs.length);
    // One copy that moves to the thread; the caller's bytes stay its own, and are there to be read again.
    const all = new Uint8Array(bytes);
    let at = 0;
    for (const { raw } of jobs) {
      all.set(raw, at);
      at += raw.byteLength;
    }
    thread.batches.push(new Map(jobs.map((job) => [job.id, job])));
    thread.worker.ref();
    const batch: Batch = {
      bytes: all,
      jobs: jobs.map(({ id, raw, nullSender }) => ({ id, length: raw.byteLength, nullSender })),
    };
    thread.worker.postMessage(batch, [all.buffer]);
  }

  function receive(thread: Thread, { results }: BatchResult): void {
    for (const { id, read } of results) {
      for (const batch of thread.batches) {
        batch.get(id)?.resolve(read);
        batch.delete(id);
      }
    }
    thread.batches = thread.batches.filter((batch) => batch.size > 0);
    if (!isBusy(thread)) thread.worker.unref();
    if (queue.length > 0) dispatch();
    else if (watch !== null && ![...threads].some(isBusy)) {
      clearInterval(watch);
      watch = null;
    }
  }

  function look(): void {
    for (const thread of threads) if (isBusy(thread)) void lookAt(thread);
  }

  // Processor time of the thread itself, so that a busy machine makes no mail look slow.
  async function lookAt(thread: Thread): Promise<void> {
    const id = Atomics.load(thread.progress, 0);
    if (id !== thread.seen?.id) thread.silent = 0;
    if (thread.looking) {
      if (id !== 0 && ++thread.silent > SILENT_LOOKS) end(thread, id);
      return;
    }
    thread.looking = true;
    try {
      const { user, system } = await thread.worker.cpuUsage();
      const cpuMicros = user + system;
      thread.silent = 0;
      if (id === 0 || id !== thread.seen?.id) thread.seen = { id, cpuMicros };
      else if (cpuMicros - thread.seen.cpuMicros > timeLimitMs * 1000) end(thread, id);
    } catch {
      // It ended meanwhile.
    } finally {
      thread.looking = false;
    }
  }

  function end(thread: Thread, id: number): void {
    if (thread.dead || Atomics.load(thread.progress, 0) !== id) return;
    bury(thread, 'The mail took too long to read.');
    void thread.worker.terminate();
  }

  function bury(thread: Thread, reason: string): void {
    if (thread.dead) return;
    thread.dead = true;
    threads.delete(thread);
    const guilty = Atomics.load(thread.progress, 0);
    const left = thread.batches.flatMap((batch) => [...batch.values()]);
    const again: Job[] = [];
    for (const job of left) {
      if (job.id === guilty) job.resolve({ kind: 'refused', reason });
      else if (guilty === 0 && ++job.tries >= MAX_TRIES) job.reject(unavailable());
      else again.push(job);
    }
    queue = [...again, ...queue];
    if (!closed) dispatch();
  }

  function readApart(raw: Uint8Array, nullSender: boolean): Promise<ReadMail> {
    return new Promise((resolve, reject) => {
      lastId = (lastId % 0x7fffffff) + 1;
      queue.push({ id: lastId, raw, nullSender, tries: 0, resolve, reject });
      schedule();
    });
  }

  function unavailable(): QinboxError {
    return new QinboxError('SERVICE_UNAVAILABLE');
  }

  return {
    read: (raw, nullSender) => (closed ? Promise.reject(unavailable()) : readApart(raw, nullSender)),

    async close() {
      closed = true;
      if (watch !== null) clearInterval(watch);
      watch = null;
      const left = [...threads].flatMap(({ batches }) => batches.flatMap((batch) => [...batch.values()]));
      const ending = [...threads].map(({ worker }) => worker.terminate());
      for (const thread of threads) thread.dead = true;
      threads.clear();
      for (const job of [...left, ...queue]) job.reject(unavailable());
      queue = [];
      await Promise.all(ending);
    },
  };
}

function isBusy(thread: Thread): boolean {
  return thread.batches.length > 0;
}
