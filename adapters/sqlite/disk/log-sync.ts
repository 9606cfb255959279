// Syncs the write-ahead log while the event loop goes on, instead of SQLite at each commit
// (`synchronous=NORMAL`), and makes its checkpoints in the same way. SQLite syncs what a checkpoint needs, so
// after a cut the file is sound and has all that was synced here (sqlite.org/pragma.html#pragma_synchronous,
// sqlite.org/wal.html).
import { closeSync, fdatasyncSync, openSync } from 'node:fs';
import { createDiskThread } from './disk-thread.ts';

/**
 * The first syncs of a process are made on the event loop: a start needs two or three, a command as many, and
 * a thread for them would cost 10 MiB and longer than the syncs.
 */
const WITHOUT_THREAD = 4;
const IDLE_MS = 30_000;

/** One thread for all databases, apart from libuv's pool: no write may wait for its other work. */
const thread = createDiskThread(IDLE_MS);

export interface LogSync {
  /** Resolves when everything in the log is on disk; rejects with the system's error. */
  sync(): Promise<void>;
  /**
   * Copies what the log holds into the file, so that the next transaction begins the log anew: for that no
   * other may run meanwhile. Rejects with SQLite's error; the log is as durable as the file, so a checkpoint
   * may fail, or copy only what no reader needs, and be made later.
   */
  checkpoint(): Promise<void>;
  /** Closes the log. No sync and no checkpoint may be in flight. */
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
    checkpoint: () => thread.ask(file),
    close() {
      if (log !== undefined) closeSync(log);
      log = undefined;
    },
  };
}
