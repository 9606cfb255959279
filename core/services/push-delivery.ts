// Brings messages to devices: to each device in order, to many at once within bounds, again when a push
// service asks for it, and no longer to a browser that is gone.
import type { Clock } from '../ports/clock.ts';
import type { PushIdentity, PushMessage, PushOutcome, PushSender } from '../ports/push-sender.ts';
import { createCache } from './cache.ts';
import type { PushTargetDevice } from './push-targets.ts';

/** Messages that are sent at once: in all, and those of one owner. */
const MAX_SENDING = 64;
const MAX_SENDING_OF_OWNER = 8;
/** Messages that wait. More are dropped. */
const MAX_WAITING = 10_000;
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
  observer: PushObserver;
  /** Removes a device whose browser is no longer subscribed. */
  forget: (ownerId: string, id: string) => Promise<unknown>;
  /** Stores when a device was last used. */
  used: (ownerId: string, id: string, at: number) => Promise<unknown>;
  onError: (error: unknown) => void;
}

/** Made right before it is sent; null when it is no longer to be sent. */
export type MakeMessage = () => Promise<Omit<PushMessage, 'subscription'> | null>;

export type PushDelivery = ReturnType<typeof createPushDelivery>;

export function createPushDelivery({ sender, clock, identity, observer, ...parts }: Parts) {
  const { forget, used, onError } = parts;
  const places = createPlaces();
  /** The end of what waits for each device. */
  const chains = new Map<string, Promise<void>>();
  const retries = new Set<NodeJS.Timeout>();
  const noteUse = createUses({ clock, used, onError });
  let waiting = 0;
  let closed = false;

  function retry(device: PushTargetDevice, make: MakeMessage, attempt: number, afterMs: number): void {
    const timer = setTimeout(() => {
      retries.delete(timer);
      void deliver(device, make, attempt);
    }, afterMs).unref();
    retries.add(timer);
  }

  function concluded(
    device: PushTargetDevice,
    make: MakeMessage,
    attempt: number,
    outcome: PushOutcome,
  ): void {
    const { origin } = new URL(device.subscription.endpoint);
    switch (outcome.kind) {
      case 'sent':
        observer.sent();
        return noteUse(device);
      case 'gone':
        observer.forgotten();
        return void forget(device.ownerId, device.id).catch(onError);
      case 'refused':
        return observer.refused(outcome.reason, origin);
      case 'later': {
        const afterMs = outcome.retryAfterMs ?? RETRY_MS[attempt - 1] ?? Infinity;
        const isLast = attempt > RETRY_MS.length || afterMs > MAX_RETRY_MS || retries.size >= MAX_WAITING;
        if (isLast) observer.refused(outcome.reason, origin);
        else if (!closed) retry(device, make, attempt + 1, Math.max(afterMs, 1000));
      }
    }
  }

  async function sendNow(device: PushTargetDevice, make: MakeMessage, attempt: number): Promise<boolean> {
    const release = await places.take(device.ownerId);
    try {
      const message = closed ? null : await make();
      if (message === null) return false;
      const outcome = await sender.send({ ...message, subscription: device.subscription }, await identity());
      concluded(device, make, attempt, outcome);
      return outcome.kind === 'sent';
    } catch (error) {
      onError(error);
      return false;
    } finally {
      release();
    }
  }

  /** Resolves when it was sent, or was not: after all that was to be sent to the device before. */
  async function deliver(device: PushTargetDevice, make: MakeMessage, attempt = 1): Promise<boolean> {
    if (closed) return false;
    if (waiting >= MAX_WAITING) {
      observer.refused('too many wait', new URL(device.subscription.endpoint).origin);
      return false;
    }
    waiting++;
    const before = chains.get(device.id) ?? Promise.resolve();
    const sent = before.then(() => sendNow(device, make, attempt));
    const mine = sent.then(() => undefined);
    chains.set(device.id, mine);
    try {
      return await sent;
    } finally {
      waiting--;
      if (chains.get(device.id) === mine) chains.delete(device.id);
    }
  }

  return {
    deliver: (device: PushTargetDevice, make: MakeMessage): Promise<boolean> => deliver(device, make),

    /** Waits a little for what is being sent; what waits is dropped. */
    async close(): Promise<void> {
      closed = true;
      for (const timer of retries) clearTimeout(timer);
      const time = new Promise((resolve) => setTimeout(resolve, CLOSING_MS).unref());
      await Promise.race([Promise.all(chains.values()), time]);
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
