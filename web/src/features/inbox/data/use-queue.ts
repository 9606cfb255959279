// The queue as the screen sees it: fetched every 30 seconds and whenever something says so, kept current in between by
// the live socket, or the demo when a guest may not see a real one.
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react';
import type { Task } from '#core/contract/index.ts';
import { ApiError, problemOf, type Problem } from '../../../lib/api/api-error.ts';
import { tasksOf, type Entry } from '../../../lib/outbox/entry.ts';
import type { Outbox } from '../../../lib/outbox/outbox.ts';
import type { OutboxSnapshot } from '../../../lib/outbox/types.ts';
import { isStale } from '../../../lib/outbox/rules.ts';
import { outbox } from '../../../lib/outbox/service.ts';
import { subscribeLive, session, ticker } from '../../../lib/services.ts';
import { accountOf } from '../../../lib/session/account.ts';
import { useSession } from '../../../lib/session/use-session.ts';
import { useTicking } from '../../../lib/ticker.ts';
import { isOnline, SERVER_IS_LOCAL } from '../../../lib/online.ts';
import type { TaskBackend } from './backend.ts';
import { demoOutbox, loadDemo } from './demo.ts';
import { httpBackend } from './http.ts';
import { QueueChanges } from '../model/changes.ts';
import { isFiltered, type Filter, type Page } from '../model/page.ts';
import { delayedIds, pendingOf } from '../model/pending.ts';
import { EMPTY_VIEW, project, type View } from '../model/project.ts';
import { useUnreachable } from './use-unreachable.ts';
import { pageOfCached, useCacheList, useCachedList } from './use-cached-list.ts';

const REFRESH_MS = 30_000;
/** Live events are exact but for rare races; after a burst the list is asked for once more. */
const SETTLE_MS = 2500;
const LARGEST_SETTLED_LIMIT = 1000;
const RETRIES = 3;

export interface Queue {
  view: View;
  /** Where what is done here goes. */
  outbox: Outbox;
  /** What of that the server has still to hear of. */
  waiting: OutboxSnapshot;
  /** The tasks that something waits for. */
  delayed: ReadonlySet<string>;
  /** Nothing has been fetched yet. */
  loading: boolean;
  fetching: boolean;
  problem: Problem | null;
  /** There is no network: what is shown was fetched then, or never. */
  offline: { since: number | null } | null;
  demo: boolean;
  /** A guest looking at a public queue: may look, may not touch. */
  readOnly: boolean;
  refresh: () => void;
  limit: number;
}

