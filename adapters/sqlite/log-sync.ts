// Puts the write-ahead log on disk, on a thread of its own, so that the event loop goes on meanwhile. SQLite's own sync at each
// commit is off (`synchronous=NORMAL`); it still syncs by itself whatever a checkpoint needs, so a cut at any moment leaves a sound
// file with all that was synced here (sqlite.org/pragma.html#pragma_synchronous, sqlite.org/wal.html).
import { closeSync, openSync } from 'node:fs';
import { syncOnThread } from './sync-thread.ts';

export interface LogSync {
  /** Resolves when everything in the log is on disk; rejects with the system's error. */
  sync(): Promise<void>;
  /** Lets go of the log. Nothing may be syncing. */
  close(): void;
}

/** Syncs the log of an open database, which keeps its log for as long as it is open. */
export function createLogSync(file: string): LogSync {
  let log: number | undefined;
  return {
    async sync() {
      // Made by SQLite with the first write. Some systems sync only what may be written to.
      log ??= openSync(`${file}-wal`, 'r+');
      await syncOnThread(log);
    },
    close() {
      if (log !== undefined) closeSync(log);
      log = undefined;
    },
  };
}
