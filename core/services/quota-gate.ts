// Refuses a submission to a full queue before it is enqueued, when only its operator would see the refusal.
// Where the store does not answer soon, it is enqueued, and the worker decides.
import { QinboxError } from '../errors.ts';
import type { SubmissionQueue } from '../ports/submission-queue.ts';
import type { Submission } from '../domain/submission.ts';
import type { TaskStore } from '../ports/task-store.ts';

/** How long a sender waits for the store, which the queue does not need. */
const PATIENCE_MS = 500;

/** The queue, whose `submit` rejects with QUOTA_EXCEEDED when the owner is full. */
export function withQuotaGate(queue: SubmissionQueue, tasks: TaskStore): SubmissionQueue {
  /** Owners whom the store was asked about and has not answered in time. */
  const unanswered = new Set<string>();

  async function check(submission: Submission): Promise<void> {
    const { ownerId, inserts } = submission;
    if (inserts.length === 0 || unanswered.has(ownerId)) return;
    const patience = Promise.withResolvers<void>();
    const timer = setTimeout(() => {
      unanswered.add(ownerId);
      patience.resolve();
    }, PATIENCE_MS);
    const asked = tasks.checkQuota(submission).catch((fault: unknown) => {
      if (fault instanceof QinboxError && fault.code === 'QUOTA_EXCEEDED') throw fault;
    });
    const answered = asked.finally(() => {
      clearTimeout(timer);
      unanswered.delete(ownerId);
    });
    // After the patience is over nobody waits for the answer.
    answered.catch(() => {});
    await Promise.race([answered, patience.promise]);
  }

  return {
    ...queue,
    async submit(submission) {
      await check(submission);
      return queue.submit(submission);
    },
  };
}
