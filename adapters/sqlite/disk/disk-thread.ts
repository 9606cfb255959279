// The thread that waits for the disk, asked through shared memory. A message between threads is written,
// queued and read by V8 and Node each time; here a number is stored and the other side woken. One piece of
// work is under way at a time, in the order in which they were asked for.
//
// Both sides store first and wake afterwards. In between the other may see the number, go on, and wait for
// the next one: then it is woken too early. So who is woken looks, and waits again if it has not come.
import { MessageChannel, receiveMessageOnPort, Worker, type MessagePort } from 'node:worker_threads';

/** An open file to sync, or the path of a database whose log is to be copied into it. */
export type DiskWork = number | string;

export interface DiskThread {
  /** Resolves when it is done. Rejects with the system's or SQLite's error, or what ended the thread. */
  ask(work: DiskWork): Promise<void>;
}

/**
 * Places in the shared memory. `asked` counts up with each piece of work, or is {@link ENDED}; `done` follows
 * it. `file` is what to sync, or {@link BY_MESSAGE}. `failed` is 1 where the error is in the port.
 */
export const CELL = { asked: 0, done: 1, file: 2, failed: 3 } as const;
/** Set by the thread when it ends, instead of a number of `asked` that it would not see any more. */
export const ENDED = -1;
/** The path is in the port. */
export const BY_MESSAGE = -1;

/** Memory with all places, each 0. */
export function createCells(): Int32Array<SharedArrayBuffer> {
  return new Int32Array(new SharedArrayBuffer(Object.keys(CELL).length * Int32Array.BYTES_PER_ELEMENT));
}

/** The number after `count`; after the largest, the least. Never {@link ENDED}. */
export function countOn(count: number): number {
  return (count + 1) & 0x7fff_ffff;
}

export interface DiskThreadData {
  memory: SharedArrayBuffer;
  port: MessagePort;
  /** The thread ends when it has not been asked for so long. */
  idleMs: number;
}

export interface DiskError {
  message: string;
  code: unknown;
}

interface Asked {
  work: DiskWork;
  answer: PromiseWithResolvers<void>;
}

/** What belongs to one thread, from its start to its end. */
interface Started {
  thread: Worker;
  cells: Int32Array<SharedArrayBuffer>;
  port: MessagePort;
}

const SCRIPT = new URL('sync-worker.ts', import.meta.url);

/**
 * The first work starts the thread, which ends when it has rested for `idleMs`; the next starts another.
 * `script` is what it runs; another one in tests.
 */
export function createDiskThread(idleMs: number, script = SCRIPT): DiskThread {
  let started: Started | undefined;
  const waiting: Asked[] = [];
  let current: Asked | undefined;

  function start(): Started {
    const cells = createCells();
    const { port1: port, port2 } = new MessageChannel();
    const thread = new Worker(script, {
      name: 'log-sync',
      workerData: { memory: cells.buffer, port: port2, idleMs } satisfies DiskThreadData,
      transferList: [port2],
      resourceLimits: { maxOldGenerationSizeMb: 32 },
    });
    const own: Started = { thread, cells, port };
    const lose = (error: unknown): void => {
      if (started !== own) return;
      started = undefined;
      end(error);
    };
    thread.on('error', lose);
    thread.on('exit', () => {
      // After an end of its own its last work is done, and perhaps not known of here yet.
      if (Atomics.load(own.cells, CELL.asked) !== ENDED) lose(new Error('The thread "log-sync" ended.'));
    });
    return own;
  }

  /** Ends the work that is under way and begins the next. */
  function end(error?: unknown): void {
    // First, since the next may be done as soon as it is begun.
    if (error === undefined) current?.answer.resolve();
    else current?.answer.reject(error);
    current = waiting.shift();
    if (current === undefined) started?.thread.unref();
    else begin(current.work);
  }

  function begin(work: DiskWork): void {
    if (started === undefined || Atomics.load(started.cells, CELL.asked) === ENDED) started = start();
    const own = started;
    const { thread, cells, port } = own;
    // What waits for shared memory does not keep a process running, but its thread does.
    thread.ref();
    cells[CELL.file] = typeof work === 'number' ? work : BY_MESSAGE;
    if (typeof work === 'string') port.postMessage(work);
    const before = cells[CELL.done] as number;
    // The thread may have ended since it was looked at.
    if (Atomics.compareExchange(cells, CELL.asked, before, countOn(before)) === ENDED) return begin(work);
    Atomics.notify(cells, CELL.asked);
    follow(own, before);
  }

  /** Ends the work that is under way once the thread has done more than `before`. */
  function follow(own: Started, before: number): void {
    const woken = Atomics.waitAsync(own.cells, CELL.done, before);
    if (woken.async) void woken.value.then(() => follow(own, before));
    else finish(own);
  }

  function finish(own: Started): void {
    if (started !== own) return;
    const { cells, port } = own;
    if (cells[CELL.failed] === 0) return end();
    const error = receiveMessageOnPort(port)?.message as DiskError | undefined;
    end(Object.assign(new Error(error?.message), { code: error?.code }));
  }

  return {
    ask(work) {
      const answer = Promise.withResolvers<void>();
      const asked = { work, answer };
      if (current === undefined) {
        current = asked;
        begin(work);
      } else waiting.push(asked);
      return answer.promise;
    },
  };
}
