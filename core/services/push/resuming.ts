// Does stored pushes that no process is at: the one that was has died, or could not reach the store.
import { PUSH_LEASE_MS, type PushPayload, type PushWorkId } from '#core/domain/push-work.ts';
import { isListed, type Task } from '#core/domain/task.ts';
import type { Work } from '#core/domain/work.ts';
import type { Clock } from '#core/ports/clock.ts';
import type { TaskStore } from '#core/ports/task-store.ts';
import type { WorkStore } from '#core/ports/work-store.ts';
import type { PushTargets } from './targets.ts';
import type { createPushTickets } from './tickets.ts';
import type { WorkHandler } from '#core/services/work/runner.ts';
import { putOff } from '#core/services/work/steps.ts';

interface Parts {
  tasks: Pick<TaskStore, 'change'>;
  targets: Pick<PushTargets, 'get'>;
  work: Pick<WorkStore, 'progress'>;
  clock: Clock;
  tickets: Pick<ReturnType<typeof createPushTickets>, 'has'>;
  /** Shows or closes a task, of which it is not known what devices were told. */
  begin: (task: Task, shows: boolean, id: PushWorkId, isUnsure: true) => void;
  isClosed: () => boolean;
}

export function createPushResuming(parts: Parts): WorkHandler {
  const { work, clock, isClosed } = parts;
  return {
    begin: () =>
      Promise.resolve({
        async attempt(one) {
          if (isClosed()) return { outcome: 'hold', result: '', ms: 0 };
          // First: it may be over before this is stored.
          await putOff(one, { until: clock.now() + PUSH_LEASE_MS, detail: '' }, work);
          if (await resume(one, parts)) return { outcome: 'later', result: '', ms: 0 };
          return { outcome: 'done', result: '{}', ms: 0 };
        },
      }),
  };
}

/** False when nothing is to be done any more. */
async function resume(one: Work, { tasks, targets, clock, tickets, begin }: Parts): Promise<boolean> {
  const { ownerId, id } = one;
  if (tickets.has(ownerId, id)) return true;
  if ((await targets.get(ownerId)) === null) return false;
  const { taskId, shows, wakesAt } = JSON.parse(one.payload) as PushPayload;
  // A read that finds what is over as well.
  const [found] = await tasks.change(ownerId, [taskId], (task) => task);
  const task = found?.after ?? null;
  if (task === null || isListed(task, clock.now()) !== shows) return false;
  if (wakesAt !== null && task.snoozedUntil !== wakesAt) return false;
  begin(task, shows, id, true);
  return true;
}
