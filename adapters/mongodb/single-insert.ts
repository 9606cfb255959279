// Applies one insert once. A task's `_id` is the id of its insert, so creating it twice creates it once.
import { QinboxError } from '#core/errors.ts';
import type { TaskOutcome } from '#core/domain/submission-outcome.ts';
import type { TaskInsert } from '#core/domain/submission.ts';
import { newTask } from '#core/domain/task.ts';
import type { Database, VersionedCollection } from './collection.ts';
import type { DedupeKeys } from './dedupe-keys.ts';
import { createProcessedInserts } from './processed-inserts.ts';
import { RETRY, retry } from './promises.ts';
import { newDocument, toTask, type TaskDocument } from './task-documents.ts';
import type { TaskWriter } from './task-writer.ts';

export function createSingleInsert(
  database: Database,
  tasks: VersionedCollection<TaskDocument>,
  keys: DedupeKeys,
  writer: TaskWriter,
) {
  const processed = createProcessedInserts(database, tasks);

  /** Creates the task, which an earlier attempt or another process may have created already. */
  async function create(ownerId: string, { id, draft }: TaskInsert, at: number): Promise<TaskOutcome> {
    const task = newTask(draft, id, ownerId, at);
    if (await tasks.insert(newDocument(task))) return { task, created: true };
    const created = await createdBefore(ownerId, id);
    if (created === null) throw new QinboxError('CONFLICT', 'This task id is in use.');
    return created;
  }

  async function createdBefore(ownerId: string, id: string): Promise<TaskOutcome | null> {
    const document = await tasks.read(id);
    return document?.owner === ownerId ? { task: toTask(document), created: true } : null;
  }

  async function attempt(
    ownerId: string,
    insert: TaskInsert,
    dedupeKey: string,
    at: number,
  ): Promise<TaskOutcome | typeof RETRY> {
    const { id, draft } = insert;
    const [created, before, key] = await Promise.all([
      createdBefore(ownerId, id),
      processed.read(id),
      keys.read(ownerId, dedupeKey),
    ]);
    if (created !== null) return created;
    const repeated = before === null ? null : await processed.outcomeOf(before);
    if (repeated !== null) return repeated;

    const holder = key === null || key.task === id ? null : await keys.holderOf(key);
    if (holder !== null) {
      const begun = await processed.begin(id, before, holder._id, at);
      if (begun === null) return RETRY;
      const task = await writer.repeat(holder, id, draft, at, (id) => processed.isCompleted(id));
      if (task === 'stale') return RETRY;
      if (task !== 'hidden') return processed.complete(begun, { task, created: false });
    }
    const document = newDocument(newTask(draft, id, ownerId, at));
    return (await keys.give(ownerId, dedupeKey, key, document)) ? create(ownerId, insert, at) : RETRY;
  }

  async function wasApplied(ownerId: string, { id }: TaskInsert): Promise<boolean> {
    const [created, before] = await Promise.all([createdBefore(ownerId, id), processed.read(id)]);
    return created !== null || (before !== null && (await processed.outcomeOf(before)) !== null);
  }

  return {
    create,
    /** Creates a task, or repeats the one that has the dedupe key. */
    createOrRepeat: (ownerId: string, insert: TaskInsert, dedupeKey: string, at: number) =>
      retry(() => attempt(ownerId, insert, dedupeKey, at)),
    /** Whether an earlier attempt, or another process, applied it. */
    wasApplied,
  };
}
