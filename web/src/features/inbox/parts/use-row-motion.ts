// Motion of rows: they glide for a moment after others went. After others came, the mouse must move before it
// can act on a row.
import { useLayoutEffect, useRef } from 'react';
import type { ListItem } from '../model/groups.ts';

const GLIDE_MS = 200;

/** The former positions of rows by key, for a list that does not position them by transforms. */
export type RowPositions = ReadonlyMap<string, number>;

export function useRowMotion(
  list: { current: HTMLElement | null },
  items: readonly ListItem[],
  places?: { current: RowPositions },
): void {
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
    if (places !== undefined) startFrom(places.current, node);
    node.dataset.gliding = '';
    const timer = setTimeout(() => delete node.dataset.gliding, GLIDE_MS);
    return () => {
      clearTimeout(timer);
      delete node.dataset.gliding;
    };
  }, [items, list, places]);
}

// The rows are put where they were; the style sheet lets them glide from there.
function startFrom(places: RowPositions, node: HTMLElement): void {
  const rows = rowsOf(node);
  for (const row of rows) {
    const before = places.get(row.dataset['key'] ?? '');
    if (before !== undefined && before !== row.offsetTop)
      row.style.transform = `translateY(${before - row.offsetTop}px)`;
  }
  // Asked for, so that the browser has laid them out there first.
  node.getBoundingClientRect();
  requestAnimationFrame(() => {
    for (const row of rows) row.style.transform = '';
  });
}

/** Keeps the places of rows for {@link useRowMotion}, which must be called before it. */
export function useRowPositions(
  list: { current: HTMLElement | null },
  items: readonly ListItem[],
  places: { current: RowPositions },
): void {
  useLayoutEffect(() => {
    const node = list.current;
    if (node === null) return;
    const save = () => {
      places.current = new Map(rowsOf(node).map((row) => [row.dataset['key'] ?? '', row.offsetTop]));
    };
    save();
    const observer = new ResizeObserver(save);
    observer.observe(node);
    return () => observer.disconnect();
  }, [list, items, places]);
}

const rowsOf = (list: HTMLElement) => [...list.children].filter((row) => row instanceof HTMLElement);
