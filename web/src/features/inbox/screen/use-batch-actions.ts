// Actions on several tasks at once, each with one step of undo.
import { useRef } from 'react';
import type { Task } from '#core/contract/index.ts';
import { UNDO_WINDOW_MS } from '#core/contract/limits.ts';
import { notify } from '../../../ui/toast.tsx';
import { allPinned } from '../model/batch.ts';
import type { TaskActions } from './use-task-actions.ts';

const NOTICE = 'undo';
const NOTICE_MS = 8000;
const MOST_STEPS = 50;

type Step = { kind: 'acknowledged' | 'pinned' | 'unpinned'; ids: readonly string[]; at: number };

export interface BatchActions {
  acknowledge: (tasks: readonly Task[]) => void;
  /** Pins all when any of them is not pinned, else unpins all. */
  pin: (tasks: readonly Task[]) => void;
  keepLonger: (tasks: readonly Task[]) => void;
  undo: () => void;
}

interface Parts {
  actions: TaskActions;
  /** A guest may only look: the actions show the notice. */
  readOnly: boolean;
  /** The tasks in the queue now. */
  tasks: readonly Task[];
}

export function useBatchActions({ actions, readOnly, tasks: now }: Parts): BatchActions {
  const steps = useRef<Step[]>([]);
  const latest = useRef(now);
  latest.current = now;

  function done(kind: Step['kind'], tasks: readonly Task[]) {
    if (readOnly || tasks.length === 0) return;
    steps.current = [...steps.current, { kind, ids: tasks.map(({ id }) => id), at: Date.now() }].slice(
      -MOST_STEPS,
    );
  }

  function pin(tasks: readonly Task[]) {
    if (tasks.length === 0) return;
    const unpins = allPinned(tasks);
    const changed = tasks.filter(({ pinned }) => pinned === unpins);
    for (const task of readOnly ? changed.slice(0, 1) : changed) actions.pin(task);
    if (readOnly) return;
    done(unpins ? 'unpinned' : 'pinned', changed);
    if (tasks.length > 1)
      void notify({
        id: NOTICE,
        text: `${unpins ? 'Unpinned' : 'Pinned'} ${tasks.length} items`,
        timeoutMs: NOTICE_MS,
        action: { label: 'Undo', keys: 'z', run: undo },
      });
  }

  function undo() {
    const there = new Map(latest.current.map((task) => [task.id, task]));
    for (;;) {
      const step = steps.current.pop();
      if (step === undefined || step.kind === 'acknowledged') {
        // Refused by the server, or restored already: undo the step before.
        if (step?.ids.every((id) => there.has(id))) continue;
        return actions.undo();
      }
      if (Date.now() - step.at > UNDO_WINDOW_MS) continue;
      const back = step.ids.flatMap((id) => there.get(id) ?? []);
      const stillSo = back.filter(({ pinned }) => pinned === (step.kind === 'pinned'));
      if (stillSo.length === 0) continue;
      for (const task of stillSo) actions.pin(task);
      void notify({
        id: NOTICE,
        text: `${step.kind === 'pinned' ? 'Unpinned' : 'Pinned'} ${count(stillSo)} again`,
      });
      return;
    }
  }

  return {
    pin,
    undo,
    acknowledge: (tasks) => {
      done('acknowledged', tasks);
      actions.acknowledge(tasks);
    },
    keepLonger: (tasks) => {
      for (const task of readOnly ? tasks.slice(0, 1) : tasks) actions.keepLonger(task);
      if (!readOnly && tasks.length > 1) void notify({ text: `Kept ${tasks.length} items 24 h longer` });
    },
  };
}

function count(tasks: readonly Task[]): string {
  return tasks.length === 1 ? '1 item' : `${tasks.length} items`;
}
