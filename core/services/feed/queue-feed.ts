// Tells subscribers what comes into a queue and what leaves it. A subscriber whose connection was cut goes on
// after the last item that it has: a log has the order in which items were told; the store has the tasks.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { cursorOf, type FeedItem, type FeedStart } from '#core/domain/feed.ts';
import { isSnoozed } from '#core/domain/snooze.ts';
import { QinboxError } from '#core/errors.ts';
import type { SubscribeOptions, Subscription } from '#core/ports/adapter/subscription.ts';
import type { BusEvent, EventBus } from '#core/ports/event-bus.ts';
import { readBacklog, readBefore, readPlaces, type Backlog, type BacklogParts } from './backlog.ts';
import { createFeedLogs, itemOf, tell, type FeedLog, type Subscriber } from './log.ts';
import { createWaiting } from './waiting.ts';
import { atExpiry } from '#core/services/key-expiry.ts';
import type { SignedIn } from '#core/services/principal.ts';
import type { Rechecks } from '#core/services/rechecks.ts';
import { createSearches } from '#core/services/searches.ts';

const CLEAN_INTERVAL_MS = 10 * 60_000;
/** How far back events may be missing when the bus says that some are. */
const MISSED_MS = 60_000;

const MAX_LOGGED = 20_000;
const MAX_WAITING = 10_000;
/** Time that subscribers together take of the event loop before others come in between. */
const TURN_MS = 2;
/** Reads of whole queues in this process. */
const READ_LIMITS = { inFlight: 2, inAll: 1000, timeMs: 60_000 };

interface Parts extends Omit<BacklogParts, 'searches'> {
  /** Items in the log of one owner. */
  maxLogged?: number;
  /** Items that may wait for one subscriber; further ones are read from the store. */
  maxWaiting?: number;
  bus: EventBus;
  rechecks: Rechecks;
  /** Subscriptions of one owner. */
  maxPerOwner: number;
  onError: (error: unknown) => void;
}

export type QueueFeed = ReturnType<typeof createQueueFeed>;

export function createQueueFeed(needs: Parts) {
  const { bus, clock, rechecks, maxPerOwner, onError } = needs;
  const searches = createSearches({ ...READ_LIMITS, perOwner: maxPerOwner + 1 });
  const { maxLogged = MAX_LOGGED, maxWaiting = MAX_WAITING } = needs;
  const parts = { ...needs, searches, maxWaiting, rest: createRest() };
  const logs = createFeedLogs(clock, bus, maxLogged);
  const catchingUp = new Map<FeedLog, 'once' | 'again'>();
  let closed = false;

  const unsubscribe = bus.subscribe(onEvent);
  const leaveRechecks = rechecks.add({
    owners: () => logs.of(null).map(({ ownerId }) => ownerId),
    of: (ownerId) => logs.of(ownerId).flatMap(({ subscribers }) => [...subscribers]),
  });
  const cleaning = setInterval(() => logs.clean(), CLEAN_INTERVAL_MS).unref();

  function onEvent(event: BusEvent): void {
    switch (event.kind) {
      case 'task': {
        const log = logs.find(event.task.ownerId);
        const item = log === undefined ? null : itemOf(event);
        if (log !== undefined && item !== null) tell(log, item);
        return;
      }
      case 'reset':
        logs.of(event.ownerId).forEach(catchUpOnce);
        return;
      case 'access':
      case 'work':
        return;
    }
  }

  /** Once more, at most, for all resets that come while it is under way. */
  function catchUpOnce(log: FeedLog): void {
    const state = catchingUp.get(log);
    catchingUp.set(log, state === undefined ? 'once' : 'again');
    if (state !== undefined) return;
    catchUp(log)
      .catch(onError)
      .finally(() => {
        const again = catchingUp.get(log) === 'again';
        catchingUp.delete(log);
        if (again && !closed) catchUpOnce(log);
      })
      .catch(onError);
  }

  /** Tells what events said that were missed. */
  async function catchUp(log: FeedLog): Promise<void> {
    const from = Math.max(log.since, clock.now() - MISSED_MS);
    for (const { taskId } of await readPlaces(parts, log, (place) => place.at >= from)) {
      const task = await parts.tasks.get(log.ownerId, taskId, clock.now());
      if (task !== null && !isSnoozed(task, clock.now()))
        tell(log, { kind: 'message', cursor: cursorOf(task), task });
    }
  }

  return {
    /** Throws RATE_LIMITED when the owner has too many. */
    subscribe(principal: SignedIn, options: SubscribeOptions): Subscription {
      const log = logs.open(principal.ownerId, (opened) => readBefore(parts, opened));
      if (log.subscribers.size >= maxPerOwner)
        throw new QinboxError('RATE_LIMITED', 'Too many live connections are open.', {
          retryAfterSeconds: 60,
        });
      const subscription = openSubscription(parts, log, principal, options);
      if (closed) subscription.close();
      return subscription;
    },

    /** How many subscriptions are open. */
    size: () => logs.of(null).reduce((sum, { subscribers }) => sum + subscribers.size, 0),

    /** Ends all subscriptions. */
    close(): void {
      closed = true;
      unsubscribe();
      leaveRechecks();
      clearInterval(cleaning);
      logs.close();
      for (const { subscribers } of logs.of(null)) for (const each of [...subscribers]) each.end();
    },
  };
}

