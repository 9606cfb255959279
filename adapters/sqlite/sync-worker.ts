// In the thread that waits for the disk: syncs and checkpoints, one after another.
import { fdatasyncSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { answerOnThread } from '#core/worker-thread.ts';

/** An open file to sync, or the path of a database whose log is to be copied into it. */
export type DiskWork = number | string;

answerOnThread((work: DiskWork) => (typeof work === 'number' ? fdatasyncSync(work) : checkpoint(work)));

// To open the file for each takes 0.1 ms, and leaves nothing that would have to be closed with the storage.
function checkpoint(file: string): void {
  const db = new DatabaseSync(file);
  try {
    db.exec('PRAGMA wal_checkpoint(PASSIVE)');
  } finally {
    db.close();
  }
}
