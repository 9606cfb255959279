// What became of a submission in the store, and what a store keeps of it to answer a repeat of its claim or
// a further attempt.
import type { Claim } from './submission.ts';
import { newTask, type Task, type TaskDraft } from './task.ts';

/**
 * What became of an insert. `created` is false when it repeated a live task with the same dedupe key, or an
 * acknowledged one that suppresses its repeats (`suppressRepeat`).
 */
export interface TaskOutcome {
  task: Task;
  created: boolean;
}

export type SubmissionOutcome =
  /** Durable. `resolved` are the tasks that its resolved keys took out of the queue, as they are now. */
  | { kind: 'done'; outcomes: TaskOutcome[]; resolved: Task[] }
  /**
   * The claim was fulfilled before, with these tasks in the order of the inserts. `outcomes` are those of
   * that time; null for a claim without a fingerprint, which stores ids only.
   */
  | { kind: 'replayed'; taskIds: string[]; outcomes: TaskOutcome[] | null }
  /** Its owner has deleted the account. Nothing was stored, and nothing is to be tried again. */
  | { kind: 'dropped' }
  /** The claim was made with another fingerprint. Nothing was changed. */
  | { kind: 'fingerprint-mismatch' }
  /** Another process holds the claim right now. Nothing was changed. */
  | { kind: 'in-progress'; retryAfterMs: number };

/** The ids of the tasks that an outcome is about, in the order of the inserts. */
export function taskIdsOf(outcome: Extract<SubmissionOutcome, { kind: 'done' | 'replayed' }>): string[] {
  return outcome.kind === 'replayed' ? outcome.taskIds : outcome.outcomes.map(({ task }) => task.id);
}

/**
 * What is stored of an insert that repeated a task, a few hundred bytes: JSON of its outcome without the long
 * texts. Older versions answer it as it is; they publish no task that is acknowledged.
 */
export function storedRepeat(task: Task): string {
  const texts = { content: '', tags: [], metadata: {}, dedupeKey: null, intake: null };
  const outcome: TaskOutcome = {
    task: { ...task, ...texts, acknowledgedAt: task.acknowledgedAt ?? task.updatedAt },
    created: false,
  };
  return JSON.stringify(outcome);
}

/** The id of the task in what {@link storedRepeat} gave, or an older version, which stored the whole task. */
export function repeatedTaskId(stored: string): string {
  return (JSON.parse(stored) as TaskOutcome).task.id;
}

/**
 * The outcome of an insert that repeated a task before. `task`: as it is now; null once it is gone, then the
 * outcome has the draft under its id, acknowledged at `at`.
 */
export function outcomeOfRepeat(
  task: Task | null,
  gone: { id: string; ownerId: string; draft: TaskDraft; at: number },
): TaskOutcome {
  if (task !== null) return { task, created: false };
  const { id, ownerId, draft, at } = gone;
  return { task: { ...newTask(draft, id, ownerId, at), acknowledgedAt: at }, created: false };
}

/** What is stored of a fulfilled claim: JSON of the outcomes or, without a fingerprint, of the task ids. */
export function storedAnswer(claim: Claim, outcomes: readonly TaskOutcome[]): string {
  return JSON.stringify(claim.fingerprint === null ? outcomes.map(({ task }) => task.id) : outcomes);
}

/** The outcome of a repeat, from what {@link storedAnswer} gave. */
export function replayOf(stored: string): Extract<SubmissionOutcome, { kind: 'replayed' }> {
  const answer = JSON.parse(stored) as (string | TaskOutcome)[];
  const outcomes = answer.filter((each) => typeof each !== 'string');
  return {
    kind: 'replayed',
    taskIds: answer.map((each) => (typeof each === 'string' ? each : each.task.id)),
    outcomes: outcomes.length === answer.length ? outcomes : null,
  };
}
