// What was told of the queues that somebody subscribes to, in the order in which it was told.
import {
  cursorIn,
  cursorOf,
  placeOf,
  removedCursor,
  restoredCursor,
  type FeedItem,
  type FeedPlace,
} from '#core/domain/feed.ts';
import { isSnoozed } from '#core/domain/snooze.ts';
import type { Task } from '#core/domain/task.ts';
import type { Clock } from '#core/ports/clock.ts';
import type { BusEvent, EventBus, OwnerWatch } from '#core/ports/event-bus.ts';
import type { Admitted } from '#core/services/rechecks.ts';

/** How long a log lasts once nobody subscribes. */
const LOGGED_MS = 60 * 60_000;

/** What was told: a message without its task, whose store may have a later version. */
export type Told = { kind: 'message'; taskId: string } | Extract<FeedItem, { kind: 'removed' }>;

/** `place`: counted from 0 in each log. */
export type LogEntry = Told & { place: number };

/** What was told of one owner's queue. */
export interface FeedLog {
  ownerId: string;
  /** Lets the events of other processes come. */
  watch: OwnerWatch;
  /** In milliseconds. */
  since: number;
  /** In the order in which it was told, by cursor. It begins with what was stored shortly before. */
  entries: Map<string, LogEntry>;
  maxEntries: number;
  /** The cursor of the last entry about each task. */
  latest: Map<string, string>;
  /** The place of the next entry. */
  nextPlace: number;
  /** The latest time of an entry that is no longer in it, in milliseconds. */
  droppedUntil: number;
  /** Cursors of those that were stored before. */
  backfilled: Set<string>;
  /** What was told while those were being read. */
  pending: FeedItem[];
  isReady: boolean;
  ready: Promise<void>;
  subscribers: Set<Subscriber>;
  /** By the monotonic clock; when the last subscriber left. */
  unusedSince: number;
}

export interface Subscriber extends Admitted {
  tell(item: FeedItem): void;
  end(): void;
}

/** The logs, by owner. */
export function createFeedLogs(clock: Clock, bus: Pick<EventBus, 'watch'>, maxEntries: number) {
  const logs = new Map<string, FeedLog>();

  function drop(log: FeedLog): void {
    log.watch.end();
    logs.delete(log.ownerId);
  }

  return {
    find: (ownerId: string): FeedLog | undefined => logs.get(ownerId),
    /** That of one owner, or all. */
    of(ownerId: string | null): FeedLog[] {
      if (ownerId === null) return [...logs.values()];
      const log = logs.get(ownerId);
      return log === undefined ? [] : [log];
    },
    /** That of an owner, begun now if there was none. `readBefore` has what was stored shortly before. */
    open(ownerId: string, readBefore: (log: FeedLog) => Promise<readonly FeedPlace[]>): FeedLog {
      const known = logs.get(ownerId);
      if (known !== undefined) return known;
      const log: FeedLog = {
        ownerId,
        watch: bus.watch(ownerId),
        since: clock.now(),
        entries: new Map(),
        maxEntries,
        latest: new Map(),
        nextPlace: 0,
        droppedUntil: -Infinity,
        backfilled: new Set(),
        pending: [],
        isReady: false,
        ready: Promise.resolve(),
        subscribers: new Set(),
        unusedSince: clock.monotonic(),
      };
      logs.set(ownerId, log);
      // What is stored before events come is read after they do.
      log.ready = log.watch.ready
        .then(() => readBefore(log))
        .then(
          (places) => begin(log, places),
          (fault: unknown) => {
            drop(log);
            throw fault;
          },
        );
      return log;
    },
    /** Removes those that nobody has used for an hour. */
    clean(): void {
      for (const log of logs.values())
        if (log.subscribers.size === 0 && clock.monotonic() - log.unusedSince > LOGGED_MS) drop(log);
    },
    /** Lets no more events come. */
    close(): void {
      for (const log of logs.values()) log.watch.end();
    },
  };
}

/** Null for a change of a task that neither came nor left. What is told again is left out by {@link tell}. */
export function itemOf({ type, task }: Extract<BusEvent, { kind: 'task' }>): FeedItem | null {
  switch (type) {
    case 'task.created':
      return { kind: 'message', cursor: cursorOf(task), task };
    case 'task.restored':
      return { kind: 'message', cursor: restoredCursor(task), task };
    case 'task.updated': {
      if (isSnoozed(task, task.updatedAt)) return removed(task, task.updatedAt);
      const isReport = task.occurrences > 1 && task.lastOccurredAt === task.updatedAt;
      return isReport ? { kind: 'message', cursor: cursorOf(task), task } : null;
    }
    case 'task.acknowledged':
    case 'task.expired': {
      const at = type === 'task.expired' ? task.expiresAt : (task.acknowledgedAt ?? task.updatedAt);
      return removed(task, at);
    }
  }
}

function begin(log: FeedLog, before: readonly FeedPlace[]): void {
  for (const place of before) {
    const cursor = cursorIn(place);
    log.backfilled.add(cursor);
    add(log, cursor, { kind: 'message', taskId: place.taskId });
  }
  log.isReady = true;
  for (const item of log.pending) tell(log, item);
}

function removed(task: Task, at: number): FeedItem {
  return { kind: 'removed', cursor: removedCursor(task, at), taskId: task.id, at };
}

/** Each item once, and not that a task left that had left before. */
export function tell(log: FeedLog, item: FeedItem): void {
  if (!log.isReady) return void log.pending.push(item);
  if (log.entries.has(item.cursor)) return;
  if (item.kind === 'removed' && log.entries.get(log.latest.get(item.taskId) ?? '')?.kind === 'removed')
    return;
  add(log, item.cursor, item.kind === 'message' ? { kind: 'message', taskId: item.task.id } : item);
  for (const subscriber of log.subscribers) subscriber.tell(item);
}

function add(log: FeedLog, cursor: string, told: Told): void {
  log.entries.set(cursor, { ...told, place: log.nextPlace++ });
  log.latest.set(told.taskId, cursor);
  if (log.entries.size <= log.maxEntries) return;
  const [[oldest = '', { taskId = '' } = {}] = []] = log.entries;
  log.entries.delete(oldest);
  log.backfilled.delete(oldest);
  if (log.latest.get(taskId) === oldest) log.latest.delete(taskId);
  log.droppedUntil = Math.max(log.droppedUntil, placeOf(oldest)?.at ?? 0);
}
