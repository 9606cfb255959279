// The one row that the keyboard is at. When it goes, the next one takes its place.
import { useMemo, useRef, useState } from 'react';

export interface Cursor {
  activeId: string | null;
  /** A new number asks the row to take the focus. */
  focusRequest: number;
  /** The row has got the focus by itself (click, Tab). */
  at: (id: string) => void;
  move: (by: 1 | -1) => void;
  /** Puts the focus on the row that will be next once these are gone; false when none is left. */
  leave: (ids: ReadonlySet<string>) => boolean;
  focus: (id: string) => void;
}

export function useCursor(listed: readonly string[]): Cursor {
  const [state, setState] = useState<{ id: string | null; request: number }>({ id: null, request: 0 });
  const lastIndex = useRef(0);
  const index = useMemo(() => (state.id === null ? -1 : listed.indexOf(state.id)), [listed, state.id]);
  if (index >= 0) lastIndex.current = index;
  // Gone by another hand: the row that slid into its place.
  const activeId =
    state.id === null || index >= 0
      ? state.id
      : (listed[Math.min(lastIndex.current, listed.length - 1)] ?? null);

  function focus(id: string) {
    setState((before) => ({ id, request: before.request + 1 }));
  }

  return {
    activeId,
    focusRequest: state.request,
    at: (id) => setState((before) => (before.id === id ? before : { ...before, id })),
    move: (by) => {
      const from = activeId === null ? -1 : listed.indexOf(activeId);
      const next = from === -1 ? 0 : Math.min(listed.length - 1, Math.max(0, from + by));
      const id = listed[next];
      if (id !== undefined) focus(id);
    },
    leave: (ids) => {
      const from = Math.max(0, activeId === null ? 0 : listed.indexOf(activeId));
      const next =
        listed.slice(from).find((id) => !ids.has(id)) ?? listed.slice(0, from).findLast((id) => !ids.has(id));
      if (next === undefined) return false;
      focus(next);
      return true;
    },
    focus,
  };
}
