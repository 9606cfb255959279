// The first page of the plain list with its counts: what first-paint.tsx draws without react-dom, and React
// where that did not. Drawn once; what is done with it waits for the code that does it.
import { useState } from 'react';
import type { Priority } from '#core/contract/index.ts';
import { ticker } from '../../../lib/services.ts';
import { groupTasks } from '../model/groups.ts';
import type { FetchedPage } from '../model/page.ts';
import { Counts } from '../parts/counts.tsx';
import { cornersOf, firstTask, keyOf, ListEntry, type TaskListProps } from '../parts/list-entry.tsx';
import { rowsInView } from '../parts/rows-in-view.ts';
import { InboxFrame, SkeletonRows } from '../parts/skeleton.tsx';
import { earlyActions } from './early-actions.ts';

const NOTHING_SELECTED = { ids: new Set<string>(), batch: { count: 0, pinned: false } };
const NOTHING_DELAYED = new Set<string>();

interface FirstListProps {
  /** Null while it is not known. */
  page: FetchedPage | null;
  onChoose: (priority: Priority | null) => void;
  onSnoozed: () => void;
}

export function FirstList({ page, onChoose, onSnoozed }: FirstListProps) {
  const isShown = page !== null && page.tasks.length > 0;
  return (
    <InboxFrame
      counts={
        <Counts statistics={isShown ? page.statistics : null} onChoose={onChoose} onSnoozed={onSnoozed} />
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
    <ul aria-label="Tasks" data-leads-focus className="relative overflow-hidden">
      {shown.map((item, index) => (
        <li key={keyOf(item)} className={cornersOf(items, index)}>
          <ListEntry list={list} item={item} index={index} tabStop={firstTask(items)} />
        </li>
      ))}
    </ul>
  );
}
