// Applies one insert once. A task's `_id` is the id of its insert, so creating it twice creates it once.
import { LRUCache } from 'lru-cache';
import { CLAIM_TTL_MS } from '#core/contract/index.ts';
import { outcomeOfRepeat, storedRepeat, type TaskOutcome } from '#core/domain/submission-outcome.ts';
import type { TaskInsert } from '#core/domain/submission.ts';
import { newTask, type Task } from '#core/domain/task.ts';
import { QinboxError } from '#core/errors.ts';
import type { Database, Versioned, VersionedCollection } from '../server/collection.ts';
import type { DedupeKeys } from './dedupe-keys.ts';
import { RETRY, retry } from '../promises.ts';
import { newDocument, toTask, type TaskDocument } from './task-documents.ts';
import type { TaskEvents } from './task-events.ts';
import type { TaskWriter } from './task-writer.ts';

/**
 * An insert that repeated a stored task, counted once wherever it was cut off: the document names the task
 * before the repeat and is completed after it; the write that counts the insert also lists it in the task.
 */
interface ProcessedInsert extends Versioned {
  /** Absent in documents of old versions, which are gone after a day. */
  owner?: string;
  /** The task that it repeats, or is about to. */
  task: string;
  /** {@link storedRepeat}, of which this version reads nothing; null before it is completed. */
  answer: string | null;
  purgeAt: Date;
}

/** How many completed inserts are cached, so that tasks need not list them any longer. */
const MAX_COMPLETED = 10_000;
/** Where a task lists more, other processes, or ones that have ended, have completed most of them. */
const MANY_LISTED = 10;

interface ProcessedInserts {
  read(id: string): Promise<ProcessedInsert | null>;
  /** The task that the insert repeated, as it is now, null once it is gone; null when it did not yet. */
  find(ownerId: string, insert: ProcessedInsert): Promise<{ task: Task | null } | null>;
  /**
   * Notes the task that is about to be repeated; null when another process does so at the same time, or has
   * completed the insert since `before` was read. Call it with the task read already: if that does not list
   * the insert, its version has not been repeated by it.
   */
  begin(
    ownerId: string,
    id: string,
    before: ProcessedInsert | null,
    task: string,
    at: number,
  ): Promise<ProcessedInsert | null>;
  /** Notes that it is done; `task`: after the repeat. */
  complete(insert: ProcessedInsert, task: Task): Promise<void>;
  /** Whether this process knows that it is completed. */
  isCompleted(id: string): boolean;
  /** Where a task lists many inserts, asks the store which of them are completed, or a day old and gone. */
  findCompleted(listed: readonly string[]): Promise<void>;
}

function createProcessedInserts(
  database: Database,
  tasks: VersionedCollection<TaskDocument>,
): ProcessedInserts {
  const processed = database.collection<ProcessedInsert>('applied_orders');
  const completed = new LRUCache<string, true>({ max: MAX_COMPLETED });

  async function complete(insert: ProcessedInsert, task: Task): Promise<void> {
    const isStored = await processed.replace(insert, { ...insert, answer: storedRepeat(task) });
    if (isStored) completed.set(insert._id, true);
  }

  async function find(ownerId: string, insert: ProcessedInsert): Promise<{ task: Task | null } | null> {
    const document = await tasks.read(insert.task, ownerId);
    if (insert.answer !== null) return { task: document === null ? null : toTask(document) };
    if (document?.applied?.includes(insert._id) === true) {
      const task = toTask(document);
      await complete(insert, task);
      return { task };
    }
    // The task lists it no more where it was completed after it was read.
    const now = await processed.read(insert._id);
    return now === null || now.answer === null ? null : find(ownerId, now);
  }

  return {
    read: (id) => processed.read(id),
    find,
    async begin(owner, _id, before, task, at) {
      const fields = { owner, task, answer: null, purgeAt: new Date(at + CLAIM_TTL_MS) };
      if (before === null) {
        const first = { _id, v: 1, ...fields };
        return (await processed.insert(first)) ? first : null;
      }
      if (before.task === task) return (await processed.read(_id))?.v === before.v ? before : null;
      return (await processed.replace(before, fields)) ? { _id, v: before.v + 1, ...fields } : null;
    },
    complete,
    isCompleted: (id) => completed.has(id),
    async findCompleted(listed) {
      if (listed.length <= MANY_LISTED) return;
      const left = await processed.find(
        { _id: { $in: [...listed] }, answer: null },
        { projection: { _id: 1 }, hint: '_id_' },
      );
      const isLeft = new Set(left.map(({ _id }) => _id));
      for (const id of listed) if (!isLeft.has(id)) completed.set(id, true);
    },
  };
}

export function createSingleInsert(
  database: Database,
  tasks: VersionedCollection<TaskDocument>,
  keys: DedupeKeys,
  writer: TaskWriter,
  events: TaskEvents,
) {
  const processed = createProcessedInserts(database, tasks);

  /** Creates the task, which an earlier attempt or another process may have created already. */
  async function create(ownerId: string, { id, draft }: TaskInsert, at: number): Promise<TaskOutcome> {
    const task = newTask(draft, id, ownerId, at);
    const work = events.workOf({ type: 'task.created', before: null, task, at });
    const document = newDocument(task, work instanceof Promise ? await work : work);
    if (await tasks.insert(document)) return { task, created: true };
    const created = await createdBefore(ownerId, id);
    if (created === null) throw new QinboxError('CONFLICT', 'This task id is in use.');
    return created;
  }

  async function createdBefore(ownerId: string, id: string): Promise<TaskOutcome | null> {
    const document = await tasks.read(id, ownerId);
    return document === null ? null : { task: toTask(document), created: true };
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
    const repeated = before === null ? null : await processed.find(ownerId, before);
    if (before !== null && repeated !== null)
      return outcomeOfRepeat(repeated.task, { id: before.task, ownerId, draft, at });

    const holder = key === null || key.task === id ? null : await keys.holderOf(key);
    if (holder !== null) {
      if (holder.applied?.includes(id) === true) {
        // Another process was quicker.
        const task = toTask(holder);
        if (before !== null) await processed.complete({ ...before, task: holder._id }, task);
        return { task, created: false };
      }
      const begun = await processed.begin(ownerId, id, before, holder._id, at);
      if (begun === null) return RETRY;
      await processed.findCompleted(holder.applied ?? []);
      const task = await writer.repeat(holder, id, draft, at, (id) => processed.isCompleted(id));
      if (task === 'stale') return RETRY;
      if (task !== 'hidden') {
        await processed.complete(begun, task);
        return { task, created: false };
      }
    }
    const task = newTask(draft, id, ownerId, at);
    const document = newDocument(task, await events.workOf({ type: 'task.created', before: null, task, at }));
    return (await keys.give(ownerId, dedupeKey, key, document)) ? create(ownerId, insert, at) : RETRY;
  }

  async function wasApplied(ownerId: string, { id }: TaskInsert): Promise<boolean> {
    const [created, before] = await Promise.all([createdBefore(ownerId, id), processed.read(id)]);
    if (created !== null) return true;
    if (before === null) return false;
    return before.answer !== null || (await processed.find(ownerId, before)) !== null;
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
