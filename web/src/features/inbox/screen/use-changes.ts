// Everything that is done to tasks. Each change shows at once, is stored and sent by the outbox, is reverted
// with the reason when the server refuses it, and can be undone for ten minutes, one step for one action.
import type { CreateTask, EditTask, Priority, Task } from '#core/contract/index.ts';
import { MAX_EXPIRY_MINUTES } from '#core/contract/limits.ts';
import { PRIORITY_LABEL } from '../../../lib/labels.ts';
import type { TaskChange } from '../../../lib/outbox/entry.ts';
import { ticker } from '../../../lib/services.ts';
import { firstLine, plural } from '../../../lib/text.ts';
import { wakeText } from '../../../lib/time.ts';
import type { Queue } from '../data/use-queue.ts';
import { batchOf } from '../model/command-labels.ts';
import type { NewRows } from '../model/new-rows.ts';
import { changedFields } from '../model/task-form.ts';
import { changing, removing, restoring, reverting } from '../model/undo.ts';
import { useSave } from './use-save.ts';
import { useSteps } from './use-steps.ts';

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
    const [only] = changes;
    // One row that moves says so itself.
    const isOffered = only === undefined || changes.length > 1 || only.to.pinned === undefined;
    run(changing(changes), { inverse: reverting(changes), what }, isOffered);
  }

  return {
    acknowledge: (tasks: readonly Task[]) => {
      if (tasks.length === 0 || !mayChange()) return;
      const what = `Acknowledged${nameOf(tasks)}`;
      run({ kind: 'acknowledge', tasks }, { inverse: restoring(tasks), what });
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
    undo: () => {
      if (mayChange()) void undo();
    },
    /** Rejects with what to show in the form. */
    create: async (input: CreateTask) => {
      const id = await save({ kind: 'create', input });
      const task = createdBy(id);
      if (task !== null) addStep(id, { inverse: removing(task), what: `Added${nameOf([task])}` });
    },
    edit: async (task: Task, edited: Required<EditTask>) => {
      const changes = changedFields(task, edited);
      if (Object.keys(changes).length === 0) return;
      const id = await save({ kind: 'edit', task, changes });
      addStep(id, { inverse: reverting([{ task, to: changes }]), what: `Edited${nameOf([task])}` });
    },
    problem,
    dismissProblem,
  };
}

function nameOf(tasks: readonly Task[]): string {
  return tasks.length === 1 ? `: ${firstLine(tasks[0]?.content ?? '', 80)}` : ` ${tasks.length} items`;
}

/** 24 hours more, but no further from now than the server allows, on a clock that may differ a little. */
function endAfterMore({ expiresAt }: Task, now: number): string {
  const end = Math.max(Date.parse(expiresAt), now) + KEEP_LONGER_MINUTES * MINUTE_MS;
  return new Date(Math.min(end, now + (MAX_EXPIRY_MINUTES - 1) * MINUTE_MS)).toISOString();
}
