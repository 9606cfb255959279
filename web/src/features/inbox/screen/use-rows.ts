// The rows of the list: those shown, their groups, the selected ones, and the one that the keyboard is at.
import { useMemo, useState } from 'react';
import type { Task } from '#core/contract/index.ts';
import { ticker } from '../../../lib/services.ts';
import { useTicking } from '../../../lib/ticker.ts';
import type { Queue } from '../data/use-queue.ts';
import { batchOf } from '../model/command-labels.ts';
import { groupTasks } from '../model/groups.ts';
import { NewRows } from '../model/new-rows.ts';
import { useCursor } from './use-cursor.ts';
import type { Filters } from './use-filters.ts';
import { useReading } from './use-reading.ts';
import { useSelection } from './use-selection.ts';

const MINUTE_MS = 60_000;

export type Rows = ReturnType<typeof useRows>;

export function useRows({ view, demo, fetching }: Queue, { filter, all }: Filters) {
  const [newRows] = useState(() => new NewRows());
  const reading = useReading();
  const [selecting, setSelecting] = useState(false);
  const listName = JSON.stringify([filter, demo]);
  const { shown, held } = useMemo(
    () => newRows.split(view.tasks, reading.disturbed || selecting, listName),
    [newRows, view.tasks, reading.disturbed, selecting, listName],
  );
  const { order, snoozed } = filter;
  const complete = shown.length + held >= view.total;
  const minute = useTicking(ticker, (now) => Math.floor(now / MINUTE_MS));
  const items = useMemo(
    () => groupTasks(shown, { order, complete, snoozed, now: Math.max(ticker.now(), minute * MINUTE_MS) }),
    [shown, order, complete, snoozed, minute],
  );
  const tasks = useMemo(() => items.flatMap((item) => (item.kind === 'task' ? [item.task] : [])), [items]);
  const listed = useMemo(() => tasks.map(({ id }) => id), [tasks]);
  const selection = useSelection(listed, { complete, fetching }, () => all(view.total));
  const cursor = useCursor(listed);
  if (selecting !== selection.ids.size > 0) setSelecting(selection.ids.size > 0);

  const selectedTasks = tasks.filter(({ id }) => selection.ids.has(id));
  const { count, pinned } = batchOf(selectedTasks);
  const selected = useMemo(
    () => ({ ids: selection.ids, batch: { count, pinned } }),
    [selection.ids, count, pinned],
  );
  const active = tasks.find(({ id }) => id === cursor.activeId) ?? null;
  return {
    items,
    /** As they are listed, from top to bottom. */
    tasks,
    shown,
    /** All that match the filter are here. */
    complete,
    /** How many new rows are held back. */
    held,
    showHeld: () => {
      newRows.showAll();
      selection.clear();
      reading.handlers.onPointerLeave();
      window.scrollTo({ top: 0 });
    },
    newRows,
    /** Another name is another list. */
    listName,
    reading: reading.handlers,
    selection,
    selected,
    selectedTasks,
    cursor,
    /** The task that the keyboard is at. */
    active,
    /** The selected tasks, or the active one while none is selected. */
    targets: selectedTasks.length > 0 ? selectedTasks : active === null ? [] : [active],
    /** All selected tasks for one of them; else the task alone. */
    together: (task: Task) => (selection.ids.has(task.id) ? selectedTasks : [task]),
  };
}
