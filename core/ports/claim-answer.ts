// What a store keeps of a claim that was fulfilled, and what it answers from it. A request that must be the same again (it has a
// fingerprint) is answered with its tasks as they were; of a delivery only the ids are kept, which is all that anybody asks of it.
import type { CreateOutcome, TaskOutcome } from './task-store.ts';
import type { Claim } from '../domain/submission.ts';

/** What to keep: JSON of the outcomes, or of their tasks' ids. */
export function storedAnswer(claim: Claim, outcomes: readonly TaskOutcome[]): string {
  return JSON.stringify(claim.fingerprint === null ? outcomes.map(({ task }) => task.id) : outcomes);
}

/** What to answer from what {@link storedAnswer} gave. */
export function replayOf(kept: string): Extract<CreateOutcome, { kind: 'replayed' }> {
  const answer = JSON.parse(kept) as (string | TaskOutcome)[];
  const outcomes = answer.filter((each) => typeof each !== 'string');
  return {
    kind: 'replayed',
    taskIds: answer.map((each) => (typeof each === 'string' ? each : each.task.id)),
    outcomes: outcomes.length === answer.length ? outcomes : null,
  };
}

/** An outcome that is final and has tasks. */
export type FinalOutcome = Extract<CreateOutcome, { kind: 'done' | 'replayed' }>;

/** The ids of the tasks that an outcome is about, in the order of the inserts. */
export function taskIdsOf(outcome: FinalOutcome): string[] {
  return outcome.kind === 'replayed' ? outcome.taskIds : outcome.outcomes.map(({ task }) => task.id);
}
