// The one row that the keyboard is at. When it goes, the next one takes its place.
import { useState } from 'react';

/** Each has its own number, also when the inbox is drawn anew. */
let requests = 0;

export function useCursor(listed: readonly string[]) {
  // `index`: where the row stood when it was chosen.
  const [state, setState] = useState({ id: null as string | null, index: 0, request: 0 });
  const there = state.id === null || listed.includes(state.id);
  // Removed elsewhere: the row that took its place.
  const activeId = there ? state.id : (listed[Math.min(state.index, listed.length - 1)] ?? null);

  function focus(id: string) {
    requests += 1;
    setState({ id, index: listed.indexOf(id), request: requests });
  }

  return {
    activeId,
    /** A new number asks the row to take the focus. */
    focusRequest: state.request,
    /** The row has got the focus by itself (click, Tab). */
    at: (id: string) =>
      setState((before) => (before.id === id ? before : { ...before, id, index: listed.indexOf(id) })),
    /** Goes to the next or the former row, and answers it; null in an empty list. */
    move: (by: 1 | -1): string | null => {
      const from = activeId === null ? -1 : listed.indexOf(activeId);
      const id = listed[from === -1 ? 0 : Math.min(listed.length - 1, Math.max(0, from + by))];
      if (id !== undefined) focus(id);
      return id ?? null;
    },
    focus,
    /** Puts the focus on the row that will be next once these are gone; false when none is left. */
    leave: (ids: ReadonlySet<string>) => {
      const from = Math.max(0, activeId === null ? 0 : listed.indexOf(activeId));
      const next =
        listed.slice(from).find((id) => !ids.has(id)) ?? listed.slice(0, from).findLast((id) => !ids.has(id));
      if (next === undefined) return false;
      focus(next);
      return true;
    },
  };
}
