// What a subscriber is told before what comes: from the store, in the order of the log as far as that goes.
import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  comparePlaces,
  cursorIn,
  cursorOf,
  placeOf,
  type FeedItem,
  type FeedPlace,
  type FeedStart,
} from '../domain/feed.ts';
import type { Task } from '../domain/task.ts';
import type { Clock } from '../ports/clock.ts';
import type { TaskStore } from '../ports/task-store.ts';
import type { FeedLog, LogEntry } from './feed-log.ts';
import type { Searches } from './searches.ts';

/** Tasks read at once. */
const PAGE = 200;
const LOOKUPS = 50;

/** How long after a task was taken in its event may come. */
const EVENT_DELAY_MS = 10_000;

export interface BacklogParts {
  tasks: Pick<TaskStore, 'get' | 'listById'>;
  clock: Clock;
  /** Bounds those who read whole queues. */
  searches: Searches;
  /**
   * How much later than its id a task may be stored, in milliseconds: with several processes and a queue,
   * tasks do not become visible in the order of their ids.
   */
  lateMs: number;
}

/** What was stored before a log began, or is on its way to it, so that it has a place in the log. */
export function readBefore(parts: BacklogParts, log: FeedLog): Promise<FeedPlace[]> {
  return readPlaces(parts, log, ({ at }) => at >= log.since - EVENT_DELAY_MS);
}

/** Whether it was told before what is in the log: its event came before the log began, or was dropped. */
function isOld({ since, droppedUntil }: FeedLog, at: number): boolean {
  return at < since - EVENT_DELAY_MS || at <= droppedUntil;
}

/**
 * What a subscriber is told before what comes: first what is older than the log, in the order of its places,
 * then what is in the log, in its order. `told`: what was told while the log began. `omitted` has tasks that
 * are told otherwise. Reads the store once asked.
 */
export function readBacklog(
  parts: BacklogParts,
  log: FeedLog,
  start: FeedStart,
  told: readonly FeedItem[],
  omitted: ReadonlySet<string>,
): AsyncGenerator<FeedItem, void> {
  const entries = [...log.entries];
  const isLogged = new Set(entries.map(([, { taskId }]) => taskId));
  const old = (isWanted: (place: FeedPlace) => boolean) => () =>
    readPlaces(parts, log, (place) => isOld(log, place.at) && !isLogged.has(place.taskId) && isWanted(place));
  const nothing = () => Promise.resolve([]);
  const read = (places: () => Promise<FeedPlace[]>, logged: readonly LoggedEntry[]) =>
    readItems(parts, log.ownerId, places, logged, omitted);

  switch (start.kind) {
    case 'now': {
      const cursors = new Set(told.map(({ cursor }) => cursor));
      const logged = cursors.size === 0 ? [] : entries.filter(([cursor]) => cursors.has(cursor));
      return read(nothing, logged);
    }
    case 'latest':
      return read(() => readLatest(parts, log.ownerId), []);
    case 'all':
      return read(
        old(() => true),
        entries,
      );
    case 'time': {
      const isWanted = ({ at }: Pick<FeedPlace, 'at'>) => at >= start.from;
      const logged = entries.filter(([cursor]) => isWanted(placeOf(cursor) ?? { at: 0 }));
      return read(old(isWanted), logged);
    }
    case 'after': {
      const index = entries.findIndex(([cursor]) => cursor === start.cursor);
      if (index !== -1 && !log.backfilled.has(start.cursor)) return read(nothing, entries.slice(index + 1));
      // What was stored before the log began came before all that was told since.
      const isWanted = isAfter(start.cursor, parts.lateMs);
      const logged = entries.filter(([cursor]) => {
        const place = log.backfilled.has(cursor) ? placeOf(cursor) : null;
        return place === null || isWanted(place);
      });
      return read(old(isWanted), logged);
    }
  }
}

type LoggedEntry = readonly [cursor: string, item: LogEntry];

async function* readItems(
  { tasks, clock }: BacklogParts,
  ownerId: string,
  readOld: () => Promise<FeedPlace[]>,
  logged: readonly LoggedEntry[],
  omitted: ReadonlySet<string>,
): AsyncGenerator<FeedItem, void> {
  const find = (ids: readonly string[]) => Promise.all(ids.map((id) => tasks.get(ownerId, id, clock.now())));

  for (const part of partsOf(await readOld())) {
    for (const task of await find(part.map(({ taskId }) => taskId)))
      if (task !== null && !omitted.has(task.id)) yield { kind: 'message', cursor: cursorOf(task), task };
  }

  // Of a task that was told several times, the last time counts.
  const last = new Map(logged.map(([cursor, { taskId }]) => [taskId, cursor]));
  const wanted = logged.filter(([cursor, { taskId }]) => last.get(taskId) === cursor);
  for (const part of partsOf(wanted)) {
    const found = await find(part.map(([, { taskId }]) => taskId));
    for (const [index, [cursor, entry]] of part.entries()) {
      const task = found[index] ?? null;
      if (omitted.has(entry.taskId)) continue;
      if (entry.kind === 'removed') yield entry;
      else if (task !== null) yield { kind: 'message', cursor, task };
    }
  }
}

function* partsOf<T>(items: readonly T[]): Generator<readonly T[]> {
  for (let from = 0; from < items.length; from += LOOKUPS) yield items.slice(from, from + LOOKUPS);
}

/** Whether a place may come after a cursor that is not in the log: rather told twice than never. */
function isAfter(cursor: string, lateMs: number): (place: FeedPlace) => boolean {
  const last = placeOf(cursor);
  if (last === null) return () => true;
  return (place) => {
    if (cursorIn(place) === cursor) return false;
    // The order within a millisecond is known of first reports alone.
    const isLater = place.count > 1 ? place.at >= last.at : comparePlaces(place, last) > 0;
    return isLater || (lateMs > 0 && place.at >= last.at - lateMs && place.taskId !== last.taskId);
  };
}

async function readLatest({ tasks, clock }: BacklogParts, ownerId: string): Promise<FeedPlace[]> {
  const newest = await tasks.listById({ ownerId, order: 'descending', limit: 1, now: clock.now() });
  return newest.map(toPlace);
}

/** The places of a queue's tasks, in their order. Waits for its turn among those who read whole queues. */
export function readPlaces(
  { tasks, clock, searches }: BacklogParts,
  { ownerId }: FeedLog,
  isWanted: (place: FeedPlace) => boolean,
): Promise<FeedPlace[]> {
  return searches.run(ownerId, async (signal) => {
    const places: FeedPlace[] = [];
    let after = '';
    for (;;) {
      signal.throwIfAborted();
      const part = await tasks.listById({
        ownerId,
        after,
        order: 'ascending',
        limit: PAGE,
        now: clock.now(),
      });
      const last = part.at(-1);
      if (last === undefined) return places.toSorted(comparePlaces);
      places.push(...part.map(toPlace).filter(isWanted));
      after = last.id;
      // The store may answer at once: other callers come in between.
      await nextTurn();
    }
  });
}

function toPlace({ id, lastOccurredAt, occurrences }: Task): FeedPlace {
  return { taskId: id, at: lastOccurredAt, count: occurrences };
}
