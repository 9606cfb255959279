// What waits for one subscriber of a feed.
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { FeedItem } from '../domain/feed.ts';

/** Items that may wait; a subscriber with more comes back and reads them from the store. */
const MAX_WAITING = 10_000;
/** Items taken without a break. */
const TURN = 64;

export function createWaiting() {
  let items: FeedItem[] = [];
  let next = 0;
  let ended = false;
  let wake: (() => void) | null = null;

  function take(): FeedItem | undefined {
    const item = items[next++];
    if (item === undefined) {
      items = [];
      next = 0;
    }
    return item;
  }
  function end(): void {
    ended = true;
    items = [];
    wake?.();
  }

  return {
    hasEnded: () => ended,
    add(item: FeedItem): void {
      if (ended) return;
      items.push(item);
      if (items.length - next > MAX_WAITING) end();
      wake?.();
    },
    end,
    /** The next item if there is one. */
    takeNow: (): FeedItem | null => take() ?? null,
    /** The next item; 'idle' when none came in time, null at the end. */
    async take(waitMs: number): Promise<FeedItem | 'idle' | null> {
      // Others come in between where many wait.
      if (next % TURN === TURN - 1) await nextTurn();
      const waiting = take();
      if (ended) return null;
      if (waiting !== undefined) return waiting;
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, waitMs);
        wake = () => {
          clearTimeout(timer);
          wake = null;
          resolve();
        };
      });
      wake = null;
      return ended ? null : (take() ?? 'idle');
    },
  };
}
