// The promises of the port IngestQueue, for every driver: one that carries out before it answers passes as
// well as one that keeps submissions for workers elsewhere.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { QinboxError } from '#core/errors.ts';
import type { SubmissionQueue, SubmissionHandler } from '#core/ports/submission-queue.ts';
import type { Submission } from '#core/domain/submission.ts';
import type { SubmissionOutcome } from '#core/domain/submission-outcome.ts';
import { submissionOf } from '#test/helpers/submissions.ts';
import { waitFor } from '#test/program/wait.ts';

export interface QueueUnderTest {
  queue: SubmissionQueue;
  dispose(): Promise<void>;
}

/**
 * How a driver is put under test: a fresh queue, that retries soon and carries out at most 8 at a time, 4 of
 * one owner.
 */
export interface QueueHarness {
  create(): Promise<QueueUnderTest>;
}

const DONE: SubmissionOutcome = { kind: 'done', outcomes: [], resolved: [] };

interface Rejection {
  submission: Submission;
  fault: unknown;
  attempts: number;
}

/** A handler that notes what it was given, and does with it what the test says. */
function recorder(
  act: (submission: Submission) => SubmissionOutcome | Promise<SubmissionOutcome> = () => DONE,
) {
  const begun: Submission[] = [];
  const done: Submission[] = [];
  const rejected: Rejection[] = [];
  const handler: SubmissionHandler = {
    async carryOut(submission) {
      begun.push(submission);
      const outcome = await act(submission);
      done.push(submission);
      return outcome;
    },
    async reject(submission, fault, attempts) {
      rejected.push({ submission, fault, attempts });
    },
  };
  return { handler, begun, done, rejected };
}

/** A door that work waits at until the test opens it. */
function closedDoor(): { passed: Promise<void>; open: () => void } {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { passed: promise, open: resolve };
}

