// In the thread that waits for the disk: syncs and checkpoints, one after another.
import { fdatasyncSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { receiveMessageOnPort, workerData } from 'node:worker_threads';
import { BY_MESSAGE, CELL, countOn, ENDED, type DiskError, type DiskThreadData } from './disk-thread.ts';

const { memory, port, idleMs } = workerData as DiskThreadData;
const cells = new Int32Array(memory);

for (let done = 0; isAskedAfter(done);) {
  cells[CELL.failed] = 0;
  try {
    work();
  } catch (error) {
    const { message, code } = error as NodeJS.ErrnoException;
    port.postMessage({ message, code } satisfies DiskError);
    cells[CELL.failed] = 1;
  }
  done = countOn(done);
  Atomics.store(cells, CELL.done, done);
  Atomics.notify(cells, CELL.done);
}

/** Waits for more than `done` pieces of work; false where there was none for so long that the thread ends. */
function isAskedAfter(done: number): boolean {
  while (Atomics.load(cells, CELL.asked) === done)
    if (Atomics.wait(cells, CELL.asked, done, idleMs) === 'timed-out')
      // Unless it was asked in this moment.
      return Atomics.compareExchange(cells, CELL.asked, done, ENDED) !== done;
  return true;
}

function work(): void {
  const file = cells[CELL.file] as number;
  if (file === BY_MESSAGE) checkpoint(receiveMessageOnPort(port)?.message as string);
  else fdatasyncSync(file);
}

// To open the file for each takes 0.1 ms, and leaves nothing that would have to be closed with the storage.
function checkpoint(path: string): void {
  const db = new DatabaseSync(path);
  try {
    db.exec('PRAGMA wal_checkpoint(PASSIVE)');
  } finally {
    db.close();
  }
}
