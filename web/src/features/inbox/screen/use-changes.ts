// Everything that is done to tasks. Each change shows at once, is stored and sent by the outbox, is reverted
// with the reason when the server refuses it, and can be undone for ten minutes, one step for one action.
import { useEffect, useRef, useState } from 'react';
import type { CreateTask, EditTask, Priority, Task } from '#core/contract/index.ts';
import { MAX_EXPIRY_MINUTES, UNDO_WINDOW_MS } from '#core/contract/limits.ts';
import type { Problem } from '../../../lib/api/api-error.ts';
import { PRIORITY_LABEL } from '../../../lib/labels.ts';
import { placeholderId, type Operation, type TaskChange } from '../../../lib/outbox/entry.ts';
import type { Outbox } from '../../../lib/outbox/outbox.ts';
import type { Outcome } from '../../../lib/outbox/types.ts';
import { ticker } from '../../../lib/services.ts';
import { firstLine, plural } from '../../../lib/text.ts';
import { wakeText } from '../../../lib/time.ts';
import { dismissNotice, notify } from '../../../ui/toast.tsx';
import type { Queue } from '../data/use-queue.ts';
import { batchOf } from '../model/command-labels.ts';
import type { NewRows } from '../model/new-rows.ts';
import { changing, removing, restoring, reverting, type Step } from '../model/undo.ts';
import { useSave } from './use-save.ts';

const UNDO_NOTICE = 'undo';
const UNDO_NOTICE_MS = 8000;
const MOST_STEPS = 50;
const MINUTE_MS = 60_000;
const KEEP_LONGER_MINUTES = 24 * 60;

export type Changes = ReturnType<typeof useChanges>;

/** `mayChange` is asked before each change: a guest may only look. */
export function useChanges(queue: Queue, newRows: NewRows, mayChange: () => boolean) {
  const { outbox } = queue;
  const save = useSave(outbox, newRows);
  const { problem, dismissProblem, run, undo, addStep, createdBy } = useSteps(queue, newRows);

  function change(changes: readonly TaskChange[], what: string): void {
    if (changes.length === 0 || !mayChange()) return;
    run(changing(changes), { inverse: reverting(changes), what });
    const [only] = changes;
    const isPin = only !== undefined && changes.length === 1 && only.to.pinned !== undefined;
    // One row that moves says so itself.
    if (!isPin) offerUndo(what, undo);
  }

  return {
    acknowledge: (tasks: readonly Task[]) => {
      if (tasks.length === 0 || !mayChange()) return;
      const what = `Acknowledged${nameOf(tasks)}`;
      run({ kind: 'acknowledge', tasks }, { inverse: restoring(tasks), what });
      offerUndo(what, undo);
    },
    /** Pins all when any of them is not pinned, else unpins all. */
    pin: (tasks: readonly Task[]) => {
      const { pinned: unpins } = batchOf(tasks);
      const changed = tasks.filter(({ pinned }) => pinned === unpins);
      change(
        changed.map((task) => ({ task, to: { pinned: !unpins } })),
        `${unpins ? 'Unpinned' : 'Pinned'} ${plural(tasks.length, 'item')}`,
      );
    },
    keepLonger: (tasks: readonly Task[]) => {
      const [only] = tasks;
      if (only === undefined || !mayChange()) return;
      const now = ticker.now();
      // What sleeps may end later than others can.
      const changes = tasks
        .map((task) => ({ task, to: { expiresAt: endAfterMore(task, now) } }))
        .filter(({ task, to }) => tasks.length === 1 || to.expiresAt > task.expiresAt);
      const step = {
        inverse: reverting(changes),
        what: `Kept ${tasks.length === 1 ? 'it' : `${tasks.length} items`} 24 h longer`,
      };
      // A pinned task whose time is up gets its hours from now on.
      const from = new Date(Math.max(Date.parse(only.expiresAt), now)).toISOString();
      run(
        tasks.length > 1
          ? changing(changes)
          : { kind: 'extend', task: only, minutes: KEEP_LONGER_MINUTES, from },
        step,
      );
      offerUndo(step.what, undo);
    },
    setPriority: (tasks: readonly Task[], priority: Priority) =>
      change(
        tasks.filter((task) => task.priority !== priority).map((task) => ({ task, to: { priority } })),
        `${PRIORITY_LABEL[priority]} priority for ${plural(tasks.length, 'item')}`,
      ),
    /** `until` in milliseconds; null wakes them. */
    snooze: (tasks: readonly Task[], until: number | null) => {
      const snoozedUntil = until === null ? null : new Date(until).toISOString();
      const which = tasks.length === 1 ? '' : ` ${tasks.length} items`;
      change(
        tasks.map((task) => ({ task, to: { snoozedUntil } })),
        until === null
          ? `Woke ${plural(tasks.length, 'item')}`
          : `Snoozed${which} until ${wakeText(until, ticker.now())}`,
      );
    },
    setTags: (tasks: readonly Task[], tagsOf: (task: Task) => string[]) =>
      change(
        tasks.map((task) => ({ task, to: { tags: tagsOf(task) } })),
        `Changed tags of ${plural(tasks.length, 'item')}`,
      ),
    undo: () => void (mayChange() && undo()),
    /** Rejects with what to show in the form. */
    create: async (input: CreateTask) => {
      const id = await save({ kind: 'create', input });
      const task = createdBy(id);
      if (task !== null) addStep(id, { inverse: removing(task), what: `Added${nameOf([task])}` });
    },
    edit: async (task: Task, changes: EditTask) => {
      const id = await save({ kind: 'edit', task, changes });
      addStep(id, { inverse: reverting([{ task, to: changes }]), what: `Edited${nameOf([task])}` });
    },
    problem,
    dismissProblem,
  };
}

