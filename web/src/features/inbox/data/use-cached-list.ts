// The list as this browser last showed it: stored as it changes, read when there is no network.
import { useEffect, useRef, useState } from 'react';
import type { CachedList } from '../../../lib/outbox/database.ts';
import { cachedLists } from '../../../lib/outbox/service.ts';
import { ticker } from '../../../lib/services.ts';
import type { TaskChanges } from '../model/changes.ts';
import { isFiltered, matches, NO_FILTER, statisticsOf, type Filter, type Page } from '../model/page.ts';
import { compareIn } from '../model/order.ts';
import { project } from '../model/project.ts';

/** The least time between two writes. */
const SAVE_INTERVAL_MS = 2500;

/** Nothing is stored for a guest (`account` null). The list is null while it is not read, or not there. */
export function useCachedList(
  account: string | null,
  wanted: boolean,
): { list: CachedList | null; reading: boolean } {
  const [last, setLast] = useState<{ account: string; list: CachedList | null } | null>(null);
  useEffect(() => {
    if (account === null || !wanted) return;
    let current = true;
    async function read(owner: string) {
      const list = await cachedLists.read(owner);
      if (current) setLast({ account: owner, list });
    }
    void read(account);
    return () => {
      current = false;
    };
  }, [account, wanted]);
  if (account === null || !wanted) return { list: null, reading: false };
  const mine = last?.account === account;
  return { list: mine ? last.list : null, reading: !mine };
}

/** Stores the page with all changes since. */
export function useCacheList(
  account: string | null,
  page: Page | undefined,
  at: number,
  changes: TaskChanges,
): void {
  const savedAt = useRef(-Infinity);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => {
    // What waits to be stored is, also when the network has gone meanwhile.
    if (account === null || page === undefined) return;
    clearTimeout(timer.current);
    const wait = Math.max(0, savedAt.current + SAVE_INTERVAL_MS - performance.now());
    timer.current = setTimeout(() => {
      savedAt.current = performance.now();
      const { tasks, total, statistics } = project(page, { changes, pending: [] }, NO_FILTER, ticker.now());
      const pagination = { ...page.pagination, total, returned: tasks.length };
      void cachedLists.save({ owner: account, at, tasks, pagination, statistics });
    }, wait);
  }, [account, page, at, changes]);
  useEffect(() => () => clearTimeout(timer.current), [account]);
}

/** The page that the server would have answered with. */
export function pageOfCached(list: CachedList, filter: Filter): Page {
  const complete = list.tasks.length >= list.pagination.total;
  const ordered = list.tasks.toSorted(compareIn(filter.order));
  // The list has none that sleep.
  const tasks = isFiltered(filter)
    ? ordered.filter((task) => !filter.snoozed && matches(task, filter))
    : ordered;
  const total = isFiltered(filter) ? tasks.length : list.pagination.total;
  return {
    tasks,
    pagination: { limit: tasks.length, offset: 0, total, returned: tasks.length },
    statistics: complete
      ? { ...statisticsOf(list.tasks), snoozed: list.statistics.snoozed }
      : list.statistics,
    asOf: 0,
  };
}
