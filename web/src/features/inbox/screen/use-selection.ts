// The selected rows, one by one or as a range. Rows that leave the list are deselected.
import { useMemo, useRef, useState } from 'react';

export function useSelection(listed: readonly string[]) {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const anchor = useRef<string | null>(null);
  const ids = useMemo(() => {
    if (chosen.size === 0) return chosen;
    const still = new Set(listed.filter((id) => chosen.has(id)));
    return still.size === chosen.size ? chosen : still;
  }, [chosen, listed]);

  return {
    ids,
    toggle: (id: string) => {
      anchor.current = id;
      const next = new Set(ids);
      if (!next.delete(id)) next.add(id);
      setChosen(next);
    },
    /** From the row that was toggled last to this one. */
    extendTo: (id: string) => {
      const from = anchor.current === null ? -1 : listed.indexOf(anchor.current);
      const to = listed.indexOf(id);
      if (to === -1) return;
      const start = from === -1 ? to : Math.min(from, to);
      const end = from === -1 ? to : Math.max(from, to);
      setChosen(new Set([...ids, ...listed.slice(start, end + 1)]));
      if (from === -1) anchor.current = id;
    },
    clear: () => {
      anchor.current = null;
      setChosen(new Set());
    },
  };
}
