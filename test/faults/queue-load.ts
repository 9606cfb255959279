// For tests of the queue: a worker that carries out everything at once, and submissions while servers are
// lost.
import { expect } from 'vitest';
import type { Submission } from '#core/domain/submission.ts';
import type { SubmissionQueue } from '#core/ports/submission-queue.ts';
import { waitFor } from '#test/program/wait.ts';

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

/** Submits what `make` makes. What was answered is to be carried out, and nothing that was not tried. */
export function submitTo(queue: SubmissionQueue, make: () => Submission, patienceMs: number) {
  const answered: string[] = [];
  const tried: string[] = [];
  async function submit(): Promise<void> {
    const submission = make();
    tried.push(submission.requestId);
    await queue.submit(submission);
    answered.push(submission.requestId);
  }
  return {
    async many(count: number): Promise<void> {
      for (let index = 0; index < count; index++) await submit();
    },
    /** Refused until then as by a queue that is not there. */
    async untilOneIsTaken(): Promise<void> {
      const before = answered.length;
      await waitFor(
        'submissions to be taken again',
        async () => {
          await submit().catch((error: unknown) =>
            expect(error).toMatchObject({ code: 'SERVICE_UNAVAILABLE' }),
          );
          return answered.length > before;
        },
        patienceMs,
      );
    },
    async untilAllAreIn(done: readonly string[]): Promise<void> {
      await waitFor('all to be carried out', () => answered.every((id) => done.includes(id)), patienceMs);
      expect(done.filter((id) => !tried.includes(id))).toEqual([]);
    },
  };
}
