// The first tasks of the queue as the server, or the demo, last answered.
import { keepPreviousData } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useQuery } from '../../../lib/queries.ts';
import { ApiError } from '../../../lib/api/api-error.ts';
import { isOnline, SERVER_IS_LOCAL } from '../../../lib/online.ts';
import { useSession } from '../../../lib/session/use-session.ts';
import type { QueueChanges } from '../model/changes.ts';
import type { Filter, Page } from '../model/page.ts';
import type { TaskReader } from './task-reader.ts';
import { loadDemo } from './demo.ts';
import { dropFirstPage, firstPageOf, ownerOf, takeFirstAnswer } from './first-page.ts';
import { httpBackend } from './http-task-reader.ts';
import { useUnreachable } from './use-unreachable.ts';

const REFRESH_MS = 30_000;
const RETRIES = 3;
const SHARED = { placeholderData: keepPreviousData, structuralSharing: false, gcTime: 0 } as const;

/** `refetch` fetches from the server, and stays the same function. */
export function useFetchedPage(filter: Filter, limit: number, changes: QueueChanges) {
  const session = useSession();
  const { authenticated, loading } = session;
  const owner = ownerOf(session);

  async function fetchPage(backend: TaskReader, signal: AbortSignal): Promise<Page> {
    const asOf = changes.mark();
    return { ...(await backend.list(filter, limit, signal)), asOf, snoozed: filter.snoozed };
  }

  const fetched = useQuery({
    ...SHARED,
    queryKey: ['tasks', owner, filter, limit],
    queryFn: async ({ signal }) => {
      const early = takeFirstAnswer(owner, filter, limit);
      if (early !== undefined) return { ...(await early), asOf: 0 };
      const page = await fetchPage(httpBackend, signal);
      dropFirstPage();
      return page;
    },
    // Not taken: a query that is drawn and begun anew has it again.
    initialData: () => firstPageOf(owner, filter, limit)?.page,
    initialDataUpdatedAt: () => firstPageOf(owner, filter, limit)?.at,
    enabled: !loading,
    // The first page is fetched anew by the effect below.
    refetchOnMount: () => firstPageOf(owner, filter, limit) === undefined,
    retry: (failures, error) =>
      isOnline() && authenticated && failures < RETRIES && error instanceof ApiError && error.temporary,
    refetchInterval: ({ state: { error } }) =>
      error instanceof ApiError && error.status === 401 ? false : REFRESH_MS,
    networkMode: SERVER_IS_LOCAL ? 'always' : 'online',
    refetchOnReconnect: true,
  });
  const { refetch } = fetched;
  const demo = !authenticated && !loading && fetched.isError;
  const unreachable = useUnreachable(refetch, SERVER_IS_LOCAL) && !demo;
  const sample = useQuery({
    ...SHARED,
    queryKey: ['tasks', 'demo', filter, limit],
    queryFn: async ({ signal }) => fetchPage(await loadDemo(), signal),
    enabled: demo,
    refetchInterval: REFRESH_MS,
  });

  useEffect(() => {
    // The page that was there first is as old as the rest of the code. Not at once: the list is being drawn.
    const isFirst = firstPageOf(owner, filter, limit) !== undefined;
    const timer = isFirst ? setTimeout(() => void refetch()) : undefined;
    return () => clearTimeout(timer);
    // oxlint-disable-next-line react/exhaustive-deps -- When it is mounted.
  }, []);
  useEffect(() => dropFirstPage, []);
  const source = demo ? 'demo' : owner;
  useEffect(() => () => changes.reset(), [changes, source]);
  return { query: demo ? sample : fetched, refetch, demo, unreachable };
}
