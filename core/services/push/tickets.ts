// What this process does about pushes that are stored as work (core/domain/push-work.ts): it asks for more
// time while it is at it, and ends the work when nothing more is to be done. What it leaves comes due, here
// or in another process.
import { PUSH_LEASE_MS, pushLane, type PushWorkId } from '#core/domain/push-work.ts';
import type { Work } from '#core/domain/work.ts';
import type { Clock } from '#core/ports/clock.ts';
import { ON_RECORD, type WorkStore } from '#core/ports/work-store.ts';
import type { DeliveryWatch } from './delivery.ts';
import { putOff } from '#core/services/work/steps.ts';

/** One push of this process. It is over when all that was joined is, and it was released. */
export interface PushTicket {
  /** A message of it is under way. */
  join(): DeliveryWatch;
  /** No more messages come. */
  release(): void;
  /** It failed in part: all of it is done again once it is due. */
  lose(): void;
}

interface Parts {
  work: Pick<WorkStore, 'get' | 'progress' | 'trim'>;
  clock: Pick<Clock, 'now'>;
  onError: (error: unknown) => void;
}

const LOOK_EVERY_MS = PUSH_LEASE_MS / 4;
/** Looks for work that is not moved to its lane yet, and pauses between them. */
const LOOKS = 4;
const LOOK_AGAIN_MS = 500;
const TRIM_EVERY = 100;
const DONE = JSON.stringify({ outcome: 'done', detail: '' });

interface Tracked {
  ownerId: string;
  id: PushWorkId;
  /** Until then nobody else does it. */
  leasedUntil: number;
}

export function createPushTickets({ work, clock, onError }: Parts) {
  const tracked = new Map<string, Tracked>();
  let ended = 0;
  const nameOf = (ownerId: string, id: PushWorkId) => `${ownerId} ${id}`;
  const find = ({ ownerId, id }: Tracked) => work.get(ownerId, pushLane(ownerId), id);

  async function extend(one: Tracked, until: number): Promise<void> {
    one.leasedUntil = Math.max(one.leasedUntil, until);
    const found = await find(one);
    if (found?.status === 'waiting') await putOff(found, { until: one.leasedUntil, detail: '' }, work);
  }

  async function end(one: Tracked): Promise<void> {
    for (let looks = 1; ; looks++) {
      const found = await find(one);
      if (found !== null) return finish(found);
      if (looks === LOOKS) return;
      await new Promise((resolve) => setTimeout(resolve, LOOK_AGAIN_MS).unref());
    }
  }

  async function finish(one: Work): Promise<void> {
    if (one.status !== 'waiting') return;
    const now = clock.now();
    const attempts = one.attempts + 1;
    const over = { dueAt: null, status: 'done', attempts, lastAttemptAt: now, endedAt: now } as const;
    await work.progress(one, { ...over, result: DONE });
    if (++ended % TRIM_EVERY === 0) await work.trim(one.lane, ON_RECORD);
  }

  const timer = setInterval(() => {
    const now = clock.now();
    for (const one of tracked.values())
      if (one.leasedUntil - now < PUSH_LEASE_MS / 2) extend(one, now + PUSH_LEASE_MS).catch(onError);
  }, LOOK_EVERY_MS).unref();

  return {
    /** Whether this process is at it. */
    has: (ownerId: string, id: PushWorkId): boolean => tracked.has(nameOf(ownerId, id)),

    /** Begins: until the ticket is over nobody else does this push, while this process lives. */
    take(ownerId: string, id: PushWorkId): PushTicket {
      const one: Tracked = { ownerId, id, leasedUntil: clock.now() + PUSH_LEASE_MS };
      const name = nameOf(ownerId, id);
      let open = 1;
      let isLost = false;
      tracked.set(name, one);
      async function conclude(): Promise<void> {
        try {
          if (!isLost) await end(one);
        } catch (error) {
          onError(error);
        }
        if (tracked.get(name) === one) tracked.delete(name);
      }
      function leave(): void {
        if (--open === 0) void conclude();
      }
      const lose = () => {
        isLost = true;
      };
      return {
        join() {
          open++;
          return {
            later: (afterMs) => void extend(one, clock.now() + afterMs + PUSH_LEASE_MS).catch(onError),
            ended(isDone) {
              if (!isDone) lose();
              leave();
            },
          };
        },
        release: leave,
        lose,
      };
    },

    /** What is not over by now is done by another process, or by the next start. */
    close: () => clearInterval(timer),
  };
}

/** One watch for a message that belongs to several pushes. */
export function joinAll(tickets: readonly PushTicket[]): DeliveryWatch {
  const watches = tickets.map((ticket) => ticket.join());
  return {
    later: (afterMs) => watches.forEach((watch) => watch.later(afterMs)),
    ended: (isDone) => watches.forEach((watch) => watch.ended(isDone)),
  };
}
