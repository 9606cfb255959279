// Searches: filters that need each live task of an owner. A search begins on the event loop, where a short
// queue is done at once, and goes on in a thread, in slices that alternate with other searches. A full-text
// index would make every create three to forty times as expensive (docs/decisions/0008).
import type { DatabaseSync } from 'node:sqlite';
import { takeWithinBytes } from '#core/domain/page.ts';
import { isVisible, type Task } from '#core/domain/task.ts';
import { unavailable } from '#core/errors.ts';
import type { TaskPage, TaskQuery } from '#core/ports/task-store.ts';
import { createWorkerThread } from '#core/worker-thread.ts';
import { reading } from './faults.ts';
import { toStatistics, type Owners } from './owners.ts';
import type { TaskCache } from './task-cache.ts';
import { EMPTY_PAGE, taskOf } from './task-list.ts';
import type { TaskLookup } from './task-lookup.ts';
import { createScan, type Match, type Matches, type ScanRequest, type ScanSlice } from './task-scan.ts';

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

/** How long a search may hold the event loop before it goes on in the thread. */
const SEARCH_HERE_MS = 2;

export type SearchTasks = (query: TaskQuery) => Promise<TaskPage>;

interface Parts {
  db: DatabaseSync;
  owners: Owners;
  lookup: TaskLookup;
  cache: TaskCache;
  thread: ScanThread;
  /** Instead of {@link SEARCH_HERE_MS}. */
  hereMs: number | undefined;
}

export function createTaskSearch(parts: Parts): SearchTasks {
  const { db, owners, lookup, cache, thread, hereMs = SEARCH_HERE_MS } = parts;
  const scanHere = createScan(db);

  /** The tasks as they are now, without those that have left the queue meanwhile. */
  function read(owner: number, ownerId: string, matches: readonly Match[], now: number): Task[] {
    return matches.flatMap(({ id, version }) => {
      const cached = cache.get(id, version);
      if (cached !== undefined) return cached;
      const row = lookup.find(owner, id);
      const task = row === undefined ? null : taskOf(cache, row, ownerId);
      return task !== null && isVisible(task, now) ? task : [];
    });
  }

  async function scanAll(request: ScanRequest, signal: AbortSignal | undefined): Promise<ScanSlice> {
    signal?.throwIfAborted();
    let all = await reading(() => scanHere(request, hereMs));
    while (all.next !== null) {
      const slice = await thread.scan({
        ...request,
        before: all.next,
        collect: {
          pinned: request.collect.pinned - all.pinned.first.length,
          live: request.collect.live - all.live.first.length,
        },
      });
      // An aborted search asks for no further slice.
      signal?.throwIfAborted();
      all = { pinned: both(all.pinned, slice.pinned), live: both(all.live, slice.live), next: slice.next };
    }
    return all;
  }

  return async ({ ownerId, filter, limit, offset, now, signal }) => {
    const owner = owners.find(ownerId);
    if (owner === null) return EMPTY_PAGE;
    const end = offset + limit;
    const { pinned, live } = await scanAll(
      { owner, filter, now, before: null, collect: { pinned: end, live: end } },
      signal,
    );
    // Pinned tasks come first; unpinned ones fill the rest of the page.
    const first = pinned.first.slice(offset, end);
    const rest = live.first.slice(Math.max(0, offset - pinned.total), Math.max(0, end - pinned.total));
    return reading(() => ({
      tasks: read(
        owner,
        ownerId,
        takeWithinBytes([...first, ...rest], ({ bytes }) => bytes),
        now,
      ),
      total: pinned.total + live.total,
      statistics: toStatistics(owners.read(owner), owners.overdue(owner, now)),
    }));
  };
}

function both(a: Matches, b: Matches): Matches {
  return { total: a.total + b.total, first: b.first.length === 0 ? a.first : [...a.first, ...b.first] };
}
