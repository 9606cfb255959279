// Applies the domain's rules to stored tasks by optimistic concurrency. No other module replaces them.
import { stateAfter, stateOf } from '#core/domain/task-state.ts';
import { isVisible, suppressRepeat, repeatTask, type Task, type TaskDraft } from '#core/domain/task.ts';
import { eventOfChange } from '#core/domain/webhook.ts';
import type { NewWork } from '#core/domain/work.ts';
import type { Clock } from '#core/ports/clock.ts';
import type { TaskChange, TaskRule } from '#core/ports/task-store.ts';
import type { Fields, VersionedCollection } from '../server/collection.ts';
import type { DedupeKeys } from './dedupe-keys.ts';
import type { TaskEvents } from './task-events.ts';
import { createKeyedMutex, RETRY, retry } from '../promises.ts';
import type { QuotaGuard } from '../quota.ts';
import { bytesOfTask, fieldsOf, toTask, type TaskDocument } from './task-documents.ts';

export interface TaskWriter {
  /**
   * Applies the rule to the owner's task; null when there is none or the rule refuses. Rejects with
   * QUOTA_EXCEEDED, having changed nothing, when the task grows beyond the quota's bytes.
   */
  change(ownerId: string, id: string, rule: TaskRule, options?: ChangeOptions): Promise<TaskChange | null>;
  /** Rejects with QUOTA_EXCEEDED when the tasks that the rule changes grow beyond it, all together. */
  checkGrowth(ownerId: string, ids: readonly string[], rule: TaskRule): Promise<void>;
  /**
   * Counts an insert on the task that it repeats, notes its id there, and drops noted ids that are completed.
   * 'hidden': the task is neither visible nor suppresses repeats. 'stale': it was changed since it was read.
   */
  repeat(
    document: TaskDocument,
    insertId: string,
    draft: TaskDraft,
    at: number,
    isCompleted: (insertId: string) => boolean,
  ): Promise<Task | 'hidden' | 'stale'>;
  /** Notes that the waking of a task is told; false when it was changed since it was read. */
  noteWaking(document: TaskDocument): Promise<boolean>;
}

interface ChangeOptions {
  /** The submission that resolves the task, see {@link TaskDocument.resolvedBy}. */
  resolvedBy?: string;
  /** The quota was looked at already, by {@link TaskWriter.checkGrowth}. */
  isChecked?: boolean;
}

interface Parts {
  tasks: VersionedCollection<TaskDocument>;
  keys: DedupeKeys;
  events: TaskEvents;
  clock: Clock;
  quota: QuotaGuard;
}

export function createTaskWriter({ tasks, keys, events, clock, quota }: Parts): TaskWriter {
  const inTurn = createKeyedMutex();
  const isLive = (document: TaskDocument) => isVisible(toTask(document), clock.now());

  const growthOf = (before: Task, after: Task) => bytesOfTask(after) - bytesOfTask(before);

  async function checkGrowth(ownerId: string, bytes: number): Promise<void> {
    const growth = { tasks: 0, bytes };
    // A check and no turn: the write that has the owner's turn may wait for this very task.
    if (bytes > 0) await quota.check(ownerId, growth, () => Promise.resolve(growth));
  }

  /** The work that a change makes. */
  async function workOf(from: number, before: Task, after: Task, to: number): Promise<readonly NewWork[]> {
    const event = eventOfChange(before, after, { before: from, after: to });
    return event === null ? [] : events.workOf({ type: event, before, task: after, at: after.updatedAt });
  }

  /** Null when the document was changed since it was read. */
  async function save(
    document: TaskDocument,
    before: Task,
    wanted: Task,
    resolvedBy?: string,
  ): Promise<Task | null> {
    const { state, returns } = stateAfter(document.state, before, wanted);
    const key = returns ? wanted.dedupeKey : null;
    const keepsKey = key === null || (await keys.reclaim(wanted.ownerId, key, wanted.id, isLive));
    const after = keepsKey ? wanted : { ...wanted, dedupeKey: null };
    const work = await workOf(document.state, before, after, state);
    const fields = fieldsOf(after, state, document, work);
    const stored = resolvedBy === undefined ? fields : { ...fields, resolvedBy };
    if (!(await tasks.replace(document, stored))) return null;
    // A new task may have taken the key while this one was still hidden.
    if (key === null || !keepsKey) return after;
    return (await keys.read(wanted.ownerId, key))?.task === wanted.id ? after : dropKey(wanted);
  }

  function dropKey({ ownerId, id }: Task): Promise<Task | null> {
    return retry(async () => {
      const document = await tasks.read(id, ownerId);
      if (document === null) return null;
      const task = { ...toTask(document), dedupeKey: null };
      const fields = fieldsOf(task, document.state, document);
      return (await tasks.replace(document, fields)) ? task : RETRY;
    });
  }

  return {
    async checkGrowth(ownerId, ids, rule) {
      const found = await tasks.find({ owner: ownerId, _id: { $in: [...ids] } }, { hint: '_id_' });
      const growth = found.map((document) => {
        const before = toTask(document);
        const after = rule(before);
        return after === null || after.acknowledgedAt !== null ? 0 : growthOf(before, after);
      });
      await checkGrowth(
        ownerId,
        growth.reduce((sum, bytes) => sum + bytes, 0),
      );
    },
    change: (ownerId, id, rule, { resolvedBy, isChecked = false } = {}) =>
      inTurn(id, () =>
        retry(async () => {
          const document = await tasks.read(id, ownerId);
          if (document === null) return null;
          const before = toTask(document);
          const wanted = rule(before);
          if (wanted === null) return null;
          if (wanted === before) return { before, after: before };
          // An acknowledged task grows by a note of ours at most.
          if (wanted.acknowledgedAt === null && !isChecked)
            await checkGrowth(ownerId, growthOf(before, wanted));
          const after = await save(document, before, wanted, resolvedBy);
          return after === null ? RETRY : { before, after };
        }),
      ),
    async repeat(document, insertId, draft, at, isCompleted) {
      const before = toTask(document);
      const after = repeatTask(before, draft, at) ?? suppressRepeat(before, draft, at);
      if (after === null) return 'hidden';
      if (draft.replaces === true) await checkGrowth(before.ownerId, growthOf(before, after));
      const applied = (document.applied ?? []).filter((id) => !isCompleted(id));
      const state = stateOf(after);
      const work = await workOf(document.state, before, after, state);
      const fields = fieldsOf(after, state, { ...document, applied: [...applied, insertId] }, work);
      return (await tasks.replace(document, fields)) ? after : 'stale';
    },
    noteWaking: (document) => tasks.replace(document, withoutWaking(document)),
  };
}

function withoutWaking({ _id, v: _version, wakeAt: _wakeAt, ...fields }: TaskDocument): Fields<TaskDocument> {
  return fields;
}
