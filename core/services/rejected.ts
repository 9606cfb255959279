// What could not become a task: kept, shown to administrators, tried again or discarded.
import { createIdSource } from '../domain/ids.ts';
import { ERROR_TABLE, QinboxError } from '../errors.ts';
import type { Clock } from '../ports/clock.ts';
import type { SubmissionQueue } from '../ports/submission-queue.ts';
import type { Submission } from '../domain/submission.ts';
import type { RejectedSubmission } from '../domain/rejected-submission.ts';
import type { RejectedStore } from '../ports/rejected-store.ts';

const LIST_LIMIT = 200;

interface Parts {
  store: RejectedStore;
  queue: SubmissionQueue;
  clock: Clock;
}

const nextId = createIdSource('rej_');

export type Rejected = ReturnType<typeof createRejected>;

export function createRejected({ store, queue, clock }: Parts) {
  async function get(id: string): Promise<RejectedSubmission> {
    const rejected = await store.get(id, clock.now());
    if (rejected === null) throw notFound();
    return rejected;
  }

  return {
    /** Keeps a submission with the public text of its fault; what was not meant for the outside is left out. */
    async keep(submission: Submission, fault: unknown, attempts: number): Promise<void> {
      const known = fault instanceof QinboxError ? fault : new QinboxError('INTERNAL_ERROR');
      const rejectedAt = clock.now();
      const { code, message: reason } = known;
      await store.add({ id: nextId(rejectedAt), submission, code, reason, attempts, rejectedAt });
    },

    /** The latest: at most 200, and what one answer holds. */
    list(): Promise<RejectedSubmission[]> {
      return store.list(clock.now(), LIST_LIMIT);
    },

    count(): Promise<number> {
      return store.count(clock.now());
    },

    /** Submits it again, and forgets it once that is durable. NOT_FOUND when it is not there (any more). */
    async retry(id: string): Promise<void> {
      const { submission } = await get(id);
      const result = await queue.submit({ ...submission, at: clock.now(), retryOf: id });
      if (result.kind === 'stored' && result.outcome.kind === 'fingerprint-mismatch')
        throw new QinboxError('IDEMPOTENCY_KEY_REUSED', ERROR_TABLE.IDEMPOTENCY_KEY_REUSED.text);
      await store.remove(id);
    },

    async discard(id: string): Promise<void> {
      if (!(await store.remove(id))) throw notFound();
    },
  };
}

function notFound(): QinboxError {
  return new QinboxError(
    'NOT_FOUND',
    'There is no such rejected submission. It may have been retried, or be older than 24 hours.',
  );
}
