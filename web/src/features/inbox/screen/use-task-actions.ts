// What a person can do to tasks. Each shows at once, is kept and sent by the outbox, and is taken back with the reason when
// the server refuses it. Acknowledging can be undone for ten minutes, or for as long as it waits to be sent.
import { useEffect, useRef, useState } from 'react';
import type { CreateTask, EditTask, Task } from '#core/contract/index.ts';
import { ApiError, type Problem } from '../../../lib/api/api-error.ts';
import { placeholderId, type Operation } from '../../../lib/outbox/entry.ts';
import { UNDO_WINDOW_MS } from '../../../lib/time.ts';
import { dismissNotice, notify } from '../../../ui/toast.tsx';
import type { NewRows } from '../model/new-rows.ts';
import type { Queue } from '../data/use-queue.ts';

const UNDO_NOTICE = 'undo';
const UNDO_NOTICE_MS = 8000;
const KEEP_LONGER_MINUTES = 24 * 60;

interface Undoable {
  /** The entry of the acknowledgement. */
  id: string;
  tasks: readonly Task[];
  at: number;
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
export function useTaskActions(queue: Queue, arrivals: NewRows, onGuest: () => boolean): TaskActions {
  const [problem, setProblem] = useState<Problem | null>(null);
  const undoable = useRef<Undoable[]>([]);
  const unsaved = useRef<{ text: string; id: string } | null>(null);
  const { outbox } = queue;

  useEffect(
    () =>
      outbox.on({
        answered: ({ id, operation }, tasks) => {
          const [created] = tasks;
          if (operation.kind === 'create' && created !== undefined) {
            arrivals.include(created.id);
            const real = (task: Task) => (task.id === placeholderId(id) ? created : task);
            undoable.current = undoable.current.map((each) => ({ ...each, tasks: each.tasks.map(real) }));
          }
          if (operation.kind === 'restore' && tasks.length < operation.tasks.length)
            void notify({
              text: `${tasks.length} of ${operation.tasks.length} items are back`,
              detail: 'For the others the ten minutes are over.',
            });
        },
        caughtUp: (sent) => {
          if (!document.hidden) void notify({ text: sent === 1 ? '1 change sent' : `${sent} changes sent` });
        },
      }),
    [outbox, arrivals],
  );

  /** Resolves with whether the server did not refuse it. */
  async function perform(operation: Operation, id?: (id: string) => void): Promise<boolean> {
    setProblem(null);
    const { entry, outcome } = outbox.add(operation);
    id?.(entry.id);
    const result = await outcome;
    if (result.kind !== 'refused') return true;
    setProblem(await outbox.problemOf(result.error, operation));
    return false;
  }

  async function acknowledge(tasks: readonly Task[]) {
    if (tasks.length === 0) return;
    let added = '';
    const going = perform({ kind: 'acknowledge', tasks }, (id) => {
      added = id;
      undoable.current.push({ id, tasks, at: Date.now() });
    });
    void notify({
      id: UNDO_NOTICE,
      text:
        tasks.length === 1 ? `Acknowledged: ${firstLine(tasks[0])}` : `Acknowledged ${tasks.length} items`,
      timeoutMs: UNDO_NOTICE_MS,
      action: { label: 'Undo', keys: 'z', run: () => void undo() },
    });
    if (await going) return;
    undoable.current = undoable.current.filter(({ id }) => id !== added);
    void dismissNotice(UNDO_NOTICE);
  }

  async function undo() {
    const last = undoable.current.pop() ?? lastWaiting();
    if (last === undefined || !canUndo(last)) {
      void notify({ id: UNDO_NOTICE, text: 'There is nothing to undo' });
      return;
    }
    void dismissNotice(UNDO_NOTICE);
    setProblem(null);
    const { tasks } = last;
    arrivals.include(...tasks.map((task) => task.id));
    const result = await outbox.undo(last.id, { kind: 'restore', tasks });
    if (result.kind === 'refused')
      setProblem(await outbox.problemOf(result.error, { kind: 'restore', tasks }));
  }

  function canUndo({ id, at }: Undoable): boolean {
    const waits = outbox.getSnapshot().entries.some((entry) => entry.id === id);
    return waits || Date.now() - at <= UNDO_WINDOW_MS;
  }

  // Also one from before this page was opened.
  function lastWaiting(): Undoable | undefined {
    return outbox
      .getSnapshot()
      .entries.flatMap(({ id, at, operation, refusal }) =>
        operation.kind === 'acknowledge' && refusal === null ? [{ id, at, tasks: operation.tasks }] : [],
      )
      .at(-1);
  }

  /** What was typed stays in its dialog, unless it is done or kept. */
  async function save(operation: Operation) {
    const text = JSON.stringify(operation);
    // The same once more, after an answer that never came, is still the same.
    const { entry, outcome } = outbox.add(
      operation,
      unsaved.current?.text === text ? unsaved.current.id : undefined,
    );
    arrivals.include(placeholderId(entry.id));
    const result = await outcome;
    unsaved.current = null;
    if (result.kind === 'refused') throw result.error;
    if (result.kind === 'answered' || result.kept) return;
    unsaved.current = { text, id: entry.id };
    const { blocked } = outbox.getSnapshot();
    await outbox.discard(entry.id);
    throw blocked?.reason === 'offline'
      ? new ApiError('You are offline. Keep this open, and save it when you are back.', 'OFFLINE', 0)
      : new ApiError(
          'Qinbox does not answer. Keep this open, and save it again in a moment.',
          'NO_ANSWER',
          0,
        );
  }

  return {
    acknowledge: (tasks) => void (onGuest() && acknowledge(tasks)),
    undo: () => void (onGuest() && undo()),
    pin: (task) => {
      if (onGuest()) void perform({ kind: 'pin', task, pinned: !task.pinned });
    },
    keepLonger: (task) => {
      if (!onGuest()) return;
      // One whose time is up, and that is only pinned, gets its hours from now on.
      const from = new Date(Math.max(Date.parse(task.expiresAt), Date.now())).toISOString();
      void perform({ kind: 'extend', task, minutes: KEEP_LONGER_MINUTES, from });
    },
    create: (input) => save({ kind: 'create', input }),
    edit: (task, changes) => save({ kind: 'edit', task, changes }),
    problem,
    dismissProblem: () => setProblem(null),
  };
}

function firstLine(task: Task | undefined): string {
  const [line = ''] = (task?.content ?? '').split('\n');
  return line.length > 80 ? `${line.slice(0, 79)}…` : line;
}