export function describeIngestQueue(name: string, harness: QueueHarness): void {
  describe(`ingest queue: ${name}`, () => {
    let under: QueueUnderTest;
    let queue: SubmissionQueue;

    beforeEach(async () => {
      under = await harness.create();
      queue = under.queue;
    });
    afterEach(() => under.dispose());

    // A sender that is refused sends again, as senders do.
    async function deliver(submission: Submission): Promise<void> {
      await waitFor('the submission to be taken', () =>
        queue.submit(submission).then(
          () => true,
          () => false,
        ),
      );
    }

    it('carries out what was submitted, all of it and unchanged', async () => {
      const { handler, done } = recorder();
      queue.work(handler);
      const submission = submissionOf({ claim: { scope: 'key:1', key: 'k', fingerprint: 'f' } }, 3);
      await queue.submit(submission);
      await waitFor('it to be carried out', () => done.length === 1);
      expect(done).toEqual([submission]);
    });

    it('shows no submission with a claim that it has not, or no more', async () => {
      const { handler, done } = recorder();
      queue.work(handler);
      const submission = submissionOf({ claim: { scope: 'key:1', key: 'k', fingerprint: 'f' } });
      expect(await queue.waiting(submission)).toBeNull();
      await queue.submit(submission);
      await waitFor('it to be carried out', () => done.length === 1);
      await waitFor('it to have left', async () => (await queue.waiting(submission)) === null);
    });

    it('carries out each of many once, those of one owner about in the order of their arrival', async () => {
      const { handler, done, begun } = recorder();
      queue.work(handler);
      const submissions = Array.from({ length: 100 }, () => submissionOf({ ownerId: 'user_1' }));
      for (const submission of submissions) await queue.submit(submission);
      await waitFor('all to be carried out', () => done.length >= 100);
      expect(begun).toHaveLength(100);
      const position = new Map(begun.map(({ requestId }, index) => [requestId, index]));
      const shifts = submissions.map(({ requestId }, index) =>
        Math.abs((position.get(requestId) ?? NaN) - index),
      );
      expect(Math.max(...shifts)).toBeLessThan(10);
    });

    it('does not lose what fails and may succeed later', async () => {
      let failures = 2;
      const { handler, done, rejected } = recorder(() => {
        if (failures-- > 0) throw new QinboxError('SERVICE_UNAVAILABLE');
        return DONE;
      });
      queue.work(handler);
      const submission = submissionOf();
      await deliver(submission);
      await waitFor('it to be carried out', () => done.length === 1);
      expect(rejected).toEqual([]);
    });

    it('rejects what can never succeed, once, with its fault, and does not try it again', async () => {
      const fault = new QinboxError('VALIDATION_ERROR', 'content is empty');
      const { handler, begun, rejected } = recorder(() => {
        throw fault;
      });
      queue.work(handler);
      const submission = submissionOf();
      await queue.submit(submission).catch((error: unknown) => expect(error).toBe(fault));
      await waitFor('it to be rejected', () => rejected.length > 0);
      const other = submissionOf();
      await queue.submit(other).catch(() => null);
      await waitFor('another to be rejected', () => rejected.length > 1);
      expect(rejected).toEqual([
        { submission, fault, attempts: 1 },
        { submission: other, fault, attempts: 1 },
      ]);
      expect(begun).toHaveLength(2);
    });

    it('either refuses what nobody works on, as unavailable, or keeps it for the next worker', async () => {
      const first = recorder();
      const second = recorder();
      await queue.work(first.handler).stop();
      const submission = submissionOf();
      const refusal = await queue.submit(submission).then(
        () => null,
        (error: unknown) => error,
      );
      queue.work(second.handler);
      if (refusal === null) await waitFor('it to be carried out', () => second.done.length === 1);
      else expect(refusal).toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
      expect(first.begun).toEqual([]);
    });

    it('lets what is under way finish when it is told to stop, and begins nothing more', async () => {
      const door = closedDoor();
      const { handler, begun, done } = recorder(async () => {
        await door.passed;
        return DONE;
      });
      const worker = queue.work(handler);
      const sent = queue.submit(submissionOf());
      await waitFor('it to be begun', () => begun.length === 1);
      const stopped = worker.stop();
      door.open();
      await Promise.all([stopped, sent]);
      expect(done).toHaveLength(1);
      await queue.submit(submissionOf()).catch(() => null);
      await queue.states();
      expect(begun).toHaveLength(1);
    });

    it('tells how each adapter that submitted stands', async () => {
      const door = closedDoor();
      const { handler, done } = recorder(async () => {
        await door.passed;
        return DONE;
      });
      queue.work(handler);
      const sent = [submissionOf({ adapter: 'smtp' }), submissionOf({ adapter: 'webhook' })].map(
        (submission) => queue.submit(submission),
      );
      const states = await waitFor('both to be under way', async () => {
        const now = await queue.states();
        return now.length === 2 && now.every(({ active }) => active === 1) ? now : null;
      });
      expect(states.map(({ adapter, waiting }) => [adapter, waiting])).toEqual([
        ['smtp', 0],
        ['webhook', 0],
      ]);
      door.open();
      await Promise.all(sent);
      await waitFor('both to be done', () => done.length === 2);
      await waitFor('nothing to be left', async () =>
        (await queue.states()).every(({ active, waiting, oldestMs }) => active + waiting + oldestMs === 0),
      );
    });

    it.each([
      ['adapter', { adapter: 'webhook' }, { adapter: 'smtp' }],
      ['owner', { ownerId: 'user_flood' }, { ownerId: 'user_calm' }],
    ])('goes on with the others while all of one %s hang', async (_kind, flood, calm) => {
      const door = closedDoor();
      const calmId = submissionOf(calm);
      const { handler, begun, done } = recorder(async (submission) => {
        if (submission.requestId !== calmId.requestId) await door.passed;
        return DONE;
      });
      queue.work(handler);
      const sent = Array.from({ length: 50 }, () => queue.submit(submissionOf(flood)));
      await waitFor('the flood to be under way', () => begun.length >= 4);
      sent.push(queue.submit(calmId));
      await waitFor('the calm one to be carried out', () => done.length === 1);
      expect(done).toEqual([calmId]);
      door.open();
      await Promise.all(sent);
      await waitFor('the flood to be carried out', () => done.length === 51);
      expect(begun).toHaveLength(51);
    });

    it('answers a check while it can be used, and closes twice', async () => {
      queue.work(recorder().handler);
      await queue.check();
      await queue.close();
      await queue.close();
      await expect(queue.submit(submissionOf())).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    });
  });
}
