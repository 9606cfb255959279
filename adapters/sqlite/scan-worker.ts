// The thread that searches: a connection of its own to the same file, read-only, and one slice of a search after the other, in the
// order in which they are asked for.
import { setPriority } from 'node:os';
import { DatabaseSync } from 'node:sqlite';
import { parentPort, workerData } from 'node:worker_threads';
import { createScan, type Scan, type ScanRequest, type ScanSlice } from './task-scan.ts';

/** What the thread is asked; null to end. */
export type ScanQuestion = { id: number; request: ScanRequest } | null;

/** What it answers. */
export type ScanReply = { id: number; slice: ScanSlice } | { id: number; fault: string };

/** How long one slice takes, so that the slices of several searches take turns. */
const SLICE_MS = 10;
/** How long a read waits for a lock, which another connection holds in rare moments of recovery only. */
const BUSY_TIMEOUT_MS = 2000;

/** Steps that the thread stands back behind the event loop where there are fewer processors than threads with work. */
const NICENESS = 5;

/** Linux gives each thread a priority of its own, and takes 0 for the calling thread; elsewhere it would be the whole program's. */
function standBack(): void {
  if (process.platform !== 'linux') return;
  try {
    setPriority(0, NICENESS);
  } catch {
    // A sandbox that forbids it makes searches compete as equals.
  }
}

if (parentPort !== null && typeof workerData === 'string') {
  const port = parentPort;
  const file: string = workerData;
  let db: DatabaseSync | undefined;
  let scan: Scan | undefined;
  standBack();

  const open = (): Scan => {
    db = new DatabaseSync(file, { readOnly: true, timeout: BUSY_TIMEOUT_MS });
    db.exec('PRAGMA cache_size = -2048; PRAGMA temp_store = MEMORY; PRAGMA trusted_schema = OFF');
    return createScan(db);
  };

  const answer = ({ id, request }: NonNullable<ScanQuestion>): ScanReply => {
    try {
      scan ??= open();
      return { id, slice: scan(request, SLICE_MS) };
    } catch (error) {
      return { id, fault: error instanceof Error ? error.message : String(error) };
    }
  };

  port.on('message', (question: ScanQuestion) => {
    if (question !== null) return port.postMessage(answer(question));
    db?.close();
    port.close();
  });
}
