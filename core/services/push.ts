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
import { createHeldPushes } from './push-held.ts';
import { createPushNotices } from './push-notices.ts';
import { createRepeats } from './push-repeats.ts';
import { createShownTasks, type ShownParts } from './push-shown.ts';
import type { PushTarget, PushTargets } from './push-targets.ts';

/** Who changed a task: its sender, a person, or the time. */
export type ChangedBy = 'sender' | 'person' | 'time';

interface Parts extends ShownParts {
  targets: PushTargets;
}

/** What is more than an owner's budget is held so long. */
const OVER_BUDGET_MS = 60_000;
const TEST_TTL_SECONDS = 300;
/** The latest of a task that is not decided on yet. */
interface Change {
  task: Task;
  shows: boolean;
  /** A device that shows it already shows it anew, without a sound. */
  isAgain: boolean;
}

export type Push = ReturnType<typeof createPush>;

export function createPush(parts: Parts) {
  const { store, targets, delivery, clock, onError } = parts;
  const shown = createShownTasks(parts);
  const held = createHeldPushes({ ...parts, shown });
  const budgets = createOwnerBudgets(clock);
  const repeats = createRepeats((task) => add({ task, shows: true, isAgain: true }));
  /** By the owner, then by the task. */
  const waiting = new Map<string, Map<string, Change>>();
  let closed = false;

  function add(change: Change): void {
    const { ownerId, id } = change.task;
    const changes = waiting.get(ownerId);
    // What a device has not heard of yet is new to it.
    const isAgain = change.isAgain && changes?.get(id)?.isAgain !== false;
    if (changes !== undefined) return void changes.set(id, { ...change, isAgain });
    const first = new Map([[id, change]]);
    waiting.set(ownerId, first);
    // After all that the same call has changed.
    setImmediate(() => void work(ownerId, first));
  }

  async function work(ownerId: string, changes: Map<string, Change>): Promise<void> {
    while (changes.size > 0) {
      const all = [...changes.values()];
      changes.clear();
      try {
        const target = await targets.get(ownerId);
        if (target !== null) await decide(ownerId, target, all);
      } catch (error) {
        onError(error);
      }
    }
    waiting.delete(ownerId);
  }

  async function decide(ownerId: string, target: PushTarget, changes: readonly Change[]): Promise<void> {
    const over = changes.filter(({ shows }) => !shows).map(({ task }) => task.id);
    if (over.length > 0) await shown.close(ownerId, target, over);
    const now = clock.now();
    for (const { task, isAgain } of changes.filter(({ shows }) => shows)) {
      if (!isListed(task, now) || !isPushed(task, target.rules)) continue;
      const until = heldUntil(target.rules, task.priority, now);
      const dueAt = until ?? (budgets.take(ownerId) ? null : now + OVER_BUDGET_MS);
      if (dueAt === null) for (const sent of await shown.show(task, target, isAgain)) sent.catch(onError);
      else await store.hold({ ownerId, taskIds: [task.id], dueAt });
      if (until !== null) await held.recheck(ownerId, until);
    }
  }

  function changed(type: TaskEventType, task: Task, by: ChangedBy): void {
    if (closed || !targets.mayHave(task.ownerId)) return;
    const isOver = type === 'task.acknowledged' || type === 'task.expired' || !isListed(task, clock.now());
    if (isOver) add({ task, shows: false, isAgain: false });
    else if (type === 'task.created' || by === 'time') add({ task, shows: true, isAgain: false });
    // Of what a person does on a screen, no device has to be told; a sender's change is a repeat.
    else if (by === 'sender') repeats.add(task);
  }

  return {
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
      await held.stop();
      await Promise.all([delivery.close(), held.ended()]);
      targets.close();
    },
  };
}
