// What a row asks of the screen, as one object that stays the same while what it does is always the latest.
import { useEffect, useRef, useState } from 'react';
import type { RowCommands } from '../parts/task-row.tsx';

export function useRowCommands(now: RowCommands): RowCommands {
  const latest = useRef(now);
  useEffect(() => {
    latest.current = now;
  });
  const [commands] = useState<RowCommands>(() => ({
    focused: (id) => latest.current.focused(id),
    acknowledge: (task) => latest.current.acknowledge(task),
    pin: (task) => latest.current.pin(task),
    edit: (task) => latest.current.edit(task),
    details: (task) => latest.current.details(task),
    keepLonger: (task) => latest.current.keepLonger(task),
    toggle: (id) => latest.current.toggle(id),
    extendTo: (id) => latest.current.extendTo(id),
  }));
  return commands;
}
