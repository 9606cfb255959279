// The actions of rows, as one object that stays the same, so that rows need not be drawn again.
import { useEffect, useRef, useState } from 'react';
import type { InboxActions } from '../model/commands.ts';
import type { RowActions } from '../parts/task-row.tsx';
import type { Rows } from './use-rows.ts';

export function useRowActions(actions: InboxActions, rows: Rows): RowActions {
  const latest = useRef({ actions, rows });
  useEffect(() => {
    latest.current = { actions, rows };
  });
  const [rowActions] = useState<RowActions>(() => ({
    focused: (id) => latest.current.rows.cursor.at(id),
    toggle: (id) => latest.current.rows.selection.toggle(id),
    extendTo: (id) => latest.current.rows.selection.extendTo(id),
    run: ({ on, single = false, run }, task) => {
      const isTogether = on === 'targets' && !single;
      run(latest.current.actions, isTogether ? latest.current.rows.together(task) : [task]);
    },
  }));
  return rowActions;
}
