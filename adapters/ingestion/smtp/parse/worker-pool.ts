// Threads that read one mail at a time, with a limit on processor time. A thread over it is ended, and its
// mail refused, as is one that its thread died of. A busy thread is given the next mails already, so that it
// need not be woken for each; when it ends, another thread reads those.
import { Worker } from 'node:worker_threads';
import { QinboxError } from '#core/errors.ts';
import type { ReadMail } from './mail.ts';
import type { ParseRequest, WorkerMessage } from './worker.ts';

export interface PoolOptions {
  /** Threads at most. */
  size: number;
  /** Mails that a thread is given at a time. */
  depth: number;
  /** Processor time that one mail may take of a thread, in milliseconds. */
  timeLimitMs: number;
  /** The module of a thread. */
  script: URL;
}

/** Measurements of a thread within one time limit. */
const CHECKS_PER_LIMIT = 4;
/** Measurements without an answer before a thread counts as hung. */
const MAX_UNANSWERED = 60;
/** A thread that has no answer after so long waits for something that never comes. */
const MAX_WAIT_MS = 120_000;
/** Threads that may die before they are ready until a mail is given up. */
const MAX_TRIES = 3;

interface Job extends ParseRequest {
  tries: number;
  resolve(read: ReadMail): void;
  reject(cause: Error): void;
}

interface Thread {
  worker: Worker;
  /** The mails that it was given, in the order in which it reads them. */
  jobs: Job[];
  /** When it began with the first of them, on a clock that never jumps. */
  begunAt: number;
  /** Whether it has loaded its modules. */
  isReady: boolean;
  /** The job at the last measurement, and the processor time of the thread by then in microseconds. */
  measured: { job: Job; cpuMicros: number } | null;
  isMeasuring: boolean;
  unanswered: number;
}

/** A pool; it starts a thread when no other is free. */
export function createPool({ size, depth, timeLimitMs, script }: PoolOptions) {
  const threads = new Set<Thread>();
  const queue: Job[] = [];
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;

  function dispatch(): void {
    while (!isClosed && queue.length > 0) {
      const thread = nextThread();
      const job = thread === undefined ? undefined : queue.shift();
      if (thread === undefined || job === undefined) break;
      assign(thread, job);
    }
    const isBusy = [...threads].some(({ jobs }) => jobs.length > 0);
    if (isBusy) {
      const everyMs = Math.max(1, timeLimitMs / CHECKS_PER_LIMIT);
      timer ??= setInterval(() => threads.forEach((thread) => void check(thread)), everyMs);
    } else {
      clearInterval(timer);
      timer = undefined;
    }
  }

  /** A free thread, a new one, or the one with the fewest mails if it may have more. */
  function nextThread(): Thread | undefined {
    const [idlest] = [...threads].toSorted((a, b) => a.jobs.length - b.jobs.length);
    if (idlest?.jobs.length !== 0 && threads.size < size) return start();
    return idlest !== undefined && idlest.jobs.length < depth ? idlest : undefined;
  }

  function start(): Thread {
    const worker = new Worker(script, {
      name: 'mail-reader',
      resourceLimits: { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 12 },
    });
    const thread: Thread = {
      worker,
      jobs: [],
      begunAt: 0,
      isReady: false,
      measured: null,
      isMeasuring: false,
      unanswered: 0,
    };
    worker.on('message', (message: WorkerMessage) => {
      thread.isReady = true;
      if (message !== null) finish(thread, message);
    });
    worker.on('error', () => end(thread, 'The mail could not be read.'));
    worker.on('exit', () => end(thread, 'The mail could not be read.'));
    threads.add(thread);
    return thread;
  }

  function finish(thread: Thread, read: ReadMail): void {
    thread.jobs.shift()?.resolve(read);
    thread.begunAt = performance.now();
    if (thread.jobs.length === 0) thread.worker.unref();
    dispatch();
  }

  /** Ends a thread; another reads its mails, but for the one that it was at. */
  function end(thread: Thread, reason: string): void {
    if (!threads.delete(thread)) return;
    const { jobs, isReady, worker } = thread;
    const [first] = jobs;
    if (isReady) jobs.shift()?.resolve({ kind: 'refused', reason });
    else if (first !== undefined && ++first.tries >= MAX_TRIES)
      jobs.shift()?.reject(new QinboxError('SERVICE_UNAVAILABLE'));
    queue.unshift(...jobs);
    void worker.terminate();
    dispatch();
  }

  async function check(thread: Thread): Promise<void> {
    if (await exceeds(thread, timeLimitMs)) end(thread, 'The mail took too long to read.');
  }

  return {
    /** `raw` must not change until this resolves. SERVICE_UNAVAILABLE when closed or no thread starts. */
    read: (raw: Uint8Array, nullSender: boolean): Promise<ReadMail> =>
      new Promise((resolve, reject) => {
        if (isClosed) return reject(new QinboxError('SERVICE_UNAVAILABLE'));
        queue.push({ raw, nullSender, tries: 0, resolve, reject });
        dispatch();
      }),
    /** Fails the mails in flight with SERVICE_UNAVAILABLE. Twice is fine. */
    async close(): Promise<void> {
      isClosed = true;
      clearInterval(timer);
      const jobs = [...threads].flatMap((thread) => thread.jobs);
      for (const job of [...jobs, ...queue.splice(0)]) job.reject(new QinboxError('SERVICE_UNAVAILABLE'));
      const ending = [...threads].map(({ worker }) => worker.terminate());
      threads.clear();
      await Promise.all(ending);
    },
  };
}

function assign(thread: Thread, job: Job): void {
  if (thread.jobs.push(job) === 1) thread.begunAt = performance.now();
  thread.worker.ref();
  // A copy that moves to the thread: the caller's bytes stay its own.
  const raw = new Uint8Array(job.raw);
  const request: ParseRequest = { raw, nullSender: job.nullSender };
  thread.worker.postMessage(request, [raw.buffer]);
}

/** Whether the job took more than the limit of the thread's own processor time, on a busy machine as well. */
async function exceeds(thread: Thread, timeLimitMs: number): Promise<boolean> {
  const { worker, isReady } = thread;
  const [job] = thread.jobs;
  if (job === undefined || !isReady) return false;
  if (performance.now() - thread.begunAt > MAX_WAIT_MS) return true;
  if (job !== thread.measured?.job) thread.unanswered = 0;
  if (thread.isMeasuring) return ++thread.unanswered > MAX_UNANSWERED;
  thread.isMeasuring = true;
  try {
    const { user, system } = await worker.cpuUsage();
    if (job !== thread.jobs[0]) return false;
    thread.unanswered = 0;
    if (thread.measured?.job !== job) thread.measured = { job, cpuMicros: user + system };
    return user + system - thread.measured.cpuMicros > timeLimitMs * 1000;
  } catch {
    // The thread ended meanwhile.
    return false;
  } finally {
    thread.isMeasuring = false;
  }
}
