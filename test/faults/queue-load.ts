// For tests of the queue: a worker that carries out everything at once, and submissions while servers are
// lost.
import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'vitest';
import type { Submission } from '#core/domain/submission.ts';
import type { SubmissionHandler, SubmissionQueue } from '#core/ports/submission-queue.ts';
import { waitFor } from '#test/program/wait.ts';

/** Of a handler to which nothing comes that is to be rejected. */
export const reject: SubmissionHandler['reject'] = (_submission, fault) =>
  Promise.reject(new Error('rejected', { cause: fault }));

/** Request ids in the order in which they were carried out. */
export function workOn(queue: SubmissionQueue): string[] {
  const done: string[] = [];
  queue.work({
    async carryOut({ requestId }) {
      done.push(requestId);
      return { kind: 'done', outcomes: [], resolved: [] };
    },
    reject,
  });
  return done;
}

/**
 * A handler that takes so many milliseconds for each, of one or more workers: what it carried out, and how
 * many it was carrying out at a time at most.
 */
export function createSlowHandler(ms: number) {
  const done: string[] = [];
  let [under, highest] = [0, 0];
  const handler: SubmissionHandler = {
    async carryOut({ requestId }) {
      highest = Math.max(highest, ++under);
      await pause(ms);
      under--;
      done.push(requestId);
      return { kind: 'done', outcomes: [], resolved: [] };
    },
    reject,
  };
  return { handler, done, highest: () => highest };
}

/**
 * Submits as a sender does, who sends again what was refused: beside a server that hangs, a new client takes
 * seconds.
 */
export async function submitUntilTaken(
  queue: SubmissionQueue,
  submission: Submission,
  patienceMs: number,
): Promise<void> {
  await waitFor('it to be taken', () => succeeds(queue.submit(submission)), patienceMs);
}

/** Resolves when the queue's own check finds nothing. */
export async function untilWell(queue: SubmissionQueue, patienceMs: number): Promise<void> {
  await waitFor('all to be well', () => succeeds(queue.check()), patienceMs);
}

function succeeds(work: Promise<unknown>): Promise<boolean> {
  return work.then(
    () => true,
    () => false,
  );
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
