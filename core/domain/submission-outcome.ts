// What became of a submission in the store, and what a store keeps of it to answer a repeat of its claim or
// a further attempt.
import type { Claim, TaskInsert } from './submission.ts';
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
   * that time, see {@link replayOf}; null for a claim without a fingerprint, which stores ids only.
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

/** The task without what its sender wrote, however long that was: a few hundred bytes as JSON. */
function withoutTexts(task: Task): Task {
  return { ...task, content: '', tags: [], metadata: {}, dedupeKey: null, intake: null };
}

/**
 * What is stored of an insert that repeated a task, a few hundred bytes: JSON of its outcome without the long
 * texts. Older versions answer it as it is; they publish no task that is acknowledged.
 */
export function storedRepeat(task: Task): string {
  const acknowledgedAt = task.acknowledgedAt ?? task.updatedAt;
  const outcome: TaskOutcome = { task: { ...withoutTexts(task), acknowledgedAt }, created: false };
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

/**
 * What is stored of a fulfilled claim, a few hundred bytes for each task: JSON of the outcomes without the
 * long texts or, without a fingerprint, of the task ids. Older versions answer it as it is.
 */
export function storedAnswer(claim: Claim, outcomes: readonly TaskOutcome[]): string {
  return JSON.stringify(
    outcomes.map(({ task, created }) =>
      claim.fingerprint === null ? task.id : { task: withoutTexts(task), created },
    ),
  );
}

/** The answer to a claim that was fulfilled, in a store. */
export interface StoredAnswer {
  kind: 'answered';
  /** In the order of the inserts. */
  taskIds: string[];
  /** Without their texts, except those that older versions stored. Null for a claim without a fingerprint. */
  outcomes: readonly TaskOutcome[] | null;
}

/** What a store says of a claim that it has. */
export type ClaimAnswer =
  | StoredAnswer
  | Extract<SubmissionOutcome, { kind: 'fingerprint-mismatch' | 'in-progress' }>;

/** What {@link storedAnswer}, or an older version, stored. */
export function readAnswer(stored: string): StoredAnswer {
  const answer = JSON.parse(stored) as (string | TaskOutcome)[];
  const outcomes = answer.filter((each) => typeof each !== 'string');
  return {
    kind: 'answered',
    taskIds: answer.map((each) => (typeof each === 'string' ? each : each.task.id)),
    outcomes: outcomes.length === answer.length ? outcomes : null,
  };
}

/** The tasks whose texts {@link replayOf} needs: those that were there before. */
export function repeatedIds({ outcomes }: StoredAnswer): string[] {
  return (outcomes ?? []).filter(isShort).flatMap(({ task, created }) => (created ? [] : [task.id]));
}

/**
 * The outcome of a repeat of a claim: that of the first time. `inserts` ask for the same as then, and so have
 * the texts of the tasks that were created. Those of a task that was there before are as they are now, from
 * `repeated`; once it is gone, as in the draft.
 */
export function replayOf(
  answer: StoredAnswer,
  inserts: readonly TaskInsert[],
  repeated: ReadonlyMap<string, Task>,
): Extract<SubmissionOutcome, { kind: 'replayed' }> {
  const { taskIds, outcomes } = answer;
  const whole = outcomes?.map((outcome, index) => {
    const { task, created } = outcome;
    const draft = inserts[index]?.draft;
    if (draft === undefined || !isShort(outcome)) return outcome;
    const now = created ? undefined : repeated.get(task.id);
    const { content, tags, metadata, intake = null } = now ?? draft;
    return { task: { ...task, content, tags, metadata, dedupeKey: draft.dedupeKey, intake }, created };
  });
  return { kind: 'replayed', taskIds, outcomes: whole ?? null };
}

/** The outcome of a repeat of a claim, without the outcomes of its inserts. */
export function outcomeOfClaim(answer: ClaimAnswer): SubmissionOutcome {
  return answer.kind === 'answered' ? { kind: 'replayed', taskIds: answer.taskIds, outcomes: null } : answer;
}

/** Whether the texts were left out: the content of a task is never empty. */
function isShort({ task }: TaskOutcome): boolean {
  return task.content === '';
}
