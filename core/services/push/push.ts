// Tells the devices of owners of their tasks, in the process that made the change, after it is durable: one
// notification for each task, closed when the task is over. What leaves is decided by the owner's rules; what
// is held for later is stored, and comes as one summary. Where the process dies meanwhile, another does it:
// that there is something to tell is stored with the change (core/domain/push-work.ts).
import type { TaskEventType } from '#core/contract/index.ts';
import { isPushed } from '#core/domain/push.ts';
import { closeWorkId, raiseWorkId, showWorkId, type PushWorkId } from '#core/domain/push-work.ts';
import { testMessage } from '#core/domain/push-messages.ts';
import { heldUntil } from '#core/domain/quiet-hours.ts';
import { isListed, type Task } from '#core/domain/task.ts';
import type { EventBus } from '#core/ports/event-bus.ts';
import type { TaskStore } from '#core/ports/task-store.ts';
import type { WorkStore } from '#core/ports/work-store.ts';
import { createOwnerBudgets } from './budgets.ts';
import { createPushChanges, type PushChange } from './changes.ts';
import { createHeldPushes } from './held.ts';
import { createPushNotices } from './notices.ts';
import { createPushResuming } from './resuming.ts';
import { createRepeats } from './repeats.ts';
import { createShownTasks, type ShownParts } from './shown.ts';
import type { PushTarget, PushTargets } from './targets.ts';
import { createPushTickets, joinAll, type PushTicket } from './tickets.ts';

/** Who changed a task: its sender, a person, or the time. */
export type ChangedBy = 'sender' | 'person' | 'time';

interface Parts extends ShownParts {
  tasks: ShownParts['tasks'] & Pick<TaskStore, 'change'>;
  targets: PushTargets;
  work: Pick<WorkStore, 'get' | 'progress' | 'trim'>;
}

/** What is more than an owner's budget is held so long. */
const OVER_BUDGET_MS = 60_000;
const TEST_TTL_SECONDS = 300;

export type Push = ReturnType<typeof createPush>;

export function createPush(parts: Parts) {
  const { targets, delivery, clock, onError } = parts;
  const shown = createShownTasks(parts);
  const tickets = createPushTickets(parts);
  const held = createHeldPushes({ ...parts, shown });
  const { push, pushStored } = createSinglePushes({ ...parts, shown, tickets, held });
  const repeats = createRepeats((task) =>
    add({ task, shows: true, isAgain: true, isUnsure: false, tickets: [] }),
  );
  let closed = false;

  const add = createPushChanges(async (ownerId, changes) => {
    const target = await targets.get(ownerId);
    if (target !== null) await decide(ownerId, target, changes);
  }, onError);

  async function decide(ownerId: string, target: PushTarget, changes: readonly PushChange[]): Promise<void> {
    const over = changes.filter(({ shows }) => !shows);
    const unsure = new Set(over.filter(({ isUnsure }) => isUnsure).map(({ task }) => task.id));
    const ids = over.map(({ task }) => task.id);
    if (ids.length > 0)
      await shown.close(ownerId, target, { ids, unsure, tickets: over.flatMap((change) => change.tickets) });
    const now = clock.now();
    for (const change of changes.filter(({ shows }) => shows)) {
      const { task, isAgain } = change;
      if (!isListed(task, now) || !isPushed(task, target.rules)) continue;
      const before = isAgain ? ((await shown.devicesShowing(ownerId, [task.id])).get(task.id) ?? []) : [];
      // A repeat may be the first of a task to be pushed, which is stored then.
      if (!isAgain || before.length > 0) await push(target, change, before);
      else await pushStored(target, change);
    }
  }

  function begin(task: Task, shows: boolean, id: PushWorkId, isUnsure = false): void {
    add({ task, shows, isAgain: false, isUnsure, tickets: [tickets.take(task.ownerId, id)] });
  }

  function changed(type: TaskEventType, task: Task, by: ChangedBy): void {
    if (closed || !targets.mayHave(task.ownerId)) return;
    const isOver = type === 'task.acknowledged' || type === 'task.expired' || !isListed(task, clock.now());
    if (isOver) begin(task, false, closeWorkId(task));
    else if (type === 'task.created') begin(task, true, showWorkId(task, null));
    else if (by === 'time') begin(task, true, showWorkId(task, task.snoozedUntil));
    // Of what a person does on a screen, no device has to be told; a sender's change is a repeat.
    else if (by === 'sender') repeats.add(task);
  }

  return {
    /** Does stored pushes that no process is at. */
    handler: createPushResuming({ ...parts, tickets, begin, isClosed: () => closed }),

    /** The bus for who publishes changes of tasks that are made so: devices hear of them, too. */
    hearing(bus: EventBus, by: ChangedBy): EventBus {
      return {
        ...bus,
        publish(event) {
          bus.publish(event);
          if (event.kind === 'task') changed(event.type, event.task, by);
        },
      };
    },

    /** Sends a test to the device; false when the owner has no such one. */
    async test(ownerId: string, id: string): Promise<boolean> {
      const target = await targets.get(ownerId);
      const device = target?.devices.find((one) => one.id === id);
      if (target === null || device === undefined) return false;
      const payload = testMessage(await shown.contextFor(ownerId, target));
      const message = { payload, topic: null, ttlSeconds: TEST_TTL_SECONDS, urgency: 'high' } as const;
      void delivery.deliver(device, () => Promise.resolve(message));
      return true;
    },

    ...createPushNotices(parts, shown),

    /** Begins to send what is held when it is due. */
    start: held.start,

    async close(): Promise<void> {
      closed = true;
      repeats.close();
      tickets.close();
      await held.stop();
      await Promise.all([delivery.close(), held.ended()]);
      targets.close();
    },
  };
}

