// The thread that searches: scans slice after slice on its own read-only connection to the same file.
import { DatabaseSync } from 'node:sqlite';
import { workerData } from 'node:worker_threads';
import { answerOnThread, lowerPriority } from '#core/worker-thread.ts';
import { createFacetScan, type FacetRequest, type FacetScan } from './facet-scan.ts';
import { createScan, type Scan, type ScanRequest } from './task-scan.ts';

/** The length of a slice, so that several searches alternate. */
const SLICE_MS = 10;
/** How long a read waits for a lock, which another connection holds in rare moments of recovery only. */
const BUSY_TIMEOUT_MS = 2000;

function open(file: string): { tasks: Scan; facets: FacetScan } {
  const db = new DatabaseSync(file, { readOnly: true, timeout: BUSY_TIMEOUT_MS });
  db.exec('PRAGMA cache_size = -2048; PRAGMA temp_store = MEMORY; PRAGMA trusted_schema = OFF');
  return { tasks: createScan(db), facets: createFacetScan(db) };
}

let scans: ReturnType<typeof open> | undefined;
lowerPriority(5);
answerOnThread((request: ScanRequest | FacetRequest) => {
  scans ??= open(String(workerData));
  return request.kind === 'facets' ? scans.facets(request, SLICE_MS) : scans.tasks(request, SLICE_MS);
});
