// The rows of a long list: only those near the window are in the page.
import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { usePreferences } from '../../../lib/preferences.ts';
import { NARROW_PX } from './rows-in-view.ts';
import { cornersOf, firstTask, keyOf, ListEntry, STICKY_PX, type TaskListProps } from './list-entry.tsx';
import { useRowGestures } from './use-row-gestures.ts';
import { useRowMotion } from './use-row-motion.ts';

const HEADING_PX = 40;

export default function VirtualList(props: TaskListProps) {
  const { items, activeId, focusRequest, actions } = props;
  const list = useRef<HTMLUListElement>(null);
  const [scrollMargin, setScrollMargin] = useState(0);
  const { density } = usePreferences();
  const activeIndex = useMemo(
    () => items.findIndex((item) => item.kind === 'task' && item.task.id === activeId),
    [items, activeId],
  );
  const estimate = estimateRow(density === 'compact');
  const virtualizer = useWindowVirtualizer<HTMLLIElement>({
    count: items.length,
    estimateSize: (index) => (items[index]?.kind === 'heading' ? HEADING_PX : estimate),
    getItemKey: (index) => keyOf(items[index]),
    overscan: 8,
    scrollMargin,
    scrollPaddingStart: STICKY_PX,
    scrollPaddingEnd: 24,
    // The row with the focus stays in the page however far it is scrolled away.
    rangeExtractor: ({ startIndex, endIndex, overscan, count }) => {
      const indexes: number[] = [];
      const from = Math.max(0, startIndex - overscan);
      const to = Math.min(count - 1, endIndex + overscan);
      if (activeIndex >= 0 && activeIndex < from) indexes.push(activeIndex);
      for (let index = from; index <= to; index += 1) indexes.push(index);
      if (activeIndex > to) indexes.push(activeIndex);
      return indexes;
    },
  });

  useLayoutEffect(() => {
    const node = list.current;
    if (node === null) return;
    const measure = () => setScrollMargin(Math.round(node.getBoundingClientRect().top + window.scrollY));
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(document.body);
    return () => observer.disconnect();
  }, []);

  useRowGestures(list, items, actions);
  useEffect(() => virtualizer.measure(), [density, virtualizer]);
  useRowMotion(list, items);

  const wanted = useRef(0);
  useEffect(() => {
    if (focusRequest === wanted.current || activeIndex < 0) return;
    wanted.current = focusRequest;
    virtualizer.scrollToIndex(activeIndex, { align: 'auto' });
  }, [focusRequest, activeIndex, virtualizer]);

  const tabStop = activeIndex >= 0 ? activeId : firstTask(items);
  return (
    <ul
      ref={list}
      aria-label="Tasks"
      data-leads-focus
      className="relative overflow-hidden"
      style={{ height: virtualizer.getTotalSize() }}
    >
      {virtualizer.getVirtualItems().map(({ index, key, start }) => {
        const item = items[index];
        if (item === undefined) return null;
        return (
          <li
            key={key}
            ref={virtualizer.measureElement}
            data-index={index}
            className={`absolute inset-x-0 top-0 ${cornersOf(items, index)}`}
            style={{ transform: `translateY(${start - scrollMargin}px)` }}
          >
            <ListEntry list={props} item={item} index={index} tabStop={tabStop} />
          </li>
        );
      })}
    </ul>
  );
}

function estimateRow(compact: boolean): number {
  const narrow = window.innerWidth < NARROW_PX;
  if (compact) return narrow ? 56 : 32;
  return narrow ? 72 : 48;
}