interface SingleParts extends Pick<Parts, 'store' | 'clock' | 'onError'> {
  shown: Pick<ReturnType<typeof createShownTasks>, 'show'>;
  tickets: Pick<ReturnType<typeof createPushTickets>, 'take'>;
  held: Pick<ReturnType<typeof createHeldPushes>, 'recheck'>;
}

/** Pushes of single tasks. */
function createSinglePushes({ store, clock, onError, shown, tickets, held }: SingleParts) {
  const budgets = createOwnerBudgets(clock);

  /** The first push of a task by a repeat, which was stored with it. */
  async function pushStored(target: PushTarget, change: PushChange): Promise<void> {
    const { task } = change;
    const ticket = tickets.take(task.ownerId, raiseWorkId(task));
    try {
      await push(target, { ...change, tickets: [...change.tickets, ticket] }, []);
    } catch (error) {
      ticket.lose();
      throw error;
    } finally {
      ticket.release();
    }
  }

  /** Now, or later. `shownBefore`: ids of the devices that show the task already. */
  async function push(
    target: PushTarget,
    { task, tickets: own }: PushChange,
    shownBefore: readonly string[],
  ): Promise<void> {
    const { ownerId } = task;
    const now = clock.now();
    const until = heldUntil(target.rules, task.priority, now);
    const dueAt = until ?? (budgets.take(ownerId) ? null : now + OVER_BUDGET_MS);
    if (dueAt === null) follow(await shown.show(task, target, shownBefore, own), own, onError);
    else await store.hold({ ownerId, taskIds: [task.id], dueAt });
    if (until !== null) await held.recheck(ownerId, until);
  }

  return { push, pushStored };
}

/** Until it was looked whether the task is over by now, its push is not. */
function follow(
  all: readonly Promise<boolean>[],
  tickets: readonly PushTicket[],
  onError: (error: unknown) => void,
): void {
  for (const sent of all) {
    const watch = joinAll(tickets);
    sent.then(
      () => watch.ended(true),
      (error: unknown) => {
        onError(error);
        watch.ended(false);
      },
    );
  }
}
