// Actions on tasks. Each shows at once, is stored and sent by the outbox, and is reverted with the reason
// when the server refuses it. Acknowledging can be undone for ten minutes, and for as long as it is not sent.
import { useEffect, useRef, useState } from 'react';
import type { CreateTask, EditTask, Task } from '#core/contract/index.ts';
import { UNDO_WINDOW_MS } from '#core/contract/limits.ts';
import { ApiError, type Problem } from '../../../lib/api/api-error.ts';
import { placeholderId, type Operation } from '../../../lib/outbox/entry.ts';
import type { Outbox } from '../../../lib/outbox/outbox.ts';
import type { Outcome } from '../../../lib/outbox/types.ts';
import { firstLine, plural } from '../../../lib/text.ts';
import { dismissNotice, notify } from '../../../ui/toast.tsx';
import type { Queue } from '../data/use-queue.ts';
import type { NewRows } from '../model/new-rows.ts';

const UNDO_NOTICE = 'undo';
const UNDO_NOTICE_MS = 8000;
const KEEP_LONGER_MINUTES = 24 * 60;

interface Undoable {
  /** The entry of the acknowledgement. */
  id: string;
  tasks: readonly Task[];
  at: number;
}

export type TaskActions = ReturnType<typeof useTaskActions>;

/** `mayChange` is asked before each action: a guest may only look. */
export function useTaskActions({ outbox }: Queue, newRows: NewRows, mayChange: () => boolean) {
  const [problem, setProblem] = useState<Problem | null>(null);
  const save = useSave(outbox, newRows);
  const { acknowledge, undo } = useAcknowledge(outbox, newRows, perform);
  useOutboxNotices(outbox, newRows);

  /** Resolves with whether the server did not refuse it. */
  async function perform(operation: Operation, outcome = outbox.add(operation).outcome): Promise<boolean> {
    setProblem(null);
    const result = await outcome;
    if (result.kind !== 'refused') return true;
    setProblem(await outbox.problemOf(result.error, operation));
    return false;
  }

  return {
    acknowledge: (tasks: readonly Task[]) => void (mayChange() && tasks.length > 0 && acknowledge(tasks)),
    undo: () => void (mayChange() && undo()),
    pin: (task: Task) => {
      if (mayChange()) void perform({ kind: 'pin', task, pinned: !task.pinned });
    },
    keepLonger: (task: Task) => {
      if (!mayChange()) return;
      // A pinned task whose time is up gets its hours from now on.
      const from = new Date(Math.max(Date.parse(task.expiresAt), Date.now())).toISOString();
      void perform({ kind: 'extend', task, minutes: KEEP_LONGER_MINUTES, from });
    },
    /** Rejects with what to show in the form. */
    create: (input: CreateTask) => save({ kind: 'create', input }),
    edit: (task: Task, changes: EditTask) => save({ kind: 'edit', task, changes }),
    problem,
    dismissProblem: () => setProblem(null),
  };
}

type Perform = (operation: Operation, outcome?: Promise<Outcome>) => Promise<boolean>;

/** Acknowledging, and undoing the latest acknowledgement. */
function useAcknowledge(outbox: Outbox, newRows: NewRows, perform: Perform) {
  const undoable = useRef<Undoable[]>([]);
  useEffect(
    () =>
      outbox.on({
        answered: ({ id, operation }, [created]) => {
          if (operation.kind !== 'create' || created === undefined) return;
          const withCreated = (task: Task) => (task.id === placeholderId(id) ? created : task);
          undoable.current = undoable.current.map((each) => ({
            ...each,
            tasks: each.tasks.map(withCreated),
          }));
        },
      }),
    [outbox],
  );

  async function acknowledge(tasks: readonly Task[]) {
    const operation = { kind: 'acknowledge', tasks } as const;
    const { entry, outcome } = outbox.add(operation);
    undoable.current.push({ id: entry.id, tasks, at: Date.now() });
    const succeeded = perform(operation, outcome);
    const what =
      tasks.length === 1 ? `: ${firstLine(tasks[0]?.content ?? '', 80)}` : ` ${tasks.length} items`;
    void notify({
      id: UNDO_NOTICE,
      text: `Acknowledged${what}`,
      timeoutMs: UNDO_NOTICE_MS,
      action: { label: 'Undo', keys: 'z', run: () => void undo() },
    });
    if (await succeeded) return;
    undoable.current = undoable.current.filter(({ id }) => id !== entry.id);
    void dismissNotice(UNDO_NOTICE);
  }

  async function undo() {
    const last = undoable.current.pop() ?? lastUnsent();
    if (last === undefined || !canUndo(last)) {
      void notify({ id: UNDO_NOTICE, text: 'There is nothing to undo' });
      return;
    }
    void dismissNotice(UNDO_NOTICE);
    newRows.include(...last.tasks.map(({ id }) => id));
    const restore = { kind: 'restore', tasks: last.tasks } as const;
    await perform(restore, outbox.undo(last.id, restore));
  }

  function canUndo({ id, at }: Undoable): boolean {
    const isUnsent = outbox.getSnapshot().entries.some((entry) => entry.id === id);
    return isUnsent || Date.now() - at <= UNDO_WINDOW_MS;
  }

  // Also one from before this page was opened.
  function lastUnsent(): Undoable | undefined {
    return outbox
      .getSnapshot()
      .entries.flatMap(({ id, at, operation, refusal }) =>
        operation.kind === 'acknowledge' && refusal === null ? [{ id, at, tasks: operation.tasks }] : [],
      )
      .at(-1);
  }

  return { acknowledge, undo };
}

/** Saving a form: it stays open until the operation is done or stored. */
function useSave(outbox: Outbox, newRows: NewRows) {
  const unsaved = useRef<{ text: string; id: string } | null>(null);
  return async (operation: Operation): Promise<void> => {
    const text = JSON.stringify(operation);
    // The same operation again, after an answer that never came, has the same id: the server does it once.
    const { entry, outcome } = outbox.add(
      operation,
      unsaved.current?.text === text ? unsaved.current.id : undefined,
    );
    newRows.include(placeholderId(entry.id));
    const result = await outcome;
    unsaved.current = null;
    if (result.kind === 'refused') throw result.error;
    if (result.kind === 'answered' || result.stored) return;
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
  };
}

function useOutboxNotices(outbox: Outbox, newRows: NewRows): void {
  useEffect(
    () =>
      outbox.on({
        answered: ({ operation }, tasks) => {
          if (operation.kind === 'create') newRows.include(...tasks.map(({ id }) => id));
          if (operation.kind === 'restore' && tasks.length < operation.tasks.length)
            void notify({
              text: `${tasks.length} of ${operation.tasks.length} items are back`,
              detail: 'For the others the ten minutes are over.',
            });
        },
        caughtUp: (sent) => {
          if (!document.hidden) void notify({ text: `${plural(sent, 'change')} sent` });
        },
      }),
    [outbox, newRows],
  );
}
