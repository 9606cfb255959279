// The queue as the screen sees it: fetched every 30 seconds and whenever something says so, kept current in between by
// the live socket, or the demo when a guest may not see a real one.
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useState, useSyncExternalStore } from 'react';
import { ApiError, problemOf, type Problem } from '../../lib/api/api-error.ts';
import { listenLive, ticker } from '../../lib/services.ts';
import { useSession } from '../../lib/session/use-session.ts';
import { useTicking } from '../../lib/ticker.ts';
import { isOnline, SERVER_IS_LOCAL } from '../../lib/online.ts';
import type { TaskBackend } from './data/backend.ts';
import { loadDemo } from './data/demo.ts';
import { httpBackend } from './data/http.ts';
import { QueueChanges } from './model/changes.ts';
import type { Filter, Page } from './model/page.ts';
import { EMPTY_VIEW, project, type View } from './model/project.ts';
import { useAway } from './use-away.ts';

const REFRESH_MS = 30_000;
/** Live events are exact but for rare races; after a burst the list is asked for once more. */
const SETTLE_MS = 2500;
const LARGEST_SETTLED_LIMIT = 1000;
const RETRIES = 3;

export interface Queue {
  view: View;
  changes: QueueChanges;
  backend: () => Promise<TaskBackend>;
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
  const away = useAway(fetched.refetch, SERVER_IS_LOCAL) && !demo;
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

  const page = query.isError && !away ? undefined : query.data;
  useEffect(() => {
    if (page !== undefined && !query.isPlaceholderData) changes.forget(page.asOf);
  }, [changes, page, query.isPlaceholderData]);

  const { refetch } = fetched;
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const stop = listenLive((event) => {
      if (event.type === 'hello') return;
      if (event.type === 'connected' || event.type === 'queue.reset') {
        void refetch();
        return;
      }
      changes.hear(event);
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

  const snapshot = useSyncExternalStore(changes.subscribe, changes.getSnapshot);
  const [nextEnd, setNextEnd] = useState(Infinity);
  const ended = useTicking(ticker, (now) => (nextEnd <= now ? nextEnd : 0));
  const view = useMemo(
    () => (page === undefined ? EMPTY_VIEW : project(page, snapshot, filter, Math.max(ticker.now(), ended))),
    [page, snapshot, filter, ended],
  );
  useEffect(() => {
    setNextEnd(view.nextEnd);
    ticker.setDeadline(view.nextEnd);
  }, [view.nextEnd]);

  const texts = demo ? 'Failed to fetch demo tasks' : httpBackend.texts.fetch;
  return {
    view: query.isPlaceholderData ? { ...view, total: view.tasks.length } : view,
    changes,
    backend: demo ? loadDemo : () => Promise.resolve(httpBackend),
    loading: loading || (query.isPending && !away),
    fetching: query.isFetching,
    problem: query.isError && !away ? problemOf(query.error, texts) : null,
    offline: away ? { since: query.data === undefined ? null : query.dataUpdatedAt } : null,
    demo,
    readOnly: !authenticated && !demo,
    refresh: () => void query.refetch(),
    limit,
  };
}

function isUnauthorized(error: unknown): boolean {
  return error instanceof ApiError && error.status === 401;
}
