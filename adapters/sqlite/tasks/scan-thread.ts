// The thread in which searches go on that take longer than the event loop has for them.
import { unavailable } from '#core/errors.ts';
import { createWorkerThread } from '#core/worker-thread.ts';
import type { FacetRequest, FacetSlice } from './facet-scan.ts';
import type { ScanRequest, ScanSlice } from './task-scan.ts';

export interface ScanThread {
  /** Scans one slice; slices are read in the order of the calls. Rejects with SERVICE_UNAVAILABLE. */
  scan(request: ScanRequest): Promise<ScanSlice>;
  /** As `scan`. */
  countFacets(request: FacetRequest): Promise<FacetSlice>;
  /** Rejects the scans in flight with SERVICE_UNAVAILABLE. May be called twice. */
  close(): Promise<void>;
}

/** A thread over this database file. */
export function createScanThread(file: string): ScanThread {
  const thread = createWorkerThread<ScanRequest | FacetRequest, ScanSlice | FacetSlice>({
    script: new URL('scan-worker.ts', import.meta.url),
    name: 'search',
    maxMemoryMb: 64,
    workerData: file,
    idleMs: 30_000,
  });
  const ask = (request: ScanRequest | FacetRequest) =>
    thread.ask(request).catch((error: unknown) => {
      throw unavailable('store', error);
    });
  return {
    scan: (request) => ask(request) as Promise<ScanSlice>,
    countFacets: (request) => ask(request) as Promise<FacetSlice>,
    close: () => thread.close(),
  };
}
