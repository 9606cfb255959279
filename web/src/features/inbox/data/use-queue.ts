// The queue as the screen shows it: fetched every 30 seconds, kept exact in between by live messages and the
// answers to what is done here. Guests who may not see a real queue get the demo.
import { useEffect, useMemo, useState, useSyncExternalStore } from 'react';
import type { Task } from '#core/contract/index.ts';
import { problemOf } from '../../../lib/api/api-error.ts';
import type { Outbox } from '../../../lib/outbox/outbox.ts';
import { isStale } from '../../../lib/outbox/rules.ts';
import { outbox } from '../../../lib/outbox/service.ts';
import { session, ticker } from '../../../lib/services.ts';
import { accountOf } from '../../../lib/session/account.ts';
import { useSession } from '../../../lib/session/use-session.ts';
import { useTicking } from '../../../lib/ticker.ts';
import { QueueChanges, type TaskChanges } from '../model/changes.ts';
import { isFiltered, type Filter, type Page } from '../model/page.ts';
import { delayedIds, pendingOf, withPending, type Pending } from '../model/pending.ts';
import { EMPTY_VIEW, project } from '../model/project.ts';
import { demoOutbox } from './demo.ts';
import { pageOfCached, useCachedList, useCacheList } from './use-cached-list.ts';
import { useFetchedPage } from './use-fetched-page.ts';
import { useLiveChanges } from './use-live-changes.ts';

export type Queue = ReturnType<typeof useQueue>;

export function useQueue(filter: Filter, limit: number) {
  const { authenticated, loading } = useSession();
  const [changes] = useState(() => new QueueChanges());
  const snapshot = useSyncExternalStore(changes.subscribe, changes.getSnapshot);
  const { query, refetch, demo, unreachable } = useFetchedPage(filter, limit, changes);
  const { data, isError, isPlaceholderData, dataUpdatedAt } = query;

  const account = authenticated ? accountOf(session) : null;
  const cached = useCachedList(account, unreachable && data === undefined);
  const cachedPage = useMemo(
    () => (cached.list === null ? undefined : pageOfCached(cached.list, filter)),
    [cached.list, filter],
  );
  const page = isError && !unreachable ? undefined : (data ?? cachedPage);
  const isCacheable = !unreachable && !isError && !isPlaceholderData && !isFiltered(filter);
  useCacheList(account, isCacheable ? data : undefined, dataUpdatedAt, snapshot);
  useEffect(() => {
    if (page !== undefined && !isPlaceholderData) changes.dropUntil(page.asOf);
  }, [changes, page, isPlaceholderData]);

  const box = demo ? demoOutbox : outbox;
  useLiveChanges({ changes, box, page, filter, limit, refetch });
  const { waiting, pending, delayed } = useUnsent(box);
  const view = useView(page, snapshot, pending, filter);
  const newest = (task: Task) => withPending(changes.newest(task), pending, task.id);
  return {
    view: isPlaceholderData ? { ...view, total: view.tasks.length } : view,
    /** The task as it is now, as far as is known, listed or not; null when it has left the queue. */
    newest,
    /** Takes what is done here. */
    outbox: box,
    /** Its entries that the server has not answered. */
    waiting,
    /** The tasks of entries that cannot be sent at the moment. */
    delayed,
    /** Nothing has been fetched yet. */
    loading: loading || cached.reading || !waiting.ready || (query.isPending && !unreachable),
    fetching: query.isFetching,
    problem:
      isError && !unreachable
        ? problemOf(query.error, demo ? 'Failed to fetch demo tasks' : 'Failed to fetch tasks')
        : null,
    /** There is no network: when the shown list was fetched, or null for never. */
    offline: unreachable ? { since: data === undefined ? (cached.list?.at ?? null) : dataUpdatedAt } : null,
    demo,
    /** A guest of a public queue may look, but not change. */
    readOnly: !authenticated && !demo,
    refresh: () => void query.refetch(),
  };
}

function useUnsent(box: Outbox) {
  const waiting = useSyncExternalStore(box.subscribe, box.getSnapshot);
  const stale = useTicking(ticker, (now) => waiting.entries.filter((entry) => isStale(entry, now)).length);
  return useMemo(() => {
    const now = Math.max(ticker.now(), stale);
    return { waiting, pending: pendingOf(waiting, now), delayed: delayedIds(waiting, now) };
  }, [waiting, stale]);
}

/** The view, computed anew when the time of a shown task is up, or is not up after all. */
function useView(page: Page | undefined, changes: TaskChanges, pending: readonly Pending[], filter: Filter) {
  const [nextEnd, setNextEnd] = useState(Infinity);
  const ended = useTicking(ticker, (now) => (nextEnd <= now ? nextEnd : 0));
  const timesSetBack = useTicking(ticker, ticker.timesSetBack);
  const view = useMemo(
    () =>
      page === undefined
        ? EMPTY_VIEW
        : project(page, { changes, pending }, filter, Math.max(ticker.now(), ended)),
    // oxlint-disable-next-line react/exhaustive-deps -- The time that is read has gone back.
    [page, changes, pending, filter, ended, timesSetBack],
  );
  useEffect(() => {
    setNextEnd(view.nextEnd);
    ticker.setDeadline(view.nextEnd);
  }, [view.nextEnd]);
  return view;
}
