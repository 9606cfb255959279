// Actions on several tasks at once, each with one step of undo.
import { useRef } from 'react';
import type { Task } from '#core/contract/index.ts';
import { UNDO_WINDOW_MS } from '#core/contract/limits.ts';
import { plural } from '../../../lib/text.ts';
import { notify } from '../../../ui/toast.tsx';
import type { Queue } from '../data/use-queue.ts';
import { batchOf } from '../model/command-labels.ts';
import type { TaskActions } from './use-task-actions.ts';

const NOTICE = 'undo';
const NOTICE_MS = 8000;
const MOST_STEPS = 50;

type Step = { kind: 'acknowledged' | 'pinned' | 'unpinned'; ids: readonly string[]; at: number };

/** To a guest, who may only look, each action shows the notice once. */
export function useBatchActions(actions: TaskActions, { readOnly, view }: Queue) {
  const steps = useRef<Step[]>([]);
  const latest = useRef(view.tasks);
  latest.current = view.tasks;

  function addStep(kind: Step['kind'], tasks: readonly Task[]) {
    if (readOnly || tasks.length === 0) return;
    steps.current = [...steps.current, { kind, ids: tasks.map(({ id }) => id), at: Date.now() }].slice(
      -MOST_STEPS,
    );
  }

  /** Pins all when any of them is not pinned, else unpins all. */
  function pin(tasks: readonly Task[]) {
    if (tasks.length === 0) return;
    const { pinned: unpins } = batchOf(tasks);
    const changed = tasks.filter(({ pinned }) => pinned === unpins);
    for (const task of readOnly ? changed.slice(0, 1) : changed) actions.pin(task);
    if (readOnly) return;
    addStep(unpins ? 'unpinned' : 'pinned', changed);
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
      const did = step.kind === 'pinned' ? 'Unpinned' : 'Pinned';
      void notify({ id: NOTICE, text: `${did} ${plural(stillSo.length, 'item')} again` });
      return;
    }
  }

  return {
    pin,
    undo,
    acknowledge: (tasks: readonly Task[]) => {
      addStep('acknowledged', tasks);
      actions.acknowledge(tasks);
    },
    keepLonger: (tasks: readonly Task[]) => {
      for (const task of readOnly ? tasks.slice(0, 1) : tasks) actions.keepLonger(task);
      if (!readOnly && tasks.length > 1) void notify({ text: `Kept ${tasks.length} items 24 h longer` });
    },
  };
}
