// The queue of a single process carries a submission out before `submit` resolves, so that the sender gets
// the failure and retries. A submission that can never succeed is stored as rejected as well.
import { ERROR_TABLE, QinboxError, unavailable } from '#core/errors.ts';
import type { SubmissionQueue, QueueState, SubmissionHandler } from '#core/ports/submission-queue.ts';

export function createDirectQueue(): SubmissionQueue {
  let handler: SubmissionHandler | null = null;
  const active = new Map<string, number>();

  function count(adapter: string, change: number): void {
    active.set(adapter, (active.get(adapter) ?? 0) + change);
  }

  return {
    async submit(submission) {
      if (handler === null) throw unavailable('queue', new Error('nobody works'));
      count(submission.adapter, 1);
      try {
        return { kind: 'stored', outcome: await handler.carryOut(submission) };
      } catch (fault) {
        const hopeless = fault instanceof QinboxError && ERROR_TABLE[fault.code].queue === 'reject';
        if (hopeless) await handler.reject(submission, fault, 1);
        throw fault;
      } finally {
        count(submission.adapter, -1);
      }
    },

    waiting: () => Promise.resolve(null),

    work(chosen) {
      handler = chosen;
      return {
        async stop() {
          handler = null;
        },
      };
    },

    states: () =>
      Promise.resolve(
        [...active].map(([adapter, count]): QueueState => ({
          adapter,
          waiting: 0,
          active: count,
          oldestMs: 0,
          unanswered: 0,
        })),
      ),
    memory: () => Promise.resolve(null),
    async check() {
      if (handler === null) throw new Error('nobody works');
    },
    async close() {
      handler = null;
    },
  };
}
