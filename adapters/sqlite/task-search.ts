// Searches: filters that look at each live task of an owner. The first moment of each is spent on the event loop, which is all
// that a short queue takes; the rest in a thread of its own, slice by slice, so that nobody waits and nobody starves.
// A full-text index instead would make every create three to forty times as dear (docs/decisions/0008).
import type { DatabaseSync } from 'node:sqlite';
import { takeWithinBytes } from '#core/domain/page.ts';
import { isVisible, type Task } from '#core/domain/task.ts';
import type { TaskPage, TaskQuery } from '#core/ports/task-store.ts';
import { prepareQuery } from './database.ts';
import { reading } from './faults.ts';
import { toStatistics, type Owners } from './owners.ts';
import { TASK_COLUMNS } from './rows.ts';
import type { ScanThread } from './scan-thread.ts';
import type { TaskCache } from './task-cache.ts';
import { EMPTY_PAGE, takeRow } from './task-list.ts';
import { createScan, type Match, type Matches, type ScanRequest, type ScanSlice } from './task-scan.ts';

/** How long a search may hold the event loop before it goes on in the thread. */
const SEARCH_HERE_MS = 2;

export type SearchTasks = (query: TaskQuery) => Promise<TaskPage>;

interface Parts {
  db: DatabaseSync;
  owners: Owners;
  cache: TaskCache;
  thread: ScanThread;
  /** Instead of {@link SEARCH_HERE_MS}. */
  hereMs: number | undefined;
}

export function createTaskSearch({ db, owners, cache, thread, hereMs = SEARCH_HERE_MS }: Parts): SearchTasks {
  const scanHere = createScan(db);
  const find = prepareQuery(
    db,
    `SELECT ${TASK_COLUMNS} FROM tasks INDEXED BY tasks_by_id WHERE id = ? AND owner = ?`,
  );

  /** The tasks as they are now; one that went meanwhile is left out. */
  function read(owner: number, ownerId: string, matches: readonly Match[], now: number): Task[] {
    return matches.flatMap(({ id, version }) => {
      const kept = cache.get(id, version);
      if (kept !== undefined) return kept;
      const row = find.get(id, owner);
      const task = row === undefined ? null : takeRow(cache, row, ownerId);
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
      // The slices of other searches are read in between; for one that nobody waits for no further one is asked.
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
    // Pinned ones come first: what of the page they do not fill is the live ones'.
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
