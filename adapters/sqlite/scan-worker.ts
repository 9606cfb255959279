// The thread that searches: scans slice after slice on its own read-only connection to the same file.
import { DatabaseSync } from 'node:sqlite';
import { workerData } from 'node:worker_threads';
import { answerOnThread, lowerPriority } from '#core/worker-thread.ts';
import { createScan, type Scan, type ScanRequest } from './task-scan.ts';

/** The length of a slice, so that several searches alternate. */
const SLICE_MS = 10;
/** How long a read waits for a lock, which another connection holds in rare moments of recovery only. */
const BUSY_TIMEOUT_MS = 2000;

function open(file: string): Scan {
  const db = new DatabaseSync(file, { readOnly: true, timeout: BUSY_TIMEOUT_MS });
  db.exec('PRAGMA cache_size = -2048; PRAGMA temp_store = MEMORY; PRAGMA trusted_schema = OFF');
  return createScan(db);
}

let scan: Scan | undefined;
lowerPriority(5);
answerOnThread((request: ScanRequest) => {
  scan ??= open(String(workerData));
  return scan(request, SLICE_MS);
});
