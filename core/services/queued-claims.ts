// Idempotency-Keys where submissions wait in a queue: until a worker has carried out the first one, the store
// does not know its key. So the queue is asked as well.
import type { Submission } from '../domain/submission.ts';
import type { SubmissionOutcome } from '../domain/submission-outcome.ts';
import type { SubmissionQueue } from '../ports/submission-queue.ts';
import type { TaskStore } from '../ports/task-store.ts';

/** How long a sender waits for the store, which the queue does not need. */
const PATIENCE_MS = 500;

/** What another submission with the same claim makes of this one. */
export type Claimed =
  /** The store has its answer. */
  | { kind: 'stored'; outcome: SubmissionOutcome }
  /** It asks for the same, and is in the queue. */
  | { kind: 'waiting'; first: Submission };

interface Parts {
  tasks: Pick<TaskStore, 'readClaim'>;
  queue: Pick<SubmissionQueue, 'waiting'>;
}

export function createQueuedClaims({ tasks, queue }: Parts) {
  /** What the store says; null where it does not answer soon: then the worker decides. */
  async function stored({ claim, at }: Submission): Promise<SubmissionOutcome | null> {
    if (claim === undefined) return null;
    const patience = Promise.withResolvers<null>();
    const timer = setTimeout(patience.resolve, PATIENCE_MS, null);
    const asked = tasks.readClaim(claim, at).catch(() => null);
    return Promise.race([asked, patience.promise]).finally(() => clearTimeout(timer));
  }

  return {
    /** Before a submission is carried out at once: another one that is in the queue; null for none. */
    async inQueue(submission: Submission): Promise<Claimed | null> {
      const first = await queue.waiting(submission).catch(() => null);
      return first === null ? null : claimedBy(first, submission);
    },

    /** Before a submission is put into the queue; null: it may be. */
    async before(submission: Submission): Promise<Claimed | null> {
      const outcome = await stored(submission);
      if (outcome === null) return null;
      // Perhaps a worker is carrying out the one in the queue.
      const first = outcome.kind === 'in-progress' ? await this.inQueue(submission) : null;
      return first ?? { kind: 'stored', outcome };
    },

    /** After it, as the queue keeps one submission of a claim; null: it is this one. */
    async after(submission: Submission): Promise<Claimed | null> {
      const first = await queue.waiting(submission).catch(() => submission);
      if (first !== null) return claimedBy(first, submission);
      const outcome = await stored(submission);
      const isOwn = outcome?.kind === 'replayed' && outcome.taskIds[0] === submission.inserts[0]?.id;
      return outcome === null || outcome.kind === 'in-progress' || isOwn ? null : { kind: 'stored', outcome };
    },
  };
}

function claimedBy(first: Submission, submission: Submission): Claimed | null {
  if (first.inserts[0]?.id === submission.inserts[0]?.id) return null;
  return first.claim?.fingerprint === submission.claim?.fingerprint
    ? { kind: 'waiting', first }
    : { kind: 'stored', outcome: { kind: 'fingerprint-mismatch' } };
}
