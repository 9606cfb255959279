// What a subscriber is told before what comes: from the store, in the order of the log as far as that goes.
import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  comparePlaces,
  cursorIn,
  cursorOf,
  idsOfTime,
  placeOf,
  placeOfTask,
  timeOfId,
  type FeedItem,
  type FeedPlace,
  type FeedStart,
} from '#core/domain/feed.ts';
import { isSnoozed } from '#core/domain/snooze.ts';
import type { Task } from '#core/domain/task.ts';
import type { Clock } from '#core/ports/clock.ts';
import type { TaskStore } from '#core/ports/task-store.ts';
import type { FeedLog } from './log.ts';
import type { Searches } from '#core/services/searches.ts';

/** Tasks read at once of a whole queue. */
const PAGE = 200;
/** Tasks read at once for one subscriber, who may take long to read them. */
const OLD_PAGE = 50;

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

/** Until when what is not in the log was told: before the log began, or dropped from it. */
function oldUntil({ since, droppedUntil }: FeedLog): number {
  return Math.max(since - EVENT_DELAY_MS - 1, droppedUntil);
}

/** 'gap': the log dropped entries before they were read. Another backlog has what is after the last item. */
export type Backlog = AsyncGenerator<FeedItem, 'gap' | undefined>;

/**
 * What a subscriber is told before what comes: first what is older than the log, in the order of its places,
 * then what is in the log, in its order. `told`: what was told while the log began. Tasks that are told once
 * more after it was asked for are left out. Reads the store as it goes, a few tasks at a time.
 */
export function readBacklog(
  parts: BacklogParts,
  log: FeedLog,
  start: FeedStart,
  told: readonly FeedItem[],
): Backlog {
  const end = log.nextPlace;
  const oldest = firstPlace(log);
  const everything = { from: oldest, end, isWanted: () => true };

  switch (start.kind) {
    case 'now': {
      const cursors = new Set(told.map(({ cursor }) => cursor));
      const from = cursors.size === 0 ? end : oldest;
      return readItems(parts, log, null, { from, end, isWanted: (cursor) => cursors.has(cursor) });
    }
    case 'latest':
      return readLatest(parts, log);
    case 'all':
      return readItems(parts, log, { isWanted: () => true, fromTime: 0 }, everything);
    case 'time': {
      const isWanted = ({ at }: Pick<FeedPlace, 'at'>) => at >= start.from;
      const logged = {
        from: oldest,
        end,
        isWanted: (cursor: string) => isWanted(placeOf(cursor) ?? { at: 0 }),
      };
      return readItems(parts, log, { isWanted, fromTime: start.from }, logged);
    }
    case 'after': {
      const entry = log.entries.get(start.cursor);
      if (entry !== undefined && !log.backfilled.has(start.cursor))
        return readItems(parts, log, null, { ...everything, from: entry.place + 1 });
      // What was stored before the log began came before all that was told since.
      const isWanted = isAfter(start.cursor, parts.lateMs);
      const logged = {
        from: oldest,
        end,
        isWanted(cursor: string) {
          const place = log.backfilled.has(cursor) ? placeOf(cursor) : null;
          return place === null || isWanted(place);
        },
      };
      const fromTime = (placeOf(start.cursor)?.at ?? 0) - parts.lateMs;
      return readItems(parts, log, { isWanted, fromTime }, logged);
    }
  }
}

function firstPlace({ entries, nextPlace }: FeedLog): number {
  const [[, { place = nextPlace } = {}] = []] = entries;
  return place;
}

/** Which of what is older than the log: nothing before `fromTime`, in milliseconds. */
interface OldPart {
  isWanted: (place: FeedPlace) => boolean;
  fromTime: number;
}

/** Which entries of the log: places from `from`, below `end`. */
interface LoggedPart {
  from: number;
  end: number;
  isWanted: (cursor: string) => boolean;
}

async function* readItems(
  parts: BacklogParts,
  log: FeedLog,
  old: OldPart | null,
  logged: LoggedPart,
): Backlog {
  if (old !== null)
    for await (const task of readOld(parts, log, old))
      yield { kind: 'message', cursor: cursorOf(task), task };

  let expected = logged.from;
  // Entries that are added or dropped meanwhile are met here, too.
  for (const [cursor, entry] of log.entries) {
    if (entry.place >= logged.end) break;
    if (entry.place < expected) continue;
    if (entry.place > expected) return 'gap';
    expected++;
    // Of a task that was told several times, the last time counts.
    const isLast = () => log.latest.get(entry.taskId) === cursor;
    if (!isLast() || !logged.isWanted(cursor)) continue;
    if (entry.kind === 'removed') yield entry;
    else {
      const task = await parts.tasks.get(log.ownerId, entry.taskId, parts.clock.now());
      if (task !== null && !isSnoozed(task, parts.clock.now()) && isLast())
        yield { kind: 'message', cursor, task };
    }
  }
  return expected < logged.end ? 'gap' : undefined;
}

/** Tasks in the order of their places, as long as they are older than the log is now. */
async function* readOld(
  parts: BacklogParts,
  log: FeedLog,
  { isWanted, fromTime }: OldPart,
): AsyncGenerator<Task, void> {
  const { tasks, clock } = parts;
  const { ownerId } = log;
  const until = oldUntil(log);
  if (fromTime > until) return;
  const mayBe = (place: FeedPlace) => place.at <= until && !log.latest.has(place.taskId) && isWanted(place);
  // First reports are in the order of their ids; the others are few.
  const repeated = await readPlaces(parts, log, (place) => place.count > 1 && mayBe(place));
  let next = 0;
  async function* repeatedBefore(end: FeedPlace | null): AsyncGenerator<Task, void> {
    for (; next < repeated.length; next++) {
      const place = repeated[next] as FeedPlace;
      if (end !== null && comparePlaces(place, end) >= 0) return;
      const task = await tasks.get(ownerId, place.taskId, clock.now());
      if (task !== null && !isSnoozed(task, clock.now()) && task.occurrences === place.count) yield task;
    }
  }

  let { after } = idsOfTime(Math.max(0, fromTime));
  for (;;) {
    const part = await tasks.listById({
      ownerId,
      after,
      order: 'ascending',
      limit: OLD_PAGE,
      now: clock.now(),
    });
    for (const task of part) {
      if (timeOfId(task.id) > until) break;
      const place = placeOfTask(task);
      if (place.count > 1 || !mayBe(place)) continue;
      yield* repeatedBefore(place);
      yield task;
    }
    const last = part.at(-1);
    if (last === undefined || timeOfId(last.id) > until) break;
    after = last.id;
  }
  yield* repeatedBefore(null);
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

async function* readLatest({ tasks, clock }: BacklogParts, log: FeedLog): Backlog {
  const { latest, nextPlace, ownerId } = log;
  const newest = await tasks.listById({ ownerId, order: 'descending', limit: 1, now: clock.now() });
  for (const task of newest) {
    const entry = log.entries.get(latest.get(task.id) ?? '');
    if (entry === undefined || entry.place < nextPlace)
      yield { kind: 'message', cursor: cursorOf(task), task };
  }
  return undefined;
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
      places.push(...part.map(placeOfTask).filter(isWanted));
      after = last.id;
      // The store may answer at once: other callers come in between.
      await nextTurn();
    }
  });
}
