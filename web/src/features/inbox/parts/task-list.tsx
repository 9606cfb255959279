// The rows, grouped by stage. Only those near the window are in the page, so ten thousand scroll like ten.
import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import type { Task } from '#core/contract/index.ts';
import { STAGE_LABEL } from '../../../lib/stage.ts';
import { usePreferences } from '../../../lib/preferences.ts';
import type { ListItem } from '../model/groups.ts';
import { listenToRows } from './row-gestures.ts';
import { TaskRow, type RowCommands } from './task-row.tsx';

const HEADING_PX = 40;
const SETTLE_MS = 200;
/** Header and toolbar stay on top of what is scrolled to. */
const STICKY_PX = 124;

interface TaskListProps {
  items: readonly ListItem[];
  activeId: string | null;
  /** A new number asks the active row to take the focus. */
  focusRequest: number;
  selected: ReadonlySet<string>;
  commands: RowCommands;
}

export function TaskList({ items, activeId, focusRequest, selected, commands }: TaskListProps) {
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

  const latestItems = useRef(items);
  useEffect(() => {
    latestItems.current = items;
  }, [items]);
  useEffect(() => {
    if (list.current === null) return;
    const withTask = (act: (task: Task) => void) => (id: string) => {
      const item = latestItems.current.find((each) => each.kind === 'task' && each.task.id === id);
      if (item?.kind === 'task') act(item.task);
    };
    return listenToRows(list.current, {
      swipeRight: withTask(commands.acknowledge),
      swipeLeft: withTask(commands.pin),
      toggle: commands.toggle,
      extendTo: commands.extendTo,
      focused: commands.focused,
    });
  }, [commands]);

  useEffect(() => virtualizer.measure(), [density, virtualizer]);
  useSettling(list, items);

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
            {item.kind === 'heading' ? (
              <Heading item={item} first={index === 0} />
            ) : (
              <TaskRow
                task={item.task}
                active={item.task.id === tabStop}
                focusRequest={index === activeIndex ? focusRequest : 0}
                selected={selected.has(item.task.id)}
                selecting={selected.size > 0}
                commands={commands}
              />
            )}
          </li>
        );
      })}
    </ul>
  );
}

function Heading({ item, first }: { item: Extract<ListItem, { kind: 'heading' }>; first: boolean }) {
  return (
    <div className={`flex items-center gap-3 bg-surface-0 pb-1.5 ${first ? 'pt-1' : 'pt-4'}`}>
      <h2 className="text-13 font-medium text-ink-2">{STAGE_LABEL[item.stage]}</h2>
      <span className="nums text-13 text-ink-3">{item.count}</span>
      <span aria-hidden className="h-px flex-1 bg-line-1" />
    </div>
  );
}

// A group is one sheet: its first and last row have its corners.
function cornersOf(items: readonly ListItem[], index: number): string {
  if (items[index]?.kind !== 'task') return '';
  const first = items[index - 1]?.kind === 'heading' ? 'overflow-hidden rounded-t-md' : '';
  const last = items[index + 1]?.kind === 'task' ? '' : 'overflow-hidden rounded-b-md';
  return `${first} ${last}`;
}

function keyOf(item: ListItem | undefined): string {
  if (item === undefined) return '';
  return item.kind === 'heading' ? `stage ${item.stage}` : item.task.id;
}

function firstTask(items: readonly ListItem[]): string | null {
  const item = items.find((candidate) => candidate.kind === 'task');
  return item?.kind === 'task' ? item.task.id : null;
}

function estimateRow(compact: boolean): number {
  const narrow = window.innerWidth < 640;
  if (compact) return narrow ? 56 : 32;
  return narrow ? 72 : 48;
}

// Rows glide for a moment after some went; and when some came, the mouse must move before it can act on a row.
function useSettling(list: { current: HTMLElement | null }, items: readonly ListItem[]): void {
  const before = useRef<ReadonlySet<string>>(new Set());
  useLayoutEffect(() => {
    const node = list.current;
    const ids = new Set(items.flatMap((item) => (item.kind === 'task' ? [item.task.id] : [])));
    const had = before.current;
    before.current = ids;
    if (node === null || had.size === 0) return;
    const gone = had.size - [...had].filter((id) => ids.has(id)).length;
    const came = [...ids].some((id) => !had.has(id));
    if (came && node.matches(':hover')) {
      node.dataset.stale = '';
      const fresh = () => delete node.dataset.stale;
      node.addEventListener('pointermove', fresh, { once: true });
    }
    if (gone === 0 || came) return;
    node.dataset.settling = '';
    const timer = setTimeout(() => delete node.dataset.settling, SETTLE_MS);
    return () => {
      clearTimeout(timer);
      delete node.dataset.settling;
    };
  }, [items, list]);
}
