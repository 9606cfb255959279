// Searches: lists that need each live task of an owner, and facets. A search begins on the event loop, where
// a short queue is done at once, and goes on in a thread, in slices that alternate with other searches. A
// full-text index would make every create three to forty times as expensive (docs/decisions/0008).
import type { DatabaseSync } from 'node:sqlite';
import type { Facets } from '#core/contract/index.ts';
import { addFacetCounts, newFacetCounts, toFacets } from '#core/domain/facets.ts';
import { takeWithinBytes } from '#core/domain/page.ts';
import { isSnoozed } from '#core/domain/snooze.ts';
import { isVisible, type Task } from '#core/domain/task.ts';
import { inOrderOfWaking, type TaskPage, type TaskQuery, type TaskStore } from '#core/ports/task-store.ts';
import { createFacetScan } from './facet-scan.ts';
import { reading } from '../faults.ts';
import { statisticsOf, type Owners } from '../owners.ts';
import type { ScanThread } from './scan-thread.ts';
import type { TaskCache } from './task-cache.ts';
import { EMPTY_PAGE, taskOf } from './task-list.ts';
import type { TaskLookup } from './task-lookup.ts';
import {
  compareMatches,
  createScan,
  type Match,
  type Matches,
  type ScanRequest,
  type ScanSlice,
} from './task-scan.ts';

/** How long a search may hold the event loop before it goes on in the thread. */
const SEARCH_HERE_MS = 2;

export interface TaskSearch {
  list(query: TaskQuery): Promise<TaskPage>;
  facets: TaskStore['facets'];
}

interface Parts {
  db: DatabaseSync;
  owners: Owners;
  lookup: TaskLookup;
  cache: TaskCache;
  thread: ScanThread;
  /** Instead of {@link SEARCH_HERE_MS}. */
  hereMs: number | undefined;
}

export function createTaskSearch(parts: Parts): TaskSearch {
  const { db, owners, lookup, cache, thread, hereMs = SEARCH_HERE_MS } = parts;
  const scanHere = createScan(db);
  const countHere = createFacetScan(db);

  /** The tasks as they are now, without those that have left the queue meanwhile. */
  function read(
    owner: number,
    ownerId: string,
    matches: readonly Match[],
    snoozed: boolean,
    now: number,
  ): Task[] {
    return matches.flatMap(({ id, version }) => {
      const cached = cache.get(ownerId, id, version);
      if (cached !== undefined) return cached;
      const row = lookup.find(owner, id);
      const task = row === undefined ? null : taskOf(cache, row, ownerId);
      return task !== null && isVisible(task, now) && isSnoozed(task, now) === snoozed ? task : [];
    });
  }

  async function scanAll(request: ScanRequest, signal: AbortSignal | undefined): Promise<ScanSlice> {
    const { pinned: mostPinned, live: mostLive } = request.collect;
    const both = isById(request) ? append : merge;
    signal?.throwIfAborted();
    let all = await reading(() => scanHere(request, hereMs));
    while (all.next !== null) {
      const slice = await thread.scan({ ...request, before: all.next, collect: missing(request, all) });
      // An aborted search asks for no further slice.
      signal?.throwIfAborted();
      all = {
        pinned: both(all.pinned, slice.pinned, mostPinned),
        live: both(all.live, slice.live, mostLive),
        next: slice.next,
      };
    }
    return all;
  }

  async function facetsOf(owner: number, now: number, signal: AbortSignal | undefined): Promise<Facets> {
    signal?.throwIfAborted();
    const counts = newFacetCounts();
    let slice = await reading(() => countHere({ kind: 'facets', owner, now, before: null }, hereMs));
    addFacetCounts(counts, slice.counts);
    while (slice.next !== null) {
      slice = await thread.countFacets({ kind: 'facets', owner, now, before: slice.next });
      signal?.throwIfAborted();
      addFacetCounts(counts, slice.counts);
    }
    return toFacets(counts);
  }

  return {
    async list({ ownerId, filter, order = 'newest', limit, offset, now, signal }) {
      const owner = owners.find(ownerId);
      if (owner === null) return EMPTY_PAGE;
      const end = offset + limit;
      const { pinned, live } = await scanAll(
        { kind: 'tasks', owner, filter, order, now, before: null, collect: { pinned: end, live: end } },
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
          filter.snoozed === true,
          now,
        ),
        total: pinned.total + live.total,
        statistics: statisticsOf(owners, owner, now),
      }));
    },

    async facets({ ownerId, now, signal }) {
      const owner = owners.find(ownerId);
      return owner === null ? toFacets(newFacetCounts()) : facetsOf(owner, now, signal);
    },
  };
}

/** How many matches the next slice collects: any of them may come before those that there are. */
function missing(request: ScanRequest, { pinned, live }: ScanSlice): ScanRequest['collect'] {
  const { collect } = request;
  if (!isById(request)) return collect;
  return { pinned: collect.pinned - pinned.first.length, live: collect.live - live.first.length };
}

/** Whether the list has the order of the scan. */
function isById(request: ScanRequest): boolean {
  return request.order === 'newest' && !inOrderOfWaking(request);
}

function append(a: Matches, b: Matches): Matches {
  return { total: a.total + b.total, first: b.first.length === 0 ? a.first : [...a.first, ...b.first] };
}

/** The first of both, in their order. */
function merge(a: Matches, b: Matches, most: number): Matches {
  const first: Match[] = [];
  for (let [left, right] = [0, 0]; first.length < most;) {
    const [mine, other] = [a.first[left], b.first[right]];
    if (mine === undefined && other === undefined) break;
    const isMine = other === undefined || (mine !== undefined && compareMatches(mine, other) < 0);
    first.push((isMine ? mine : other) as Match);
    if (isMine) left++;
    else right++;
  }
  return { total: a.total + b.total, first };
}
