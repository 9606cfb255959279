// Starts what a process does besides answering.
import { repeat } from '#core/services/repeat.ts';
import { withTimeLimit } from '#core/time-limit.ts';
import { startSweeper } from '#core/services/sweeper.ts';
import type { AccountDeletion } from '#core/services/account/deletion.ts';
import type { EventBus } from '#core/ports/event-bus.ts';
import type { SubmissionQueue } from '#core/ports/submission-queue.ts';
import type { Push } from '#core/services/push/push.ts';
import type { Rejected } from '#core/services/rejected.ts';
import type { Submissions } from '#core/services/submissions.ts';
import type { Context } from '../services/context.ts';

/** How long a sweep waits for what it tells: Redis may hang. */
const LEAVING_MS = 2000;
/** How often accounts that are being deleted are looked for. */
const DELETION_MS = 5000;

interface Parts {
  deletion: Pick<AccountDeletion, 'finish'>;
  queue: SubmissionQueue;
  submissions: Pick<Submissions, 'carryOut'>;
  rejected: Pick<Rejected, 'add'>;
  push: Pick<Push, 'hearing' | 'start'>;
}

/** Starts the worker and the sweeper where this process has them; passes on what other processes write. */
export function startBackground(
  { storage, bus, config, clock, mailer, background, onError }: Context,
  { queue, submissions, rejected, push, deletion }: Parts,
) {
  // Without a queue, every process carries out its own submissions.
  const works = config.production === null || (background && config.roles.includes('worker'));
  const worker = works ? queue.work({ carryOut: submissions.carryOut, reject: rejected.add }) : undefined;
  const sweeper =
    background && works
      ? startSweeper({ storage, bus: leavingInTime(push.hearing(bus, 'time')), clock, onError })
      : undefined;
  const deleting =
    background && works
      ? repeat(async () => void (await deletion.finish()), DELETION_MS, onError)
      : undefined;
  if (background && works) {
    push.start();
    void mailer?.check();
  }
  // After a write of another process to the same store, such as the CLI, caches and screens are stale.
  const unwatch = storage.watch(() => {
    bus.publish({ kind: 'access', userId: null });
    bus.publish({ kind: 'reset', ownerId: null });
  });
  return {
    async stopSweeping() {
      unwatch();
      await deleting?.stop();
      await sweeper?.stop();
    },
    stopWorker: () => worker?.stop(),
    sweepLagMs: () => sweeper?.lagMs() ?? null,
  };
}

/** The bus, whose flush ends after {@link LEAVING_MS} at the latest. */
function leavingInTime(bus: EventBus): EventBus {
  return { ...bus, flush: () => withTimeLimit(LEAVING_MS, bus.flush(), () => undefined) };
}
