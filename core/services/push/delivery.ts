// Brings messages to devices: to each device in order, to many at once within bounds, again when a push
// service asks for it, and no longer to a browser that is gone.
import type { Clock } from '#core/ports/clock.ts';
import type { PushIdentity, PushMessage, PushOutcome, PushSender } from '#core/ports/push-sender.ts';
import { createCache } from '#core/services/cache.ts';
import type { PushTargetDevice } from './targets.ts';

/** Messages that are sent at once: in all, and those of one owner. */
const MAX_SENDING = 64;
const MAX_SENDING_OF_OWNER = 8;
/** Messages that wait for their turn, and as many again that are to be tried again. More are dropped. */
const MAX_WAITING = 10_000;
/** Of one owner, so that devices of theirs that hang drop nothing of the others. */
const MAX_WAITING_OF_OWNER = 1000;
/** Delays before further attempts where the push service names none, in milliseconds. */
const RETRY_MS = [5000, 30_000, 120_000, 600_000];
/** One that asks to wait longer is not asked again. */
const MAX_RETRY_MS = 3_600_000;
/** `lastUsedAt` is written at most this often. */
const USE_INTERVAL_MS = 3_600_000;
const MAX_CACHED = 10_000;
/** Time for what is under way when the program ends. */
const CLOSING_MS = 2000;

/** What became of a message; for measurements and logs. */
export interface PushObserver {
  sent(): void;
  /** Not taken by the push service, or dropped: too many waited, or too many attempts failed. */
  refused(reason: string, origin: string): void;
  forgotten(): void;
}

interface Parts {
  sender: PushSender;
  clock: Clock;
  identity: () => Promise<PushIdentity>;
  /** The device as it is now; null when its owner has it no longer: what waited for it is not sent. */
  current: (ownerId: string, id: string) => Promise<PushTargetDevice | null>;
  observer: PushObserver;
  /** Removes a device whose browser is no longer subscribed. */
  forget: (ownerId: string, id: string) => Promise<unknown>;
  /** Stores when a device was last used. */
  used: (ownerId: string, id: string, at: number) => Promise<unknown>;
  onError: (error: unknown) => void;
}

/** Hears what becomes of a message. */
export interface DeliveryWatch {
  /** It is tried again after so many milliseconds. */
  later(afterMs: number): void;
  /** Nothing more is done about it: it was sent, or given up for good; or, where not done, for now. */
  ended(isDone: boolean): void;
}

const UNWATCHED: DeliveryWatch = { later() {}, ended() {} };

/** A message on its way to a device. */
interface OnItsWay {
  device: PushTargetDevice;
  make: MakeMessage;
  watch: DeliveryWatch;
  attempt: number;
}

/** Made right before it is sent; null when it is no longer to be sent. */
export type MakeMessage = () => Promise<Omit<PushMessage, 'subscription'> | null>;

export type PushDelivery = ReturnType<typeof createPushDelivery>;

export function createPushDelivery({ sender, clock, identity, observer, ...parts }: Parts) {
  const { current, forget, used, onError } = parts;
  const places = createPlaces();
  /** The end of what waits for each device. */
  const chains = new Map<string, Promise<void>>();
  const retries = createRetries((one) => void deliver(one));
  const noteUse = createUses({ clock, used, onError });
  const waiting = createCounts();
  let closed = false;

  /** Whether nothing more is done about it. */
  function concluded(one: OnItsWay, outcome: PushOutcome): boolean {
    const { device, attempt } = one;
    const { origin } = new URL(device.subscription.endpoint);
    switch (outcome.kind) {
      case 'sent':
        observer.sent();
        noteUse(device);
        return true;
      case 'gone':
        observer.forgotten();
        forget(device.ownerId, device.id).catch(onError);
        return true;
      case 'refused':
        observer.refused(outcome.reason, origin);
        return true;
      case 'later': {
        const afterMs = outcome.retryAfterMs ?? RETRY_MS[attempt - 1] ?? Infinity;
        const isLast =
          attempt > RETRY_MS.length || afterMs > MAX_RETRY_MS || retries.waiting.isFull(device.ownerId);
        if (isLast) observer.refused(outcome.reason, origin);
        else if (!closed) retries.add(one, Math.max(afterMs, 1000));
        return isLast;
      }
    }
  }

  async function sendNow(one: OnItsWay): Promise<boolean> {
    const { device, make, watch } = one;
    const release = await places.take(device.ownerId);
    try {
      const message = closed ? null : await make();
      const now = message === null ? null : await current(device.ownerId, device.id);
      if (message === null || now === null) {
        watch.ended(!closed);
        return false;
      }
      const outcome = await sender.send({ ...message, subscription: now.subscription }, await identity());
      if (concluded(one, outcome)) watch.ended(true);
      return outcome.kind === 'sent';
    } catch (error) {
      onError(error);
      watch.ended(false);
      return false;
    } finally {
      release();
    }
  }

  /** Resolves when it was sent, or was not: after all that was to be sent to the device before. */
  async function deliver(one: OnItsWay): Promise<boolean> {
    const { device, watch } = one;
    if (closed) {
      watch.ended(false);
      return false;
    }
    if (waiting.isFull(device.ownerId)) {
      observer.refused('too many wait', new URL(device.subscription.endpoint).origin);
      watch.ended(false);
      return false;
    }
    waiting.add(device.ownerId, 1);
    const before = chains.get(device.id) ?? Promise.resolve();
    const sent = before.then(() => sendNow(one));
    const mine = sent.then(() => undefined);
    chains.set(device.id, mine);
    try {
      return await sent;
    } finally {
      waiting.add(device.ownerId, -1);
      if (chains.get(device.id) === mine) chains.delete(device.id);
    }
  }

  return {
    deliver: (
      device: PushTargetDevice,
      make: MakeMessage,
      watch: DeliveryWatch = UNWATCHED,
    ): Promise<boolean> => deliver({ device, make, watch, attempt: 1 }),

    /** Waits a little for what is being sent; what waits is dropped. */
    async close(): Promise<void> {
      closed = true;
      retries.close();
      const time = new Promise((resolve) => setTimeout(resolve, CLOSING_MS).unref());
      await Promise.race([Promise.all(chains.values()), time]);
    },
  };
}

