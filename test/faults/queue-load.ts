// A worker that carries everything out at once, for tests of the queue.
import type { SubmissionQueue } from '#core/ports/submission-queue.ts';

/** Request ids in the order in which they were carried out. */
export function workOn(queue: SubmissionQueue): string[] {
  const done: string[] = [];
  queue.work({
    async carryOut({ requestId }) {
      done.push(requestId);
      return { kind: 'done', outcomes: [], resolved: [] };
    },
    reject: (_submission, fault) => Promise.reject(new Error('rejected', { cause: fault })),
  });
  return done;
}
