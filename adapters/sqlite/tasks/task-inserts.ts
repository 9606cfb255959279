// Applies submissions: claim, resolved keys and inserts in one transaction.
import type { QinboxError } from '#core/errors.ts';
import {
  outcomeOfRepeat,
  repeatedIds,
  replayOf,
  type StoredAnswer,
  type SubmissionOutcome,
  type TaskOutcome,
} from '#core/domain/submission-outcome.ts';
import type { Submission, TaskInsert } from '#core/domain/submission.ts';
import { resolveTask, suppressRepeat, repeatTask, type Task, type TaskDraft } from '#core/domain/task.ts';
import type { Claims } from '../claims.ts';
import type { Owners } from '../owners.ts';
import type { QuotaGuard } from '../quota.ts';
import type { TaskLookup } from './task-lookup.ts';
import { bytesOf, metadataColumn, tagsColumn, toTask } from './task-rows.ts';
import type { TaskWriter } from './task-writer.ts';

interface Parts {
  owners: Owners;
  lookup: TaskLookup;
  writer: TaskWriter;
  claims: Claims;
  guard: QuotaGuard;
}

export interface TaskInserts {
  /** Applies the submission, or answers the quota's refusal. Only inside a transaction. */
  apply(submission: Submission): SubmissionOutcome | QinboxError;
  /** How many tasks applying it now would create, and their bytes. */
  usageOf(submission: Submission): { tasks: number; bytes: number };
}

export function createTaskInserts({ owners, lookup, writer, claims, guard }: Parts): TaskInserts {
  function apply(owner: number, ownerId: string, { id, draft }: TaskInsert, at: number): TaskOutcome {
    const created = lookup.find(owner, id);
    if (created !== undefined) return { task: toTask(created, ownerId), created: true };
    if (draft.dedupeKey !== null) {
      const repeatedId = claims.repeatOf(id);
      if (repeatedId !== null) {
        const row = lookup.find(owner, repeatedId);
        const now = row === undefined ? null : toTask(row, ownerId);
        return outcomeOfRepeat(now, { id: repeatedId, ownerId, draft, at });
      }
      const task = repeat(owner, draft.dedupeKey, draft, at);
      if (task !== null) {
        claims.addRepeat(id, task, at);
        return { task, created: false };
      }
    }
    return { task: writer.insert(owner, ownerId, id, draft, at), created: true };
  }

  function wasApplied(owner: number, id: string): boolean {
    return lookup.find(owner, id) !== undefined || claims.repeatOf(id) !== null;
  }

  /** Counts the insert on the task that has the key, live or suppressing repeats. Null when there is none. */
  function repeat(owner: number, dedupeKey: string, draft: TaskDraft, at: number): Task | null {
    const live = lookup.findLive(owner, dedupeKey);
    if (live !== undefined) {
      const change = writer.change(live, (task) => repeatTask(task, draft, at));
      if (change !== null) return change.after;
      // Expired and not swept yet.
      writer.releaseDedupeKey(live);
    }
    const suppressing = lookup.findSuppressing(owner, dedupeKey);
    if (suppressing === undefined) return null;
    return writer.change(suppressing, (task) => suppressRepeat(task, draft, at))?.after ?? null;
  }

  /** Resolves the task that has the key; answers it if it left the queue by that. */
  function resolve(owner: number, dedupeKey: string, at: number): Task | null {
    const row = lookup.findLive(owner, dedupeKey) ?? lookup.findSuppressing(owner, dedupeKey);
    const change = row === undefined ? null : writer.change(row, (task) => resolveTask(task, at));
    return change?.before.acknowledgedAt === null ? change.after : null;
  }

  function resolveAll(owner: number, { inserts, resolves = [], at }: Submission): Task[] {
    if (resolves.length === 0) return [];
    // An earlier attempt resolved the keys in the transaction of its inserts.
    if (inserts.some(({ id }) => wasApplied(owner, id))) return [];
    return resolves.map((key) => resolve(owner, key, at)).filter((task) => task !== null);
  }

  function wouldCreate(owner: number, { id, draft: { dedupeKey } }: TaskInsert): boolean {
    if (wasApplied(owner, id)) return false;
    if (dedupeKey === null) return true;
    return (lookup.findLive(owner, dedupeKey) ?? lookup.findSuppressing(owner, dedupeKey)) === undefined;
  }

  return {
    apply(submission) {
      const { ownerId, inserts, claim, at } = submission;
      const before = claim === undefined ? null : claims.find(claim, at);
      if (before !== null)
        return before.kind === 'answered' ? replay(submission, before, { owners, lookup }) : before;
      const owner = owners.ensure(ownerId);
      const replaces = inserts.some(({ draft }) => draft.replaces === true);
      return guard.create(owner, inserts.length, replaces, () => {
        const countBefore = writer.insertedCount();
        const resolved = resolveAll(owner, submission);
        const outcomes = inserts.map((insert) => apply(owner, ownerId, insert, at));
        if (claim !== undefined) claims.add(claim, outcomes, at);
        return {
          created: writer.insertedCount() - countBefore,
          answer: { kind: 'done' as const, outcomes, resolved },
        };
      });
    },
    usageOf({ ownerId, inserts }) {
      const owner = owners.find(ownerId);
      const keys = new Set<string>();
      let tasks = 0;
      let bytes = 0;
      for (const insert of inserts) {
        const { dedupeKey, content, tags, metadata } = insert.draft;
        if (dedupeKey !== null && keys.has(dedupeKey)) continue;
        if (dedupeKey !== null) keys.add(dedupeKey);
        if (owner !== null && !wouldCreate(owner, insert)) continue;
        tasks++;
        bytes += bytesOf(content, tagsColumn(tags), metadataColumn(metadata));
      }
      return { tasks, bytes };
    },
  };
}

/** The outcome of a claim that was fulfilled before. */
function replay(
  { ownerId, inserts }: Submission,
  answer: StoredAnswer,
  { owners, lookup }: Pick<Parts, 'owners' | 'lookup'>,
): SubmissionOutcome {
  const owner = owners.find(ownerId);
  const repeated = new Map<string, Task>();
  for (const id of repeatedIds(answer)) {
    const row = owner === null ? undefined : lookup.find(owner, id);
    if (row !== undefined) repeated.set(id, toTask(row, ownerId));
  }
  return replayOf(answer, inserts, repeated);
}