/** Runs operations, and takes the last ones back. */
function useSteps(queue: Queue, newRows: NewRows) {
  const { outbox } = queue;
  const [problem, setProblem] = useState<Problem | null>(null);
  const steps = useRef<Step[]>([]);
  const created = useRef(new Map<string, Task>());
  const latest = useRef(queue.view.tasks);
  useEffect(() => {
    latest.current = queue.view.tasks;
  });
  useOutboxNotices(outbox, newRows, (entryId, task) => {
    created.current.set(placeholderId(entryId), task);
  });

  function addStep(id: string, step: Pick<Step, 'inverse' | 'what'>) {
    steps.current = [...steps.current, { id, at: Date.now(), ...step }].slice(-MOST_STEPS);
  }

  /** Whether the server did not refuse it. */
  async function settled(operation: Operation, outcome: Promise<Outcome>): Promise<boolean> {
    setProblem(null);
    const result = await outcome;
    if (result.kind !== 'refused') return true;
    setProblem(await outbox.problemOf(result.error, operation));
    return false;
  }

  async function run(operation: Operation, step: Pick<Step, 'inverse' | 'what'>) {
    const { entry, outcome } = outbox.add(operation);
    addStep(entry.id, step);
    if (await settled(operation, outcome)) return;
    steps.current = steps.current.filter(({ id }) => id !== entry.id);
    void dismissNotice(UNDO_NOTICE);
  }

  async function undo() {
    const listed = new Map(latest.current.map((task) => [task.id, task]));
    const now = {
      listed: (id: string) => listed.get(id),
      created: (task: Task) => created.current.get(task.id) ?? task,
    };
    for (
      let step = steps.current.pop() ?? lastUnsent(outbox);
      step !== undefined;
      step = steps.current.pop()
    ) {
      const inverse = canUndo(outbox, step) ? step.inverse(now) : null;
      if (inverse === null) continue;
      if (inverse.kind === 'restore') {
        void dismissNotice(UNDO_NOTICE);
        newRows.include(...inverse.tasks.map(({ id }) => id));
      } else {
        void notify({ id: UNDO_NOTICE, text: `Undone: ${step.what}` });
      }
      await settled(inverse, outbox.undo(step.id, inverse));
      return;
    }
    void notify({ id: UNDO_NOTICE, text: 'There is nothing to undo' });
  }

  return {
    problem,
    dismissProblem: () => setProblem(null),
    run: (operation: Operation, step: Pick<Step, 'inverse' | 'what'>) => void run(operation, step),
    undo,
    addStep,
    /** The task that this entry has created, as far as the server has answered. */
    createdBy: (entryId: string) => created.current.get(placeholderId(entryId)) ?? null,
  };
}

function canUndo(outbox: Outbox, { id, at }: Step): boolean {
  const isUnsent = outbox.getSnapshot().entries.some((entry) => entry.id === id);
  return isUnsent || Date.now() - at <= UNDO_WINDOW_MS;
}

// Also one from before this page was opened.
function lastUnsent(outbox: Outbox): Step | undefined {
  return outbox
    .getSnapshot()
    .entries.flatMap(({ id, at, operation, refusal }): Step[] =>
      operation.kind === 'acknowledge' && refusal === null
        ? [{ id, at, inverse: restoring(operation.tasks), what: '' }]
        : [],
    )
    .at(-1);
}

function offerUndo(text: string, undo: () => Promise<void>): void {
  void notify({
    id: UNDO_NOTICE,
    text,
    timeoutMs: UNDO_NOTICE_MS,
    action: { label: 'Undo', keys: 'z', run: () => void undo() },
  });
}

function nameOf(tasks: readonly Task[]): string {
  return tasks.length === 1 ? `: ${firstLine(tasks[0]?.content ?? '', 80)}` : ` ${tasks.length} items`;
}

/** 24 hours more, but no further from now than the server allows, on a clock that may differ a little. */
function endAfterMore({ expiresAt }: Task, now: number): string {
  const end = Math.max(Date.parse(expiresAt), now) + KEEP_LONGER_MINUTES * MINUTE_MS;
  return new Date(Math.min(end, now + (MAX_EXPIRY_MINUTES - 1) * MINUTE_MS)).toISOString();
}

function useOutboxNotices(
  outbox: Outbox,
  newRows: NewRows,
  onCreated: (entryId: string, task: Task) => void,
): void {
  const latest = useRef(onCreated);
  useEffect(() => {
    latest.current = onCreated;
  });
  useEffect(
    () =>
      outbox.on({
        answered: ({ id, operation }, tasks) => {
          if (operation.kind === 'create') {
            newRows.include(...tasks.map((task) => task.id));
            if (tasks[0] !== undefined) latest.current(id, tasks[0]);
          }
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
