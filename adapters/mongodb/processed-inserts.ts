// Inserts that repeated a stored task, counted once wherever they were cut off: a document names the task
// before the repeat and has the outcome after it; the write that counts the insert also lists it in the task.
import { LRUCache } from 'lru-cache';
import { CLAIM_TTL_MS } from '#core/contract/index.ts';
import type { TaskOutcome } from '#core/domain/submission-outcome.ts';
import type { Database, Versioned, VersionedCollection } from './collection.ts';
import { toTask, type TaskDocument } from './task-documents.ts';

export interface ProcessedInsert extends Versioned {
  /** The task that it repeats, or is about to. */
  task: string;
  /** The outcome as JSON; null before it is known. */
  answer: string | null;
  purgeAt: Date;
}

/** How many completed inserts are cached, so that tasks need not list them any longer. */
const MAX_COMPLETED = 10_000;

export interface ProcessedInserts {
  read(id: string): Promise<ProcessedInsert | null>;
  /** What the insert did to a stored task earlier; null when it did nothing yet. */
  outcomeOf(insert: ProcessedInsert): Promise<TaskOutcome | null>;
  /** Notes the task that is about to be repeated; null when another process does so at the same time. */
  begin(
    id: string,
    before: ProcessedInsert | null,
    task: string,
    at: number,
  ): Promise<ProcessedInsert | null>;
  /** Stores the outcome and answers it. */
  complete(insert: ProcessedInsert, outcome: TaskOutcome): Promise<TaskOutcome>;
  /** Whether this process knows that the outcome is stored. */
  isCompleted(id: string): boolean;
}

export function createProcessedInserts(
  database: Database,
  tasks: VersionedCollection<TaskDocument>,
): ProcessedInserts {
  const processed = database.collection<ProcessedInsert>('applied_orders');
  const completed = new LRUCache<string, true>({ max: MAX_COMPLETED });

  async function complete(insert: ProcessedInsert, outcome: TaskOutcome): Promise<TaskOutcome> {
    const isStored = await processed.replace(insert, { ...insert, answer: JSON.stringify(outcome) });
    if (isStored) completed.set(insert._id, true);
    return outcome;
  }

  return {
    read: (id) => processed.read(id),
    async outcomeOf(insert) {
      if (insert.answer !== null) return JSON.parse(insert.answer) as TaskOutcome;
      const document = await tasks.read(insert.task);
      if (document?.applied?.includes(insert._id) !== true) return null;
      return complete(insert, { task: toTask(document), created: false });
    },
    async begin(_id, before, task, at) {
      const fields = { task, answer: null, purgeAt: new Date(at + CLAIM_TTL_MS) };
      if (before === null) {
        const first = { _id, v: 1, ...fields };
        return (await processed.insert(first)) ? first : null;
      }
      if (before.task === task) return before;
      return (await processed.replace(before, fields)) ? { _id, v: before.v + 1, ...fields } : null;
    },
    complete,
    isCompleted: (id) => completed.has(id),
  };
}
