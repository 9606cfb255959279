// Pushes that are held for later, in quiet hours or because there are too many: one summary when they are
// due, of what is still there. Of all processes one sends it, once. They stay in the store until nothing more
// is to be tried, so that another process sends it where that one dies.
import { DEFAULT_RULES } from '#core/domain/push.ts';
import { heldUntil } from '#core/domain/quiet-hours.ts';
import { createHeldLook, type HeldLook } from './held-look.ts';
import { createSummaries } from './summaries.ts';
import type { PushTarget, PushTargets } from './targets.ts';
import type { ShownParts, ShownTasks } from './shown.ts';

interface Parts extends ShownParts {
  targets: Pick<PushTargets, 'get'>;
  shown: Pick<ShownTasks, 'contextFor' | 'devicesShowing' | 'show'>;
}

const INTERVAL_MS = 1000;
/** When another process sends what one has not sent. */
const LEASE_MS = 20_000;
/** Summaries that are sent at once. */
const MOST_SENDING = 100;
/** Time for those under way when the program ends: a little more than their delivery has. */
const CLOSING_MS = 2500;
/** The most that is shown again, beside a summary, of what devices show already; without a sound. */
const MAX_AGAIN = 20;

export function createHeldPushes(parts: Parts) {
  const { store, targets, clock, onError } = parts;
  const { send, recheck } = createHeldSending(parts, () => closed);
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
    if (target === null) await store.removeHeld(ownerId, taskIds);
    else {
      const mine: Promise<void> = send(ownerId, taskIds, target).finally(() => sending.delete(mine));
      sending.add(mine);
      if (sending.size >= MOST_SENDING) await Promise.race(sending);
    }
    return true;
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

/** What is held for one owner and due, on its way. */
function createHeldSending(parts: Parts, isClosed: () => boolean) {
  const { store, shown, clock, onError } = parts;
  const look = createHeldLook(parts);
  const summarise = createSummaries(parts, look, isClosed);

  async function recheck(ownerId: string, heldTo: number): Promise<void> {
    const now = clock.now();
    const rules = (await store.get(ownerId))?.rules ?? DEFAULT_RULES;
    const dueAt = heldUntil(rules, null, now) ?? now;
    if (dueAt < heldTo) await store.holdUntil(ownerId, dueAt);
  }

  /** What is shown already, and was reported again while it was held. */
  async function showAgain(target: PushTarget, again: HeldLook['again']): Promise<void> {
    for (const { task, devices } of again.slice(0, MAX_AGAIN))
      for (const sent of await shown.show(task, target, devices)) sent.catch(onError);
  }

  /** Resolves after the first attempt. */
  async function send(ownerId: string, taskIds: readonly string[], target: PushTarget): Promise<void> {
    let leasedUntil = 0;
    function lease(ms: number): void {
      leasedUntil = Math.max(leasedUntil, clock.now() + ms);
      store.holdUntil(ownerId, leasedUntil).catch(onError);
    }
    const renewing = setInterval(() => lease(LEASE_MS), LEASE_MS / 3).unref();
    try {
      const found = await look(ownerId, taskIds);
      await showAgain(target, found.again);
      const held = { ownerId, taskIds };
      const sent = await summarise(held, target, found, (afterMs) => lease(afterMs + LEASE_MS));
      const over = sent.over.then((isOver) => (isOver ? conclude(ownerId, taskIds, found) : undefined));
      // What is tried again stays in the store meanwhile.
      if (sent.isLeft) over.catch(onError);
      else await over;
    } catch (error) {
      onError(error);
    } finally {
      clearInterval(renewing);
    }
  }

  /** Removes what was told; what is to stay quiet for longer stays. */
  async function conclude(
    ownerId: string,
    taskIds: readonly string[],
    { stays, quietUntil }: HeldLook,
  ): Promise<void> {
    const staying = new Set(stays);
    const told = taskIds.filter((id) => !staying.has(id));
    if (told.length > 0) await store.removeHeld(ownerId, told);
    if (quietUntil === null || stays.length === 0) return;
    await store.holdUntil(ownerId, quietUntil);
    await recheck(ownerId, quietUntil);
  }

  return { send, recheck };
}
