// Runs operations, offers to take each back, and takes them back: by its notice the one that it tells of, by
// key the last one that can be.
import { useEffect, useRef, useState } from 'react';
import type { Task } from '#core/contract/index.ts';
import { UNDO_WINDOW_MS } from '#core/contract/limits.ts';
import type { Problem } from '../../../lib/api/api-error.ts';
import { placeholderId, type Operation } from '../../../lib/outbox/entry.ts';
import type { Outbox } from '../../../lib/outbox/outbox.ts';
import type { Outcome } from '../../../lib/outbox/types.ts';
import { session, ticker } from '../../../lib/services.ts';
import { accountOf } from '../../../lib/session/account.ts';
import { plural } from '../../../lib/text.ts';
import { dismissNotice, notify } from '../../../ui/toast.tsx';
import type { Queue } from '../data/use-queue.ts';
import type { NewRows } from '../model/new-rows.ts';
import { restoring, type Now, type Step } from '../model/undo.ts';

/** What an undo says itself. */
const UNDONE_NOTICE = 'undone';
const OFFER_MS = 8000;
const MOST_STEPS = 50;

type NewStep = Pick<Step, 'inverse' | 'what'>;

export function useSteps(queue: Queue, newRows: NewRows) {
  const { outbox } = queue;
  const [problem, setProblem] = useState<Problem | null>(null);
  const steps = useRef<Step[]>([]);
  /** The steps whose notices are shown. */
  const offered = useRef(new Set<string>());
  const created = useRef(new Map<string, Task>());
  const latest = useRef(queue);
  useEffect(() => {
    latest.current = queue;
    if (offered.current.size === 0) return;
    const now = nowOf(queue, created.current);
    for (const step of steps.current)
      if (offered.current.has(step.id) && inverseOf(outbox, step, now) === null) withdraw(step.id);
  });
  useOutboxNotices(outbox, newRows, (entryId, task) => {
    created.current.set(placeholderId(entryId), task);
  });

  function addStep(id: string, step: NewStep) {
    const account = accountOf(session);
    steps.current = [...steps.current, { id, at: Date.now(), account, ...step }].slice(-MOST_STEPS);
  }

  function offer(id: string, text: string) {
    offered.current.add(id);
    void notify({
      id: noticeOf(id),
      text,
      timeoutMs: OFFER_MS,
      action: { label: 'Undo', keys: 'z', run: () => void undo(id) },
      onClose: () => offered.current.delete(id),
    });
  }

  function withdraw(id: string) {
    if (offered.current.delete(id)) void dismissNotice(noticeOf(id));
  }

  function forget(id: string) {
    steps.current = steps.current.filter((step) => step.id !== id);
    withdraw(id);
  }

  /** Whether the server did not refuse it. */
  async function settled(operation: Operation, outcome: Promise<Outcome>): Promise<boolean> {
    setProblem(null);
    const result = await outcome;
    if (result.kind !== 'refused') return true;
    setProblem(await outbox.problemOf(result.error, operation));
    return false;
  }

  async function run(operation: Operation, step: NewStep, isOffered = true) {
    const { entry, outcome } = outbox.add(operation);
    addStep(entry.id, step);
    if (isOffered) offer(entry.id, step.what);
    if (!(await settled(operation, outcome))) forget(entry.id);
  }

  /** The last one that can be taken back, or the one with this id. */
  async function undo(id?: string) {
    const now = nowOf(latest.current, created.current);
    const last = steps.current.length === 0 ? lastUnsent(outbox) : steps.current.toReversed();
    for (const step of id === undefined ? last : steps.current.filter((each) => each.id === id)) {
      const inverse = inverseOf(outbox, step, now);
      forget(step.id);
      if (inverse === null) continue;
      if (inverse.kind === 'restore') newRows.include(...inverse.tasks.map((task) => task.id));
      else void notify({ id: UNDONE_NOTICE, text: `Undone: ${step.what}` });
      await settled(inverse, outbox.undo(step.id, inverse));
      return;
    }
    void notify({ id: UNDONE_NOTICE, text: 'There is nothing to undo' });
  }

  return {
    problem,
    dismissProblem: () => setProblem(null),
    /** `isOffered`: a notice offers to take it back. */
    run: (operation: Operation, step: NewStep, isOffered?: boolean) => void run(operation, step, isOffered),
    undo,
    addStep,
    /** The task that this entry has created, as far as the server has answered. */
    createdBy: (entryId: string) => created.current.get(placeholderId(entryId)) ?? null,
  };
}

/** Each step has a notice of its own: the next one does not take its place. */
function noticeOf(stepId: string): string {
  return `undo-${stepId}`;
}

function nowOf({ view, newest }: Queue, created: ReadonlyMap<string, Task>): Now {
  const listed = new Map(view.tasks.map((task) => [task.id, task]));
  return {
    time: ticker.now(),
    listed: (id) => listed.get(id),
    newest,
    created: (task) => created.get(task.id) ?? task,
  };
}

/** Null where it cannot be taken back: too late, overtaken, or done by somebody who has signed out. */
function inverseOf(outbox: Outbox, step: Step, now: Now): Operation | null {
  const isUnsent = outbox.getSnapshot().entries.some((entry) => entry.id === step.id);
  const isInTime = isUnsent || Date.now() - step.at <= UNDO_WINDOW_MS;
  return isInTime && step.account === accountOf(session) ? step.inverse(now) : null;
}

// Also one from before this page was opened.
function lastUnsent(outbox: Outbox): Step[] {
  const account = accountOf(session);
  return outbox
    .getSnapshot()
    .entries.flatMap(({ id, at, operation, refusal }): Step[] =>
      operation.kind === 'acknowledge' && refusal === null
        ? [{ id, at, account, inverse: restoring(operation.tasks), what: '' }]
        : [],
    )
    .slice(-1);
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
