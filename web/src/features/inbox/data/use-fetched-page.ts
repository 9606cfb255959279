// The first tasks of the queue as the server, or the demo, last answered.
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { ApiError } from '../../../lib/api/api-error.ts';
import { isOnline, SERVER_IS_LOCAL } from '../../../lib/online.ts';
import { useSession } from '../../../lib/session/use-session.ts';
import type { QueueChanges } from '../model/changes.ts';
import type { Filter, Page } from '../model/page.ts';
import type { TaskReader } from './task-reader.ts';
import { loadDemo } from './demo.ts';
import { httpBackend } from './http-task-reader.ts';
import { useUnreachable } from './use-unreachable.ts';

const REFRESH_MS = 30_000;
const RETRIES = 3;
const SHARED = { placeholderData: keepPreviousData, structuralSharing: false, gcTime: 0 } as const;

/** `refetch` fetches from the server, and stays the same function. */
export function useFetchedPage(filter: Filter, limit: number, changes: QueueChanges) {
  const { authenticated, loading, method, user } = useSession();
  const owner = `${method}:${user?.id ?? ''}`;

  async function fetchPage(backend: TaskReader, signal: AbortSignal): Promise<Page> {
    const asOf = changes.mark();
    return { ...(await backend.list(filter, limit, signal)), asOf, snoozed: filter.snoozed };
  }

  const fetched = useQuery({
    ...SHARED,
    queryKey: ['tasks', owner, filter, limit],
    queryFn: ({ signal }) => fetchPage(httpBackend, signal),
    enabled: !loading,
    retry: (failures, error) =>
      isOnline() && authenticated && failures < RETRIES && error instanceof ApiError && error.temporary,
    refetchInterval: ({ state: { error } }) =>
      error instanceof ApiError && error.status === 401 ? false : REFRESH_MS,
    networkMode: SERVER_IS_LOCAL ? 'always' : 'online',
    refetchOnReconnect: true,
  });
  const demo = !authenticated && !loading && fetched.isError;
  const unreachable = useUnreachable(fetched.refetch, SERVER_IS_LOCAL) && !demo;
  const sample = useQuery({
    ...SHARED,
    queryKey: ['tasks', 'demo', filter, limit],
    queryFn: async ({ signal }) => fetchPage(await loadDemo(), signal),
    enabled: demo,
    refetchInterval: REFRESH_MS,
  });

  const source = demo ? 'demo' : owner;
  useEffect(() => () => changes.reset(), [changes, source]);
  return { query: demo ? sample : fetched, refetch: fetched.refetch, demo, unreachable };
}
