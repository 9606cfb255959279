// The selected rows: one by one, a range, all, all others. Rows that leave the list are deselected.
import { useEffect, useMemo, useRef, useState } from 'react';

const NONE: ReadonlySet<string> = new Set();

/** `complete`: nothing is to be loaded any more; `loadAll` loads it all, `fetching` is true meanwhile. */
export function useSelection(
  listed: readonly string[],
  { complete, fetching }: { complete: boolean; fetching: boolean },
  loadAll: () => void,
) {
  const [chosen, setChosen] = useState(NONE);
  // What is to be selected once all is loaded.
  const [waiting, setWaiting] = useState<'all' | 'others' | null>(null);
  // A range goes from here; what was selected before it stays.
  const range = useRef<{ anchor: string; before: ReadonlySet<string> } | null>(null);
  const ids = useMemo(() => {
    if (chosen.size === 0) return chosen;
    const still = new Set(listed.filter((id) => chosen.has(id)));
    return still.size === chosen.size ? chosen : still;
  }, [chosen, listed]);

  function chooseFromAll(which: 'all' | 'others') {
    range.current = null;
    if (!complete || fetching) {
      loadAll();
      setWaiting(which);
      return;
    }
    setWaiting(null);
    setChosen(new Set(which === 'all' ? listed : listed.filter((id) => !ids.has(id))));
  }

  useEffect(() => {
    // Not complete: tasks came while the others were loaded, so that more are to be loaded.
    if (waiting !== null && !fetching) chooseFromAll(waiting);
  });

  return {
    ids,
    /** All is being loaded, to be selected. */
    isLoading: waiting !== null,
    toggle: (id: string) => {
      const next = new Set(ids);
      if (!next.delete(id)) next.add(id);
      range.current = { anchor: id, before: next };
      setChosen(next);
    },
    /** The range from the row that was toggled last, or from `start`, to this one. */
    extendTo: (id: string, start = id) => {
      range.current ??= { anchor: start, before: ids };
      const { anchor, before } = range.current;
      const to = listed.indexOf(id);
      if (to === -1) return;
      const at = listed.indexOf(anchor);
      const from = at === -1 ? to : at;
      setChosen(new Set([...before, ...listed.slice(Math.min(from, to), Math.max(from, to) + 1)]));
    },
    all: () => chooseFromAll('all'),
    invert: () => chooseFromAll('others'),
    clear: () => {
      range.current = null;
      setWaiting(null);
      setChosen(NONE);
    },
  };
}
