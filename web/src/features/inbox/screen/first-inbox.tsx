// Today's tasks before the code that changes them is there: the first page of the plain list.
import { useEffect, useState } from 'react';
import { useSearchParams } from 'wouter';
import { useSession } from '../../../lib/session/use-session.ts';
import { fetchFirstPage, ownerOf } from '../data/first-page.ts';
import type { FetchedPage } from '../model/page.ts';
import { noteEarlyPresses } from './early-actions.ts';
import { FirstList } from './first-list.tsx';

/** `onDone`: the list is shown, or cannot be. `plain`: the address asks for no other list than the newest. */
export function FirstInbox({ plain, onDone }: { plain: boolean; onDone: () => void }) {
  const page = useFirstPage(plain, onDone);
  const [, setParams] = useSearchParams();
  useEffect(noteEarlyPresses, []);
  return (
    <FirstList
      page={page}
      // The address says it to the code that filters.
      onChoose={(priority) => setParams({ priority: priority ?? '' }, { replace: true })}
      onSnoozed={() => setParams({ snoozed: 'true' }, { replace: true })}
    />
  );
}

/** Null until it has come, and when it cannot be had. */
function useFirstPage(plain: boolean, onDone: () => void): FetchedPage | null {
  const session = useSession();
  const [page, setPage] = useState<FetchedPage | null>(null);
  const owner = session.loading ? null : ownerOf(session);
  useEffect(() => {
    if (owner === null) return;
    if (!plain) return onDone();
    let isWanted = true;
    fetchFirstPage(owner).then((fetched) => isWanted && setPage(fetched), onDone);
    return () => {
      isWanted = false;
    };
  }, [owner, plain, onDone]);
  useEffect(() => {
    if (page === null) return;
    // After the frame that shows it.
    const frame = requestAnimationFrame(() => setTimeout(onDone));
    return () => cancelAnimationFrame(frame);
  }, [page, onDone]);
  return page;
}
