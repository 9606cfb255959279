// What rows ask for, as one object that stays the same, so that rows need not be drawn again.
import { useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import type { InboxActions } from '../model/commands.ts';
import type { RowActions } from '../parts/task-row.tsx';
import { doEarlyActions } from './early-actions.ts';
import type { Filters } from './use-filters.ts';
import type { OpenTask } from './use-open-task.ts';
import type { Rows } from './use-rows.ts';

interface Parts {
  actions: InboxActions;
  rows: Rows;
  openTask: OpenTask;
  filters: Filters;
}

export function useRowActions(parts: Parts): RowActions {
  const latest = useRef(parts);
  useEffect(() => {
    latest.current = parts;
  });
  const [rowActions] = useState<RowActions>(() => ({
    focused: (id) => latest.current.rows.cursor.at(id),
    toggle: (id) => latest.current.rows.selection.toggle(id),
    extendTo: (id) => latest.current.rows.selection.extendTo(id),
    open: (id) => latest.current.openTask.open(id),
    filterBy: (kind, value) => latest.current.filters.toggle(kind, value),
    isSelecting: () => latest.current.rows.selection.ids.size > 0,
    run: ({ on, single = false, run }, task) => {
      const { actions, rows } = latest.current;
      const isTogether = on === 'targets' && !single;
      run(actions, isTogether ? rows.together(task) : [task]);
    },
  }));
  useEffect(() => void doEarlyActions(rowActions, flushSync), [rowActions]);
  return rowActions;
}
