// Pushes that are held for later, in quiet hours or because there are too many: one summary when they are
// due, of what is still there. Of all processes one sends it, once. They stay in the store until it was sent,
// so that another process sends it where that one dies.
import { DEFAULT_RULES } from '../domain/push.ts';
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
/** When another process sends what one has not sent. */
const LEASE_MS = 20_000;
/** Summaries that are sent at once. */
const MOST_SENDING = 100;
/** Time for those under way when the program ends: a little more than their delivery has. */
const CLOSING_MS = 2500;
/** Tasks that are read at once. */
const AT_ONCE = 20;

export function createHeldPushes(parts: Parts) {
  const { store, targets, clock, onError } = parts;
  const { stillThere, summarise } = createSummaries(parts, () => closed);
  let closed = false;
  let timer: NodeJS.Timeout | undefined;
  let round: Promise<void> = Promise.resolve();
  const sending = new Set<Promise<void>>();

  /** Begins to send what is held for one owner and due; false when nothing is. */
  async function sendDue(): Promise<boolean> {
    const held = await store.takeDue(clock.now(), LEASE_MS);
    if (held === null) return false;
    const { ownerId, taskIds } = held;
    const target = await targets.get(ownerId);
    const dueAt = target === null ? null : heldUntil(target.rules, null, clock.now());
    if (target === null) await store.removeHeld(ownerId, taskIds);
    else if (dueAt !== null) {
      await store.holdUntil(ownerId, dueAt);
      await recheck(ownerId, dueAt);
    } else {
      const mine: Promise<void> = send(ownerId, taskIds, target).finally(() => sending.delete(mine));
      sending.add(mine);
      if (sending.size >= MOST_SENDING) await Promise.race(sending);
    }
    return true;
  }

  async function recheck(ownerId: string, heldTo: number): Promise<void> {
    const now = clock.now();
    const rules = (await store.get(ownerId))?.rules ?? DEFAULT_RULES;
    const dueAt = heldUntil(rules, null, now) ?? now;
    if (dueAt < heldTo) await store.holdUntil(ownerId, dueAt);
  }

  async function send(ownerId: string, taskIds: readonly string[], target: PushTarget): Promise<void> {
    const renewing = setInterval(() => {
      store.holdUntil(ownerId, clock.now() + LEASE_MS).catch(onError);
    }, LEASE_MS / 3).unref();
    try {
      const isSent = await summarise(ownerId, target, await stillThere(ownerId, taskIds));
      clearInterval(renewing);
      if (isSent) await store.removeHeld(ownerId, taskIds);
    } catch (error) {
      onError(error);
    } finally {
      clearInterval(renewing);
    }
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

    /**
     * Makes what was held until `heldTo` due sooner where the rules that are stored now let it: those that
     * held it may have been replaced before it was stored, and who replaced them did not see it. Who replaces
     * them later does.
     */
    recheck,

    async stop(): Promise<void> {
      closed = true;
      clearTimeout(timer);
      await round;
    },

    /** Resolves when what is under way has ended, or could not in time. */
    async ended(): Promise<void> {
      const time = new Promise((resolve) => setTimeout(resolve, CLOSING_MS).unref());
      await Promise.race([Promise.all(sending), time]);
    },
  };
}

/** What a summary is about, and its sending. */
function createSummaries({ tasks, shown, delivery, clock }: Parts, isClosed: () => boolean) {
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

  /** False when the program ended before each device was tried. */
  async function summarise(ownerId: string, target: PushTarget, found: readonly Task[]): Promise<boolean> {
    if (found.length === 0) return true;
    const context = await shown.contextFor(ownerId, target);
    const contents = target.rules.withhold ? [] : found.map(({ content }) => content);
    const payload = summaryMessage({ count: found.length, contents, isAgain: false }, context);
    const urgency = found.some(({ priority }) => priority === 'high') ? 'high' : 'normal';
    const message = { payload, topic: topicOf('summary'), ttlSeconds: TTL_SECONDS, urgency } as const;
    const sent = await Promise.all(
      target.devices.map((device) => delivery.deliver(device, () => Promise.resolve(message))),
    );
    return !isClosed() || sent.every(Boolean);
  }

  return { stillThere, summarise };
}
