// The thread of searches that take longer than a moment.
import { unavailable } from '#core/errors.ts';
import { createWorkerThread } from '#core/worker-thread.ts';
import type { ScanRequest, ScanSlice } from './task-scan.ts';

export interface ScanThread {
  /** Scans one slice; slices are read in the order of the calls. Rejects with SERVICE_UNAVAILABLE. */
  scan(request: ScanRequest): Promise<ScanSlice>;
  /** Rejects the scans in flight with SERVICE_UNAVAILABLE. May be called twice. */
  close(): Promise<void>;
}

/** A thread over this database file. */
export function createScanThread(file: string): ScanThread {
  const thread = createWorkerThread<ScanRequest, ScanSlice>({
    script: new URL('scan-worker.ts', import.meta.url),
    name: 'search',
    maxMemoryMb: 64,
    workerData: file,
    idleMs: 30_000,
  });
  return {
    scan: (request) =>
      thread.ask(request).catch((error: unknown) => {
        throw unavailable('store', error);
      }),
    close: () => thread.close(),
  };
}
