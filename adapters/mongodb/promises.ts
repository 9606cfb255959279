// Optimistic retries, waiting for several writes, a mutex by key, groups, and reads that are shared.
import { setTimeout as delay } from 'node:timers/promises';

/** The answer of an attempt that lost to a concurrent write. */
export const RETRY = Symbol('retry');

/** Repeats an attempt until it answers something else than {@link RETRY}, or the call's deadline ends it. */
export async function retry<R>(attempt: () => Promise<R | typeof RETRY>): Promise<R> {
  for (let round = 0; ; round++) {
    const answer = await attempt();
    if (answer !== RETRY) return answer;
    await delay(Math.random() * Math.min(round, 25));
  }
}

/** As `Promise.all`, but rejects only after all have ended, so that nothing is written after the answer. */
export async function waitForAll<R>(promises: readonly Promise<R>[]): Promise<R[]> {
  await Promise.allSettled(promises);
  return Promise.all(promises);
}

/**
 * Runs the work on one key in order within this process, so that its optimistic writers do not retry against
 * each other. Correctness does not depend on it.
 */
export function createKeyedMutex(): <T>(key: string, work: () => Promise<T>) => Promise<T> {
  const last = new Map<string, Promise<unknown>>();
  return async (key, work) => {
    const before = last.get(key);
    const mine = before === undefined ? work() : before.then(work, work);
    last.set(key, mine);
    try {
      return await mine;
    } finally {
      if (last.get(key) === mine) last.delete(key);
    }
  };
}

/**
 * Shares a read of one key between callers that come while another one is under way: it begins after that one
 * and so after all of them, at the latest of their times. Each is answered as if it had asked alone then.
 */
export function createSharedRead<R>(
  read: (key: string, now: number) => Promise<R>,
): (key: string, now: number) => Promise<R> {
  interface Next {
    now: number;
    answer: Promise<R>;
  }
  const underWay = new Map<string, { ended: Promise<unknown>; next: Next | null }>();

  function begin(key: string, now: number): Promise<R> {
    const answer = read(key, now);
    const ended = answer.catch(() => {});
    const mine: { ended: Promise<unknown>; next: Next | null } = { ended, next: null };
    underWay.set(key, mine);
    void ended.then(() => mine.next === null && underWay.delete(key));
    return answer;
  }

  return (key, now) => {
    const current = underWay.get(key);
    if (current === undefined) return begin(key, now);
    if (current.next === null) {
      const next: Next = { now, answer: current.ended.then(() => begin(key, next.now)) };
      current.next = next;
    } else current.next.now = Math.max(current.next.now, now);
    return current.next.answer;
  };
}

/**
 * Collects what comes while `work` is busy, at most `most` of it, into one call of it. Each caller waits for
 * the call that had its item, and gets its error.
 */
export function createGroups<T>(
  most: number,
  work: (items: readonly T[]) => Promise<void>,
): (item: T) => Promise<void> {
  let waiting: { item: T; resolve: () => void; reject: (error: unknown) => void }[] = [];
  let isBusy = false;

  async function empty(): Promise<void> {
    while (waiting.length > 0) {
      const group = waiting.slice(0, most);
      waiting = waiting.slice(most);
      try {
        await work(group.map(({ item }) => item));
        for (const { resolve } of group) resolve();
      } catch (error) {
        for (const { reject } of group) reject(error);
      }
    }
    isBusy = false;
  }

  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      if (isBusy) return;
      isBusy = true;
      void empty();
    });
}
