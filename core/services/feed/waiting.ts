// What waits for one subscriber of a feed. Once it is full, what comes is left out, and read from the store
// after the rest was taken.
import type { FeedItem } from '#core/domain/feed.ts';

/** The next item: 'idle' when none came in time, 'behind' when items were left out here, null at the end. */
type Taken = FeedItem | 'idle' | 'behind' | null;

export function createWaiting(maxItems: number) {
  let items: FeedItem[] = [];
  let next = 0;
  let isBehind = false;
  let ended = false;
  let wake: (() => void) | null = null;

  /** 'idle' when there is none. */
  function takeNow(): Taken {
    if (ended) return null;
    const item = items[next++];
    if (item !== undefined) return item;
    items = [];
    next = 0;
    if (!isBehind) return 'idle';
    isBehind = false;
    return 'behind';
  }

  return {
    hasEnded: () => ended,
    add(item: FeedItem): void {
      if (ended) return;
      isBehind ||= items.length - next >= maxItems;
      if (!isBehind) items.push(item);
      wake?.();
    },
    /** Leaves out all that waits. */
    clear(): void {
      items = [];
      next = 0;
      isBehind = false;
    },
    end(): void {
      ended = true;
      items = [];
      wake?.();
    },
    takeNow,
    async take(waitMs: number): Promise<Taken> {
      const taken = takeNow();
      if (taken !== 'idle') return taken;
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, waitMs);
        wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
      wake = null;
      return takeNow();
    },
  };
}
