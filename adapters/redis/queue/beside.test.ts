// Processes whose BullMQ uses its own scripts, as those of an older version do, share a queue with ours.
import { randomUUID } from 'node:crypto';
import { Queue, Worker } from 'bullmq';
import { Redis } from 'ioredis';
import { describe, expect, it } from 'vitest';
import type { Submission } from '#core/domain/submission.ts';
import { submissionOf } from '#test/helpers/submissions.ts';
import { waitFor } from '#test/program/wait.ts';
import { sharedRedis } from '#test/services/services.ts';
import { createBullQueue } from './queue.ts';

const redis = await sharedRedis();

describe.skipIf('missing' in redis)('a queue whose other users have the scripts of BullMQ', () => {
  const url = 'url' in redis ? redis.url : '';

  it.each([
    ['theirs', false, true],
    ['ours', true, false],
    ['both', true, true],
  ])('is worked off by %s: each submission of either once, retries included', async (_who, ours, theirs) => {
    const prefix = randomUUID();
    const connection = new Redis(url, { maxRetriesPerRequest: null });
    const queue = createBullQueue({ url, prefix, backoffMs: 2 });
    const other = new Queue<Submission>('{webhook}', { prefix, connection });
    const options = { attempts: 5, backoff: { type: 'fixed', delay: 2 }, removeOnComplete: true };
    const begun = new Set<string>();
    const done: string[] = [];
    async function carryOut({ requestId }: Submission): Promise<void> {
      // Every one fails at first.
      if (!begun.has(requestId)) {
        begun.add(requestId);
        throw new Error('not yet');
      }
      done.push(requestId);
    }
    const sent = Array.from({ length: 60 }, () => submissionOf());
    for (const [index, submission] of sent.entries())
      if (index % 2 === 0) await queue.submit(submission);
      else await other.add('submission', submission, { ...options, jobId: `other-${index}` });
    if (ours)
      queue.work({
        async carryOut(submission) {
          await carryOut(submission);
          return { kind: 'done', outcomes: [], resolved: [] };
        },
        reject: () => Promise.reject(new Error('none is rejected')),
      });
    const worker = new Worker<Submission>('{webhook}', (job) => carryOut(job.data), {
      prefix,
      connection,
      concurrency: 8,
      autorun: theirs,
      settings: { backoffStrategy: () => 2 },
    });
    try {
      await waitFor('all to be carried out', () => done.length >= sent.length);
      await waitFor('nothing to be left', async () =>
        (await queue.states()).every(({ waiting, active }) => waiting + active === 0),
      );
      expect(done.toSorted()).toEqual(sent.map(({ requestId }) => requestId).toSorted());
    } finally {
      await worker.close();
      await other.close();
      connection.disconnect();
      await queue.close();
    }
  });
});
