// Applies the domain's rules to stored tasks by optimistic concurrency: read, apply, replace unless changed meanwhile, or
// begin anew. The one place that replaces documents of tasks.
import { isVisible, suppressRepeat, repeatTask, type Task, type TaskDraft } from '#core/domain/task.ts';
import type { Clock } from '#core/ports/clock.ts';
import type { TaskChange, TaskRule } from '#core/ports/task-store.ts';
import type { DedupeKeys } from './dedupe-keys.ts';
import { until, type Table } from './documents.ts';
import type { Room } from './room.ts';
import { bytesOfTask, fieldsOf, GONE, stateOf, toTask, type TaskDocument } from './task-documents.ts';
import { createTurns } from './turns.ts';

export interface TaskWriter {
  /** Applies the rule to the owner's task; null when there is none or the rule refuses. */
  change(ownerId: string, id: string, rule: TaskRule): Promise<TaskChange | null>;
  /**
   * Repeats the task for an order, or counts it where the task is silent, noting the order on it, and drops the notes of
   * `settled` inserts. 'hidden' when the task is neither visible nor silent, 'stale' when it was changed since it was read.
   */
  repeat(
    document: TaskDocument,
    orderId: string,
    draft: TaskDraft,
    at: number,
    settled: ReadonlySet<string>,
  ): Promise<Task | 'hidden' | 'stale'>;
  /** Takes an unpinned task that is past its time out of the live ones; false when another process did. */
  retire(document: TaskDocument): Promise<boolean>;
}

export function createTaskWriter(
  tasks: Table<TaskDocument>,
  keys: DedupeKeys,
  clock: Clock,
  room: Room,
): TaskWriter {
  const inTurn = createTurns();
  async function checkGrowth(before: Task, after: Task): Promise<void> {
    const grown = { tasks: 0, bytes: bytesOfTask(after) - bytesOfTask(before) };
    // Waits for nobody's turn: whoever has it may wait for this very task.
    if (grown.bytes > 0) await room.check(after.ownerId, grown, () => Promise.resolve(grown));
  }
  const isLive = (document: TaskDocument) => isVisible(toTask(document), clock.now());

  async function save(document: TaskDocument, before: Task, wanted: Task): Promise<Task | null> {
    const wasSwept = document.state === GONE && before.acknowledgedAt === null;
    // A swept task stays swept, unless the rule gave it time or a pin.
    const state =
      wasSwept && !wanted.pinned && wanted.expiresAt === before.expiresAt ? GONE : stateOf(wanted);
    const returns = document.state === GONE && state !== GONE;
    const key = returns ? wanted.dedupeKey : null;
    const keeps = key === null || (await keys.reclaim(wanted.ownerId, key, wanted.id, isLive));
    const after = keeps ? wanted : { ...wanted, dedupeKey: null };
    if (!(await tasks.swap(document, fieldsOf(after, state, document.applied ?? [])))) return null;
    // While it was still hidden, a new task may have been given the key.
    if (key === null || !keeps || (await keys.has(wanted.ownerId, key, wanted.id))) return after;
    return dropKey(wanted.id);
  }

  function dropKey(id: string): Promise<Task | null> {
    return until(async () => {
      const document = await tasks.read(id);
      if (document === null) return { answer: null };
      const task = { ...toTask(document), dedupeKey: null };
      const saved = await tasks.swap(document, fieldsOf(task, document.state, document.applied ?? []));
      return saved ? { answer: task } : null;
    });
  }

  return {
    change: (ownerId, id, rule) =>
      inTurn(id, () =>
        until(async () => {
          const document = await tasks.read(id);
          if (document === null || document.owner !== ownerId) return { answer: null };
          const before = toTask(document);
          const wanted = rule(before);
          if (wanted === null) return { answer: null };
          if (wanted === before) return { answer: { before, after: before } };
          // One that leaves the queue only gets a note.
          if (wanted.acknowledgedAt === null) await checkGrowth(before, wanted);
          const after = await save(document, before, wanted);
          return after === null ? null : { answer: { before, after } };
        }),
      ),
    async repeat(document, orderId, draft, at, settled) {
      const before = toTask(document);
      const after = repeatTask(before, draft, at) ?? suppressRepeat(before, draft, at);
      if (after === null) return 'hidden';
      const applied = (document.applied ?? []).filter((id) => !settled.has(id));
      const saved = await tasks.swap(document, fieldsOf(after, stateOf(after), [...applied, orderId]));
      return saved ? after : 'stale';
    },
    retire: (document) =>
      // Nothing that anyone could see changes, so the revision does not either.
      tasks.swap(document, {
        ...fieldsOf(toTask(document), GONE, document.applied ?? []),
        salt: document.salt,
      }),
  };
}