/** How many messages wait, in all and of each owner. */
function createCounts() {
  const byOwner = new Map<string, number>();
  let all = 0;
  const of = (ownerId: string) => byOwner.get(ownerId) ?? 0;
  return {
    isFull: (ownerId: string): boolean => all >= MAX_WAITING || of(ownerId) >= MAX_WAITING_OF_OWNER,
    add(ownerId: string, change: 1 | -1): void {
      all += change;
      const count = of(ownerId) + change;
      if (count === 0) byOwner.delete(ownerId);
      else byOwner.set(ownerId, count);
    },
  };
}

/** Messages that are tried again later. */
function createRetries(again: (one: OnItsWay) => void) {
  const timers = new Set<NodeJS.Timeout>();
  const waiting = createCounts();
  return {
    waiting,
    add(one: OnItsWay, afterMs: number): void {
      const { ownerId } = one.device;
      waiting.add(ownerId, 1);
      const timer = setTimeout(() => {
        timers.delete(timer);
        waiting.add(ownerId, -1);
        again({ ...one, attempt: one.attempt + 1 });
      }, afterMs).unref();
      timers.add(timer);
      one.watch.later(afterMs);
    },
    close(): void {
      for (const timer of timers) clearTimeout(timer);
    },
  };
}

/** Writes the last use of devices, of each at most once an hour. */
function createUses({ clock, used, onError }: Pick<Parts, 'clock' | 'used' | 'onError'>) {
  /** When each was written, by the monotonic clock. */
  const written = createCache<number>(MAX_CACHED);
  return ({ id, ownerId, lastUsedAt }: PushTargetDevice): void => {
    const [now, at] = [clock.now(), clock.monotonic()];
    const last = written.get(id);
    // The time that another process wrote counts only while it is near, ahead or behind.
    const age = last === undefined ? Math.abs(now - (lastUsedAt ?? -Infinity)) : at - last;
    if (age < USE_INTERVAL_MS) return;
    written.set(id, at);
    used(ownerId, id, now).catch(onError);
  };
}

/** Lets so many work at once, and of each owner so many: one whose push service hangs holds up no other. */
function createPlaces() {
  const busy = new Map<string, number>();
  const queues = new Map<string, (() => void)[]>();
  let all = 0;

  const isFree = (ownerId: string) => all < MAX_SENDING && (busy.get(ownerId) ?? 0) < MAX_SENDING_OF_OWNER;

  function enter(ownerId: string): void {
    all++;
    busy.set(ownerId, (busy.get(ownerId) ?? 0) + 1);
  }

  function leave(ownerId: string): void {
    all--;
    const left = (busy.get(ownerId) ?? 1) - 1;
    if (left === 0) busy.delete(ownerId);
    else busy.set(ownerId, left);
    for (const [next, queue] of queues) {
      if (!isFree(next)) continue;
      const begin = queue.shift();
      queues.delete(next);
      // Owners take turns.
      if (queue.length > 0) queues.set(next, queue);
      enter(next);
      return begin?.();
    }
  }

  return {
    /** Resolves, once there is a place, with what gives it back. */
    async take(ownerId: string): Promise<() => void> {
      if (isFree(ownerId) && !queues.has(ownerId)) enter(ownerId);
      else
        await new Promise<void>((resolve) => {
          const queue = queues.get(ownerId) ?? [];
          queue.push(resolve);
          queues.set(ownerId, queue);
        });
      return () => leave(ownerId);
    },
  };
}
