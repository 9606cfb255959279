// What changes the list between two fetches: live messages, and the answers to what is done here.
import { useEffect, useRef } from 'react';
import { MAX_PAGE_LIMIT } from '#core/contract/limits.ts';
import type { Outbox } from '../../../lib/outbox/outbox.ts';
import { subscribeLive } from '../../../lib/services.ts';
import type { QueueChanges } from '../model/changes.ts';
import type { Filter, Page } from '../model/page.ts';

/** Live messages that leave a gap within this time are followed by one fetch. */
const GAP_FETCH_DELAY_MS = 2500;

interface LiveChanges {
  changes: QueueChanges;
  box: Outbox;
  page: Page | undefined;
  filter: Filter;
  limit: number;
  refetch: () => Promise<unknown>;
}

/** Applies live messages and answers. Fetches the list when messages were missed, and after a creation. */
export function useLiveChanges({ changes, box, page, filter, limit, refetch }: LiveChanges): void {
  const latest = useRef({ page, filter });
  useEffect(() => {
    latest.current = { page, filter };
  });

  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const unsubscribe = subscribeLive((event) => {
      if (event.type === 'hello') return;
      if (event.type === 'connected' || event.type === 'queue.reset') {
        void refetch();
        return;
      }
      const isExact = changes.applyMessage(event, latest.current.page, latest.current.filter);
      // A longer list takes several calls: its gaps wait for the next regular fetch.
      if (isExact || limit > MAX_PAGE_LIMIT) return;
      timer ??= setTimeout(() => {
        timer = undefined;
        void refetch();
      }, GAP_FETCH_DELAY_MS);
    });
    return () => {
      unsubscribe();
      clearTimeout(timer);
    };
  }, [changes, refetch, limit]);

  useEffect(
    () =>
      box.on({
        answered: ({ operation }, tasks) => {
          changes.applyAnswer(operation, tasks, latest.current.page);
          if (operation.kind === 'create') void refetch();
        },
      }),
    [box, changes, refetch],
  );
}
