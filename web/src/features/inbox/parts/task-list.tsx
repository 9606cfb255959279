// The rows, grouped by stage. Short lists are drawn whole; the code for long ones is loaded when needed.
import { lazy, Suspense, useDeferredValue, useEffect, useRef, useState } from 'react';
import { cornersOf, firstTask, keyOf, ListEntry, STICKY_PX, type TaskListProps } from './list-entry.tsx';
import { rowsInView } from './rows-in-view.ts';
import { useRowGestures } from './use-row-gestures.ts';
import { useRowPositions, useRowMotion, type RowPositions } from './use-row-motion.ts';

const VirtualList = lazy(() => import('./virtual-list.tsx'));

/** A first page of 50 with its headings, and some that have come since. */
const LONGEST_PLAIN = 80;

export function TaskList(props: TaskListProps) {
  const { length } = props.items;
  const [long, setLong] = useState(length > LONGEST_PLAIN);
  // For good: a list of the other kind would draw every row anew.
  if (!long && length > LONGEST_PLAIN) setLong(true);
  if (!long) return <PlainList {...props} />;
  return (
    <Suspense fallback={<PlainList {...props} items={props.items.slice(0, LONGEST_PLAIN)} />}>
      <VirtualList {...props} />
    </Suspense>
  );
}

function PlainList(props: TaskListProps) {
  const { items, activeId, focusRequest, actions } = props;
  const list = useRef<HTMLUListElement>(null);
  const places = useRef<RowPositions>(new Map());
  // First the rows in view, then the rest.
  const complete = useDeferredValue(true, window.scrollY > 0);
  const shown = complete ? items : items.slice(0, rowsInView());
  useRowGestures(list, items, actions);
  useRowMotion(list, shown, places);
  useRowPositions(list, shown, places);

  useEffect(() => {
    if (focusRequest === 0) return;
    const row = [...(list.current?.children ?? [])].find((each) => each.contains(document.activeElement));
    if (row instanceof HTMLElement) bringIntoView(row);
  }, [focusRequest]);

  const known = items.some((item) => item.kind === 'task' && item.task.id === activeId);
  const tabStop = known ? activeId : firstTask(items);
  return (
    <ul ref={list} aria-label="Tasks" data-leads-focus className="relative overflow-hidden">
      {shown.map((item, index) => (
        <li key={keyOf(item)} data-key={keyOf(item)} className={cornersOf(items, index)}>
          <ListEntry list={props} item={item} index={index} tabStop={tabStop} />
        </li>
      ))}
    </ul>
  );
}

function bringIntoView(row: HTMLElement): void {
  const { top, bottom } = row.getBoundingClientRect();
  const below = bottom + 24 - window.innerHeight;
  const by = top < STICKY_PX ? top - STICKY_PX : Math.max(0, below);
  if (by !== 0) window.scrollTo({ top: window.scrollY + by });
}
