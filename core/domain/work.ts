// Work that is due outside Qinbox: stored in the same atomic write as the change that causes it, done once
// it is due. Work of one lane is done by one process at a time; of one key in a lane, in its order. Which
// processes died in between does not matter: it is done at least once, under the same id.

/** How it stands with work. */
export type WorkStatus = 'waiting' | 'done' | 'failed';

/** Work as it is stored. Times are milliseconds since the epoch, UTC. */
export interface Work {
  /** Unique in its lane: adding the same work twice adds it once. */
  readonly id: string;
  /** Who does it: the name of a part of the program. */
  readonly kind: string;
  readonly ownerId: string;
  /** What it goes to, for example a webhook. */
  readonly lane: string;
  /** Work with the same key in a lane is done in the order of `sequence`. */
  readonly key: string;
  readonly sequence: number;
  readonly createdAt: number;
  /** Not before then; null when it is over, or {@link BEHIND}. */
  readonly dueAt: number | null;
  readonly status: WorkStatus;
  /** How often it was tried. */
  readonly attempts: number;
  readonly lastAttemptAt: number | null;
  /** When it was done, or given up. */
  readonly endedAt: number | null;
  /** What is to be done, as JSON. */
  readonly payload: string;
  /** What came of the last attempt, as JSON; null before the first. */
  readonly result: string | null;
}

/** Work to be added. */
export interface NewWork extends Work {
  /** Makes waiting work of this id, that was not tried yet, due at this time if that is sooner; adds none. */
  readonly sooner?: true;
}

/** `dueAt` of work that waits for earlier work with its key. */
export const BEHIND = Date.UTC(9999, 0);

/** New work, due at `at`. */
export function newWork(
  about: Pick<Work, 'id' | 'kind' | 'ownerId' | 'lane' | 'key' | 'sequence' | 'payload'>,
  at: number,
): Work {
  return {
    ...about,
    createdAt: at,
    dueAt: at,
    status: 'waiting',
    attempts: 0,
    lastAttemptAt: null,
    endedAt: null,
    result: null,
  };
}

/** What waits in a lane. */
export interface Waiting {
  readonly count: number;
  /** Of the payloads, in UTF-8. */
  readonly bytes: number;
}

/** More than that waits in no lane for long: its work is given up, or ends the rest of the lane. */
export const MOST_WAITING: Waiting = { count: 200_000, bytes: 256 * 1024 * 1024 };

/**
 * Of work that is over from the beginning (the lines of a digest), the latest of a lane that stay; some more
 * do for a while. Nobody reads more, and tasks may expire by the thousand.
 */
export const MOST_OVER = 1000;
/** They are looked at after so many, and removed by twice as many, so that what was left goes, too. */
export const OVER_AT_ONCE = 250;

export function isTooMuch({ count, bytes }: Waiting): boolean {
  return count > MOST_WAITING.count || bytes > MOST_WAITING.bytes;
}

/** What changes by an attempt, or when it is given up. */
export type WorkProgress = Pick<
  Work,
  'dueAt' | 'status' | 'attempts' | 'lastAttemptAt' | 'endedAt' | 'result'
>;

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

/** How long after each attempt the next one follows, before jitter; the last one for all after it. */
const RETRY_MS = [
  5 * SECOND_MS,
  30 * SECOND_MS,
  2 * MINUTE_MS,
  10 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  5 * HOUR_MS,
  10 * HOUR_MS,
];
/** How long work is tried: a little more than three days. */
export const RETRIED_FOR_MS = 75 * HOUR_MS;
/** The least part of a delay: the rest is by chance, so that what failed together comes back apart. */
const LEAST_PART = 0.8;

/**
 * When work that has failed at `now`, with this attempt, is tried again; null when it is given up. Never
 * before `notBefore`, and one last time at the end of the time in which it is tried. `random` is 0 to 1.
 */
export function nextAttempt(
  { attempts, createdAt }: Pick<Work, 'attempts' | 'createdAt'>,
  { now, notBefore = 0, random }: { now: number; notBefore?: number; random: number },
): number | null {
  const end = createdAt + RETRIED_FOR_MS;
  if (now >= end) return null;
  const delay = RETRY_MS[Math.min(Math.max(attempts, 1), RETRY_MS.length) - 1] ?? HOUR_MS;
  const wanted = now + delay * (LEAST_PART + (1 - LEAST_PART) * random);
  return Math.round(Math.min(Math.max(wanted, notBefore), end));
}

/** Failures in a row after which a whole lane rests. */
const FAILURES_TO_REST = 6;
const LONGEST_REST_MS = 5 * MINUTE_MS;
/**
 * More than any rest: what a receiver asks for is kept to for a day. A lane that seems to rest for longer was
 * left while the clock was ahead, and is at rest no more.
 */
export const NO_REST_IS_SO_LONG_MS = 25 * HOUR_MS;

/**
 * Until when a lane rests in which so many attempts in a row have failed: then one is tried. Null while it
 * goes on.
 */
export function restUntil(failures: number, now: number, random: number): number | null {
  if (failures < FAILURES_TO_REST) return null;
  const delay = Math.min(10 * SECOND_MS * 2 ** (failures - FAILURES_TO_REST), LONGEST_REST_MS);
  return Math.round(now + delay * (LEAST_PART + (1 - LEAST_PART) * random));
}

/** Attempts of one lane at once, at the most. */
const MOST_AT_ONCE = 16;
/** One that takes longer is slow: its lane gets few places. */
const SLOW_MS = 2000;
const AT_ONCE_WHEN_SLOW = 2;

/**
 * How many attempts a lane may have at once after one that took `ms`: twice as many after each that was
 * quick, one after a failure. So a receiver that hangs, or is slow, takes few of the places that all share.
 */
export function placesAfter(places: number, { ok, ms }: { ok: boolean; ms: number }): number {
  if (!ok) return 1;
  return ms > SLOW_MS ? AT_ONCE_WHEN_SLOW : Math.min(places * 2, MOST_AT_ONCE);
}

/** The most that waits beside one record, until it is moved to its lanes. */
const MAX_OUTBOX = 50;

/**
 * The work beside a record with more. Beyond 50 the latest takes the place of the one before it in its lane,
 * so that a record that changes without end, while nobody moves its work on, does not grow without end.
 */
export function withMoreWork(before: readonly NewWork[], more: readonly NewWork[]): NewWork[] {
  const all = [...before];
  for (const work of more) {
    const last = all.findLastIndex(({ lane }) => lane === work.lane);
    // The first of a lane tells that there is a task at all.
    const first = all.findIndex(({ lane }) => lane === work.lane);
    if (all.length >= MAX_OUTBOX && last > first) all.splice(last, 1);
    all.push(work);
  }
  return all;
}
