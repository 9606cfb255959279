// Syncs one file after the other, and says how it went.
import { fdatasyncSync } from 'node:fs';
import { parentPort } from 'node:worker_threads';

export interface SyncRequest {
  id: number;
  fd: number;
}

export interface SyncResult {
  id: number;
  /** What of the system's error crosses to another thread; null when all is on disk. */
  fault: { message: string; code: string | undefined } | null;
}

parentPort?.on('message', ({ id, fd }: SyncRequest) => {
  parentPort?.postMessage({ id, fault: sync(fd) } satisfies SyncResult, []);
});

function sync(fd: number): SyncResult['fault'] {
  try {
    fdatasyncSync(fd);
    return null;
  } catch (error) {
    const { message, code } = error as NodeJS.ErrnoException;
    return { message, code };
  }
}
