// The queue of a single process: none. A submission is carried out before `submit` returns, so that a failure goes
// back to the sender, who retries.
import type { IngestQueue, Submission } from '#core/ports/ingest-queue.ts';
import type { CreateOutcome } from '#core/ports/task-store.ts';

/** `carryOut` makes the submission durable, or throws. */
export function createDirectQueue(carryOut: (submission: Submission) => Promise<CreateOutcome>): IngestQueue {
  return {
    async submit(submission) {
      return { kind: 'stored', outcome: await carryOut(submission) };
    },
    async check() {},
    async close() {},
  };
}
