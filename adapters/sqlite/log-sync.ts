// Syncs the write-ahead log while the event loop goes on, instead of SQLite at each commit
// (`synchronous=NORMAL`). SQLite syncs what a checkpoint needs, so after a cut the file is sound and has all
// that was synced here (sqlite.org/pragma.html#pragma_synchronous, sqlite.org/wal.html).
import { closeSync, fdatasyncSync, openSync } from 'node:fs';
import { createWorkerThread } from '#core/worker-thread.ts';

/**
 * The first syncs of a process are made on the event loop: a start needs two or three, a command as many, and
 * a thread for them would cost 10 MiB and longer than the syncs.
 */
const WITHOUT_THREAD = 4;

/** One thread for all databases, apart from libuv's pool: no write may wait for its other work. */
const thread = createWorkerThread<number, void>({
  script: new URL('sync-worker.ts', import.meta.url),
  name: 'log-sync',
  maxMemoryMb: 32,
  idleMs: 30_000,
});

export interface LogSync {
  /** Resolves when everything in the log is on disk; rejects with the system's error. */
  sync(): Promise<void>;
  /** Closes the log. No sync may be in flight. */
  close(): void;
}

/** Syncs the log of an open database. */
export function createLogSync(file: string): LogSync {
  let log: number | undefined;
  let left = WITHOUT_THREAD;
  return {
    async sync() {
      // SQLite makes the log with the first write. Some systems sync only files that are open for writing.
      log ??= openSync(`${file}-wal`, 'r+');
      if (left > 0) {
        left--;
        fdatasyncSync(log);
      } else await thread.ask(log);
    },
    close() {
      if (log !== undefined) closeSync(log);
      log = undefined;
    },
  };
}
