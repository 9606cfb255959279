// Pushes that are held for later, in quiet hours or because there are too many: one summary when they are
// due, of what is still there. Of all processes one sends it, once.
import { summaryMessage, topicOf } from '../domain/push-messages.ts';
import { heldUntil } from '../domain/quiet-hours.ts';
import { isListed, type Task } from '../domain/task.ts';
import type { PushTarget, PushTargets } from './push-targets.ts';
import { TTL_SECONDS, type ShownParts, type ShownTasks } from './push-shown.ts';

interface Parts extends ShownParts {
  targets: Pick<PushTargets, 'get'>;
  shown: Pick<ShownTasks, 'contextFor'>;
}

const INTERVAL_MS = 1000;
/** Tasks that are read at once. */
const AT_ONCE = 20;

export function createHeldPushes({ store, tasks, targets, shown, delivery, clock, onError }: Parts) {
  let closed = false;
  let timer: NodeJS.Timeout | undefined;
  let round: Promise<void> = Promise.resolve();

  /** Sends what is held for one owner and due; false when nothing is. */
  async function sendDue(): Promise<boolean> {
    const held = await store.takeDue(clock.now());
    if (held === null) return false;
    const { ownerId, taskIds } = held;
    const target = await targets.get(ownerId);
    if (target === null) return true;
    const dueAt = heldUntil(target.rules, null, clock.now());
    if (dueAt !== null) await store.hold({ ownerId, taskIds, dueAt });
    else await summarise(ownerId, target, await stillThere(ownerId, taskIds));
    return true;
  }

  /** Newest first. */
  async function stillThere(ownerId: string, ids: readonly string[]): Promise<Task[]> {
    const found: Task[] = [];
    for (let from = 0; from < ids.length; from += AT_ONCE) {
      const now = clock.now();
      const some = ids.slice(from, from + AT_ONCE).map((id) => tasks.get(ownerId, id, now));
      for (const task of await Promise.all(some)) if (task !== null && isListed(task, now)) found.push(task);
    }
    return found.toSorted((a, b) => (a.id < b.id ? 1 : -1));
  }

  async function summarise(ownerId: string, target: PushTarget, found: readonly Task[]): Promise<void> {
    if (found.length === 0) return;
    const context = await shown.contextFor(ownerId, target);
    const contents = target.rules.withhold ? [] : found.map(({ content }) => content);
    const payload = summaryMessage({ count: found.length, contents, isAgain: false }, context);
    const urgency = found.some(({ priority }) => priority === 'high') ? 'high' : 'normal';
    const message = { payload, topic: topicOf('summary'), ttlSeconds: TTL_SECONDS, urgency } as const;
    for (const device of target.devices) void delivery.deliver(device, () => Promise.resolve(message));
  }

  async function sendAllDue(): Promise<void> {
    try {
      let more = true;
      while (more && !closed) more = await sendDue();
    } catch (error) {
      onError(error);
    }
    if (!closed) schedule();
  }

  function schedule(): void {
    timer = setTimeout(() => {
      round = sendAllDue();
    }, INTERVAL_MS).unref();
  }

  return {
    /** Looks from now on, every second. */
    start: schedule,

    async stop(): Promise<void> {
      closed = true;
      clearTimeout(timer);
      await round;
    },
  };
}
