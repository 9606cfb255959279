// Tells the devices of owners of their tasks, in the process that made the change, after it is durable: one
// notification for each task, closed when the task is over. What leaves is decided by the owner's rules; what
// is held for later is stored, and comes as one summary.
import type { TaskEventType } from '../contract/index.ts';
import { isPushed } from '../domain/push.ts';
import { testMessage } from '../domain/push-messages.ts';
import { heldUntil } from '../domain/quiet-hours.ts';
import { isListed, type Task } from '../domain/task.ts';
import type { EventBus } from '../ports/event-bus.ts';
import { createOwnerBudgets } from './push-budgets.ts';
import { createPushChanges, type Change } from './push-changes.ts';
import { createHeldPushes } from './push-held.ts';
import { createPushNotices } from './push-notices.ts';
import { createRepeats } from './push-repeats.ts';
import { createShownTasks, type ShownParts } from './push-shown.ts';
import type { PushTargets } from './push-targets.ts';

/** Who changed a task: its sender, a person, or the time. */
export type ChangedBy = 'sender' | 'person' | 'time';

interface Parts extends ShownParts {
  targets: PushTargets;
}

/** What is more than an owner's budget is held so long. */
const OVER_BUDGET_MS = 60_000;
const TEST_TTL_SECONDS = 300;
export type Push = ReturnType<typeof createPush>;

export function createPush(parts: Parts) {
  const { store, targets, delivery, clock, onError } = parts;
  const shown = createShownTasks(parts);
  const held = createHeldPushes({ ...parts, shown });
  const budgets = createOwnerBudgets(clock);
  const changes = createPushChanges({ decide, onError });
  const repeats = createRepeats((task) => void changes.add({ task, shows: true, isAgain: true }));
  let closed = false;

  async function decide(ownerId: string, changes: readonly Change[]): Promise<Promise<unknown>[]> {
    const sending: Promise<unknown>[] = [];
    const target = await targets.get(ownerId);
    if (target === null) return sending;
    const over = changes.filter(({ shows }) => !shows).map(({ task }) => task.id);
    if (over.length > 0) sending.push(...(await shown.close(ownerId, target, over)));
    const now = clock.now();
    for (const { task, isAgain } of changes.filter(({ shows }) => shows)) {
      if (!isListed(task, now) || !isPushed(task, target.rules)) continue;
      const until = heldUntil(target.rules, task.priority, now);
      const dueAt = until ?? (budgets.take(ownerId) ? null : now + OVER_BUDGET_MS);
      if (dueAt === null) sending.push(...(await shown.show(task, target, isAgain)));
      else await store.hold({ ownerId, taskIds: [task.id], dueAt });
      if (until !== null) await held.recheck(ownerId, until);
    }
    return sending;
  }

  /** Resolves when devices were told, or it is held; undefined where nothing is to be told. */
  function changed(type: TaskEventType, task: Task, by: ChangedBy): Promise<void> | undefined {
    if (closed || !targets.mayHave(task.ownerId)) return undefined;
    const isOver = type === 'task.acknowledged' || type === 'task.expired' || !isListed(task, clock.now());
    if (isOver) return changes.add({ task, shows: false, isAgain: false });
    if (type === 'task.created' || by === 'time') return changes.add({ task, shows: true, isAgain: false });
    // Of what a person does on a screen, no device has to be told; a sender's change is a repeat.
    if (by === 'sender') repeats.add(task);
    return undefined;
  }

  return {
    /**
     * The bus for who publishes changes of tasks that are made so: devices hear of them, too. Its flush waits
     * until each push was tried once, or is held.
     */
    hearing(bus: EventBus, by: ChangedBy): EventBus {
      const telling = new Set<Promise<void>>();
      return {
        ...bus,
        publish(event) {
          bus.publish(event);
          const told = event.kind === 'task' ? changed(event.type, event.task, by) : undefined;
          if (told === undefined || telling.has(told)) return;
          telling.add(told);
          void told.finally(() => telling.delete(told));
        },
        flush: async () => void (await Promise.all([bus.flush(), ...telling])),
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
      await held.stop();
      await Promise.all([delivery.close(), held.ended()]);
      targets.close();
    },
  };
}
