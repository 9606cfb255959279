// Submissions that could not become tasks: stored, shown to administrators, tried again or discarded.
import type { IdSource } from '../domain/ids.ts';
import type { RejectedSubmission, Submission } from '../domain/submission.ts';
import { QinboxError } from '../errors.ts';
import type { Clock } from '../ports/clock.ts';
import type { RejectedStore } from '../ports/rejected-store.ts';
import type { Submissions } from './submissions.ts';

const LIST_LIMIT = 200;

interface Parts {
  store: RejectedStore;
  submissions: Pick<Submissions, 'retry'>;
  clock: Clock;
  nextId: IdSource;
}

export type Rejected = ReturnType<typeof createRejected>;

export function createRejected({ store, submissions, clock, nextId }: Parts) {
  /** Stores a submission with the public text of its fault; what is not public is left out. */
  async function add(submission: Submission, fault: unknown, attempts: number): Promise<void> {
    const known = fault instanceof QinboxError ? fault : new QinboxError('INTERNAL_ERROR');
    const rejectedAt = clock.now();
    const { code, message: reason } = known;
    await store.add({ id: nextId('rej_', rejectedAt), submission, code, reason, attempts, rejectedAt });
  }

  return {
    add,

    /** The latest: at most 200, and what one answer holds. */
    list(): Promise<RejectedSubmission[]> {
      return store.list(clock.now(), LIST_LIMIT);
    },

    count(): Promise<number> {
      return store.count(clock.now());
    },

    /** Submits it again, and removes it once that is durable. NOT_FOUND when it is not there (any more). */
    async retry(id: string): Promise<void> {
      const rejected = await store.get(id, clock.now());
      if (rejected === null) throw notFound();
      await submissions.retry(rejected.submission, id);
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