interface SubscriptionParts extends BacklogParts {
  maxWaiting: number;
  rest: () => Promise<void>;
}

/** Lets others come in between once subscribers have worked for {@link TURN_MS}. */
function createRest(): () => Promise<void> {
  let began = performance.now();
  let resting: Promise<void> | null = null;
  async function rest(): Promise<void> {
    await nextTurn();
    began = performance.now();
    resting = null;
  }
  return async () => {
    if (resting !== null || performance.now() - began >= TURN_MS) await (resting ??= rest());
  };
}

/** Subscribes from now on. */
function openSubscription(
  parts: SubscriptionParts,
  log: FeedLog,
  principal: SignedIn,
  { start, follow, signal }: SubscribeOptions,
): Subscription {
  const waiting = createWaiting(parts.maxWaiting);
  const began = parts.clock.now();
  let last: string | null = null;
  let isReading = true;
  let backlog: Backlog | null = null;
  const close = () => {
    forgetExpiry();
    signal.removeEventListener('abort', close);
    log.subscribers.delete(subscriber);
    log.unusedSince = parts.clock.monotonic();
    waiting.end();
  };
  const subscriber: Subscriber = {
    principal,
    tell(item) {
      if (backlog !== null) waiting.add(item);
    },
    end: close,
    shutOut: close,
  };
  /** From here on, an item is either in the log already or told to the subscriber. */
  const attach = (from: FeedStart, told: readonly FeedItem[]) => {
    isReading = true;
    return (backlog = readBacklog(parts, log, from, told));
  };
  const forgetExpiry = atExpiry(parts.clock, principal, close);
  const before = log.pending.length;
  const attached = log.isReady
    ? Promise.resolve(attach(start, []))
    : log.ready.then(() => attach(start, log.pending.slice(before)));
  // Who asks for the next item is told of it.
  attached.catch(() => {});
  log.subscribers.add(subscriber);
  signal.addEventListener('abort', close);
  if (signal.aborted) close();

  /** After the last item, from the store and the log. */
  function goOn(): void {
    waiting.clear();
    const again: FeedStart = start.kind === 'now' ? { kind: 'time', from: began } : start;
    attach(last === null ? again : { kind: 'after', cursor: last }, []);
  }

  async function next(waitMs: number): Promise<FeedItem | 'idle' | null> {
    await attached;
    for (;;) {
      while (isReading && !waiting.hasEnded()) {
        const { value, done } = (await backlog?.next()) ?? { done: true, value: undefined };
        if (done !== true) return waiting.hasEnded() ? null : value;
        if (value === 'gap') goOn();
        else isReading = false;
      }
      const taken = follow ? await waiting.take(waitMs) : waiting.takeNow();
      if (taken === 'behind') goOn();
      else if (taken !== 'idle' || follow) return taken;
      else close();
    }
  }

  return {
    async next(waitMs) {
      const item = await next(waitMs);
      if (item !== null && item !== 'idle') {
        last = item.cursor;
        await parts.rest();
      }
      return item;
    },
    close,
  };
}
