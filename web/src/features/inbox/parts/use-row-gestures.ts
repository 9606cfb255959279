// What is done with rows by pointer and touch.
import { useEffect, useRef } from 'react';
import type { Task } from '#core/contract/index.ts';
import { ACKNOWLEDGE, PIN } from '../model/commands.ts';
import type { ListItem } from '../model/groups.ts';
import { listenToRows } from './row-gestures.ts';
import type { RowActions } from './task-row.tsx';

/** Swipes, clicks with Shift or Ctrl, and focus, for all rows of a list at once. */
export function useRowGestures(
  list: { current: HTMLElement | null },
  items: readonly ListItem[],
  actions: RowActions,
): void {
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
      swipeRight: withTask((task) => actions.run(ACKNOWLEDGE, task)),
      swipeLeft: withTask((task) => actions.run(PIN, task)),
      toggle: actions.toggle,
      open: actions.open,
      isSelecting: actions.isSelecting,
      extendTo: actions.extendTo,
      focused: actions.focused,
    });
  }, [list, actions]);
}
