// Gives the focus to the row that the keys go to.
import { useEffect, type RefObject } from 'react';
import { focused } from '../../../ui/focus-return.ts';

/** The latest that a row has followed. */
let followed = 0;

/**
 * A new request is followed. A row that comes in the place of another, or comes back, has one that was
 * followed already: it takes only what nothing else has, since the focus may be in a field by then.
 */
export function useFocusRequest(row: RefObject<HTMLElement | null>, request: number): void {
  useEffect(() => {
    if (request === 0) return;
    if (request !== followed || focused() === null) row.current?.focus({ preventScroll: true });
    followed = request;
  }, [row, request]);
}
