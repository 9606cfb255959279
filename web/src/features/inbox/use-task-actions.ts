// What a person can do to tasks. Each shows at once, is settled by the server's answer, and is taken back with the
// reason when it fails. Acknowledging can be undone for ten minutes.
import { useRef, useState } from 'react';
import type { CreateTask, EditTask, Task } from '#core/contract/index.ts';
import { ApiError, problemOf, type Problem } from '../../lib/api/api-error.ts';
import { whenOnline } from '../../lib/online.ts';
import { UNDO_WINDOW_MS } from '../../lib/time.ts';
import { dismissNotice, notify } from '../../ui/toast.tsx';
import type { Pending } from './model/changes.ts';
import type { Arrivals } from './model/arrivals.ts';
import type { Queue } from './use-queue.ts';

const UNDO_NOTICE = 'undo';
const UNDO_NOTICE_MS = 8000;
const KEEP_LONGER_MINUTES = 24 * 60;

interface Undoable {
  tasks: readonly Task[];
  at: number;
  /** Settles when the acknowledgement itself has been answered; true when it went well. */
  done: Promise<boolean>;
}

export interface TaskActions {
  acknowledge: (tasks: readonly Task[]) => void;
  undo: () => void;
  pin: (task: Task) => void;
  keepLonger: (task: Task) => void;
  /** Rejects with what to show in the form. */
  create: (input: CreateTask) => Promise<void>;
  edit: (task: Task, changes: EditTask) => Promise<void>;
  problem: Problem | null;
  dismissProblem: () => void;
}

/** `onGuest` is called instead when a guest tries; it answers whether the action may go on (the demo). */
export function useTaskActions(queue: Queue, arrivals: Arrivals, onGuest: () => boolean): TaskActions {
  const [problem, setProblem] = useState<Problem | null>(null);
  const undoable = useRef<Undoable[]>([]);
  const { changes, backend } = queue;

  async function attempt(
    operations: Pending[],
    failure: 'update' | 'delete' | 'pin',
    work: () => Promise<void>,
  ) {
    setProblem(null);
    changes.begin(...operations);
    try {
      // Done here already; the server is told as soon as it can be.
      if (queue.offline !== null) await whenOnline();
      await work();
      return true;
    } catch (error) {
      changes.end(...operations);
      const { texts } = await backend();
      setProblem(problemOf(error, texts[failure]));
      return false;
    }
  }

  async function change(
    task: Task,
    expected: Partial<Task>,
    failure: 'update' | 'pin',
    call: () => Promise<Task>,
  ) {
    const operation: Pending = { kind: 'change', id: task.id, change: expected };
    await attempt([operation], failure, async () => {
      const answered = await call();
      changes.end(operation);
      changes.learnTask(answered, task);
    });
  }

  async function acknowledge(tasks: readonly Task[]) {
    if (tasks.length === 0) return;
    const operations = tasks.map((task): Pending => ({ kind: 'acknowledge', id: task.id }));
    let settle: (wentWell: boolean) => void = () => undefined;
    const entry: Undoable = { tasks, at: Date.now(), done: new Promise((resolve) => (settle = resolve)) };
    undoable.current.push(entry);
    void notify({
      id: UNDO_NOTICE,
      text:
        tasks.length === 1 ? `Acknowledged: ${firstLine(tasks[0])}` : `Acknowledged ${tasks.length} items`,
      timeoutMs: UNDO_NOTICE_MS,
      action: { label: 'Undo', keys: 'z', run: () => void undo() },
    });
    const wentWell = await attempt(operations, 'delete', async () => {
      await (await backend()).acknowledge(tasks.map((task) => task.id));
      changes.end(...operations);
      changes.learnGone(tasks);
    });
    settle(wentWell);
    if (wentWell) return;
    undoable.current = undoable.current.filter((other) => other !== entry);
    void dismissNotice(UNDO_NOTICE);
  }

  async function undo() {
    const last = undoable.current.pop();
    if (last === undefined || Date.now() - last.at > UNDO_WINDOW_MS) {
      void notify({ id: UNDO_NOTICE, text: 'There is nothing to undo' });
      return;
    }
    void dismissNotice(UNDO_NOTICE);
    arrivals.admit(...last.tasks.map((task) => task.id));
    const operations = last.tasks.map((task): Pending => ({ kind: 'restore', id: task.id, task }));
    await attempt(operations, 'update', async () => {
      // Undone before it was done: one after the other, or the server would see them the wrong way round.
      if (!(await last.done)) {
        changes.end(...operations);
        return;
      }
      const restored = await (await backend()).restore(last.tasks.map((task) => task.id));
      changes.end(...operations);
      for (const task of restored) changes.learnTask(task, null);
      if (restored.length < last.tasks.length)
        void notify({
          text: `${restored.length} of ${last.tasks.length} items are back`,
          detail: 'For the others the ten minutes are over.',
        });
    });
  }

  // What was typed stays in its dialog.
  function refuseOffline() {
    if (queue.offline !== null)
      throw new ApiError('You are offline. Keep this open, and save it when you are back.', 'OFFLINE', 0);
  }

  return {
    acknowledge: (tasks) => void (onGuest() && acknowledge(tasks)),
    undo: () => void (onGuest() && undo()),
    pin: (task) => {
      if (!onGuest()) return;
      const pinned = !task.pinned;
      void change(task, { pinned }, 'pin', async () => (await backend()).pin(task.id, pinned));
    },
    keepLonger: (task) => {
      if (!onGuest()) return;
      const expiresAt = new Date(Date.parse(task.expiresAt) + KEEP_LONGER_MINUTES * 60_000).toISOString();
      void change(task, { expiresAt }, 'update', async () =>
        (await backend()).extend(task.id, KEEP_LONGER_MINUTES),
      );
    },
    create: async (input) => {
      refuseOffline();
      const created = await (await backend()).create(input);
      arrivals.admit(created.id);
      changes.learnTask(created, null);
      queue.refresh();
    },
    edit: async (task, edits) => {
      refuseOffline();
      changes.learnTask(await (await backend()).edit(task.id, edits), task);
    },
    problem,
    dismissProblem: () => setProblem(null),
  };
}

function firstLine(task: Task | undefined): string {
  const [line = ''] = (task?.content ?? '').split('\n');
  return line.length > 80 ? `${line.slice(0, 79)}…` : line;
}