export function useQueue(filter: Filter, limit: number): Queue {
  const { authenticated, loading, method, user } = useSession();
  const owner = `${method}:${user?.id ?? ''}`;
  const [changes] = useState(() => new QueueChanges());

  const fetched = useQuery({
    queryKey: ['tasks', owner, filter, limit],
    queryFn: ({ signal }) => fetchPage(httpBackend, signal),
    enabled: !loading,
    retry: (failures, error) =>
      isOnline() && authenticated && failures < RETRIES && error instanceof ApiError && error.temporary,
    refetchInterval: ({ state }) => (isUnauthorized(state.error) ? false : REFRESH_MS),
    networkMode: SERVER_IS_LOCAL ? 'always' : 'online',
    refetchOnReconnect: true,
    placeholderData: keepPreviousData,
    structuralSharing: false,
    gcTime: 0,
  });
  const demo = !authenticated && !loading && fetched.isError;
  const away = useUnreachable(fetched.refetch, SERVER_IS_LOCAL) && !demo;
  const sample = useQuery({
    queryKey: ['tasks', 'demo', filter, limit],
    queryFn: async ({ signal }) => fetchPage(await loadDemo(), signal),
    enabled: demo,
    refetchInterval: REFRESH_MS,
    placeholderData: keepPreviousData,
    structuralSharing: false,
    gcTime: 0,
  });
  const query = demo ? sample : fetched;

  async function fetchPage(backend: TaskBackend, signal: AbortSignal): Promise<Page> {
    const asOf = changes.mark();
    return { ...(await backend.list(filter, limit, signal)), asOf };
  }

  const source = demo ? 'demo' : owner;
  useEffect(() => () => changes.reset(), [changes, source]);

  const account = authenticated ? accountOf(session) : null;
  const seen = useCachedList(account, away && query.data === undefined);
  const seenPage = useMemo(
    () => (seen.list === null ? undefined : pageOfCached(seen.list, filter)),
    [seen.list, filter],
  );
  const page = query.isError && !away ? undefined : (query.data ?? seenPage);
  const worthKeeping = !away && !query.isError && !query.isPlaceholderData && !isFiltered(filter);
  useCacheList(account, worthKeeping ? query.data : undefined, query.dataUpdatedAt, changes);
  useEffect(() => {
    if (page !== undefined && !query.isPlaceholderData) changes.dropUntil(page.asOf);
  }, [changes, page, query.isPlaceholderData]);

  const { refetch } = fetched;
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const stop = subscribeLive((event) => {
      if (event.type === 'hello') return;
      if (event.type === 'connected' || event.type === 'queue.reset') {
        void refetch();
        return;
      }
      changes.applyMessage(event);
      if (limit <= LARGEST_SETTLED_LIMIT)
        timer ??= setTimeout(() => {
          timer = undefined;
          void refetch();
        }, SETTLE_MS);
    });
    return () => {
      stop();
      clearTimeout(timer);
    };
  }, [changes, refetch, limit]);

  const box = demo ? demoOutbox : outbox;
  const latest = useRef(page);
  useEffect(() => {
    latest.current = page;
  });
  useEffect(
    () =>
      box.on({
        answered: (entry, tasks) => {
          learn(changes, entry, tasks, latest.current);
          if (entry.operation.kind === 'create') void refetch();
        },
      }),
    [box, changes, refetch],
  );

  const learnt = useSyncExternalStore(changes.subscribe, changes.getSnapshot);
  const waiting = useSyncExternalStore(box.subscribe, box.getSnapshot);
  const stale = useTicking(ticker, (now) => waiting.entries.filter((entry) => isStale(entry, now)).length);
  const [pending, delayed] = useMemo(() => {
    const now = Math.max(ticker.now(), stale);
    return [pendingOf(waiting, now), delayedIds(waiting, now)];
  }, [waiting, stale]);
  const [nextEnd, setNextEnd] = useState(Infinity);
  const ended = useTicking(ticker, (now) => (nextEnd <= now ? nextEnd : 0));
  const view = useMemo(
    () =>
      page === undefined
        ? EMPTY_VIEW
        : project(page, { learnt, pending }, filter, Math.max(ticker.now(), ended)),
    [page, learnt, pending, filter, ended],
  );
  useEffect(() => {
    setNextEnd(view.nextEnd);
    ticker.setDeadline(view.nextEnd);
  }, [view.nextEnd]);

  const failure = demo ? 'Failed to fetch demo tasks' : 'Failed to fetch tasks';
  return {
    view: query.isPlaceholderData ? { ...view, total: view.tasks.length } : view,
    outbox: box,
    waiting,
    delayed,
    loading: loading || seen.reading || !waiting.ready || (query.isPending && !away),
    fetching: query.isFetching,
    problem: query.isError && !away ? problemOf(query.error, failure) : null,
    offline: away
      ? { since: query.data === undefined ? (seen.list?.at ?? null) : query.dataUpdatedAt }
      : null,
    demo,
    readOnly: !authenticated && !demo,
    refresh: () => void query.refetch(),
    limit,
  };
}

// What was answered is known from now on, whatever an older page says.
function learn(
  changes: QueueChanges,
  { operation }: Entry,
  tasks: readonly Task[],
  page: Page | undefined,
): void {
  if (operation.kind === 'acknowledge') {
    // Reported or changed once more since it was acknowledged here: that version is gone as well.
    const held = new Map(page?.tasks.map((task) => [task.id, task]));
    const newest = (task: Task) => {
      const other = held.get(task.id);
      return other !== undefined && other.version > task.version ? other : task;
    };
    changes.learnGone(operation.tasks.map(newest));
    return;
  }
  const isNew = operation.kind === 'create' || operation.kind === 'restore';
  const before = new Map(tasksOf(operation).map((task) => [task.id, task]));
  for (const task of tasks) changes.learnTask(task, isNew ? null : before.get(task.id));
}

function isUnauthorized(error: unknown): boolean {
  return error instanceof ApiError && error.status === 401;
}
