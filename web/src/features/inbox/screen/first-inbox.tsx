// Today's tasks before the code that changes them is there: the first page of the plain list.
import { useEffect, useState } from 'react';
import { useSearchParams } from 'wouter';
import { ticker } from '../../../lib/services.ts';
import { useSession } from '../../../lib/session/use-session.ts';
import { fetchFirstPage, ownerOf } from '../data/first-page.ts';
import { groupTasks } from '../model/groups.ts';
import type { FetchedPage } from '../model/page.ts';
import { Counts } from '../parts/counts.tsx';
import { cornersOf, firstTask, keyOf, ListEntry, type TaskListProps } from '../parts/list-entry.tsx';
import { rowsInView } from '../parts/rows-in-view.ts';
import { InboxFrame, SkeletonRows } from '../parts/skeleton.tsx';
import { earlyActions, noteEarlyPresses } from './early-actions.ts';

const NOTHING_SELECTED = { ids: new Set<string>(), batch: { count: 0, pinned: false } };
const NOTHING_DELAYED = new Set<string>();

/** `onDone`: the list is shown, or cannot be. `plain`: the address asks for no other list than the newest. */
export function FirstInbox({ plain, onDone }: { plain: boolean; onDone: () => void }) {
  const page = useFirstPage(plain, onDone);
  const [, setParams] = useSearchParams();
  useEffect(noteEarlyPresses, []);
  const isShown = page !== null && page.tasks.length > 0;
  return (
    <InboxFrame
      counts={
        <Counts
          statistics={isShown ? page.statistics : null}
          // The address says it to the code that filters.
          onChoose={(priority) => setParams({ priority: priority ?? '' }, { replace: true })}
          onSnoozed={() => setParams({ snoozed: 'true' }, { replace: true })}
        />
      }
    >
      {isShown ? <FirstRows page={page} /> : <SkeletonRows />}
    </InboxFrame>
  );
}

function FirstRows({ page: { tasks, pagination } }: { page: FetchedPage }) {
  const [items] = useState(() =>
    groupTasks(tasks, {
      order: 'newest',
      complete: tasks.length >= pagination.total,
      now: ticker.now(),
    }),
  );
  // Drawn once: the rest comes with the code that is on its way.
  const shown = items.slice(0, rowsInView());
  const list: TaskListProps = {
    items,
    activeId: null,
    focusRequest: 0,
    selected: NOTHING_SELECTED,
    delayed: NOTHING_DELAYED,
    openId: null,
    actions: earlyActions,
  };
  return (
    <ul aria-label="Tasks" className="relative overflow-hidden">
      {shown.map((item, index) => (
        <li key={keyOf(item)} className={cornersOf(items, index)}>
          <ListEntry list={list} item={item} index={index} tabStop={firstTask(items)} />
        </li>
      ))}
    </ul>
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
