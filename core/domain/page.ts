// How much of a list goes into one answer, by the bytes that its items take.
import { MAX_TASKS_BYTES } from '../contract/index.ts';

/** An answer that is being filled, in order. */
export interface ByteBudget {
  /** Whether the next item goes in; the first always does. Once one does not, none after it does. */
  takes(bytes: number): boolean;
  /** Whether an item was left out. */
  isFull(): boolean;
}

export function createByteBudget(maxBytes = MAX_TASKS_BYTES): ByteBudget {
  let taken = 0;
  let isEmpty = true;
  let isFull = false;
  return {
    takes(bytes) {
      isFull ||= !isEmpty && taken + bytes > maxBytes;
      if (isFull) return false;
      isEmpty = false;
      taken += bytes;
      return true;
    },
    isFull: () => isFull,
  };
}

/** The first items, as many as fit. */
export function takeWithinBytes<T>(items: readonly T[], bytesOf: (item: T) => number): T[] {
  const filling = createByteBudget();
  const end = items.findIndex((item) => !filling.takes(bytesOf(item)));
  return end === -1 ? [...items] : items.slice(0, end);
}
