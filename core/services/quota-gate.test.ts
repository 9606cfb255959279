import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { createDirectQueue } from '#adapters/memory/queue.ts';
import { openSqliteStorage } from '#adapters/sqlite/storage.ts';
import { unavailable } from '#core/errors.ts';
import type { TaskStore } from '#core/ports/task-store.ts';
import { createFakeClock } from '#test/helpers/clock.ts';
import { newOwner } from '#test/helpers/records.ts';
import { submissionOf } from '#test/helpers/submissions.ts';
import { createTempDir } from '#test/helpers/temp.ts';
import { withQuotaGate } from './quota-gate.ts';

/** A gate before a queue that notes what came through, over a store where an owner may have one task. */
function gate(change: (tasks: TaskStore) => Partial<TaskStore> = () => ({})) {
  const clock = createFakeClock();
  const storage = openSqliteStorage({
    file: join(createTempDir(), 'qinbox.db'),
    clock,
    quota: { tasks: 1, bytes: 1_000_000 },
  });
  onTestFinished(() => storage.close());
  const through: string[] = [];
  const queue = createDirectQueue();
  queue.work({
    async carryOut({ requestId }) {
      through.push(requestId);
      return { kind: 'done', outcomes: [], resolved: [] };
    },
    reject: () => Promise.resolve(),
  });
  const { tasks } = storage;
  return { tasks, through, queue: withQuotaGate(queue, { ...tasks, ...change(tasks) }) };
}

describe('the gate before the queue of submissions', () => {
  it('lets in what there is room for, and what makes no task; tells the sender of the rest', async () => {
    const { tasks, through, queue } = gate();
    const ownerId = newOwner();
    const first = submissionOf({ ownerId, requestId: 'first' });
    await queue.submit(first);
    await tasks.create(first);
    await expect(queue.submit(submissionOf({ ownerId }))).rejects.toMatchObject({ code: 'QUOTA_EXCEEDED' });
    await queue.submit(submissionOf({ ownerId, inserts: [], resolves: ['disk'], requestId: 'over' }));
    await queue.submit(submissionOf({ requestId: 'of another' }));
    expect(through).toEqual(['first', 'over', 'of another']);
  });

  it('lets in what the store says nothing of, soon and then at once, until it answers again', async () => {
    vi.useFakeTimers();
    try {
      const answer = Promise.withResolvers<void>();
      let asked = 0;
      const { through, queue } = gate(() => ({
        checkQuota() {
          asked++;
          return answer.promise;
        },
      }));
      const ownerId = newOwner();
      const first = queue.submit(submissionOf({ ownerId, requestId: 'first' }));
      await vi.advanceTimersByTimeAsync(499);
      expect(through).toEqual([]);
      await vi.advanceTimersByTimeAsync(1);
      await first;
      await queue.submit(submissionOf({ ownerId, requestId: 'second' }));
      expect(through).toEqual(['first', 'second']);
      expect(asked).toBe(1);
      answer.resolve();
      await vi.advanceTimersByTimeAsync(0);
      await queue.submit(submissionOf({ ownerId }));
      expect(asked).toBe(2);
    } finally {
      vi.useRealTimers();
    }
  });

  it('lets in what the store cannot be asked about', async () => {
    const { through, queue } = gate(() => ({
      checkQuota: () => Promise.reject(unavailable('store', new Error('away'))),
    }));
    await queue.submit(submissionOf({ requestId: 'first' }));
    expect(through).toEqual(['first']);
  });
});
