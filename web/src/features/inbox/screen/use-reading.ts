// Whether new rows would disturb: the page is scrolled, or the mouse has just moved over the list.
import { useCallback, useEffect, useRef, useState, type PointerEvent } from 'react';
import { listen } from '../../../lib/listen.ts';

const SCROLLED_PX = 24;
const LOOK_EVERY_MS = 150;
/** A mouse that rests this long is not about to click. */
const MOUSE_RESTS_MS = 1500;

export function useReading() {
  const [scrolled, setScrolled] = useState(false);
  const [mouseMoves, setMouseMoves] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);

  useEffect(() => {
    let position = 0;
    let looking: ReturnType<typeof setTimeout> | undefined;
    function look() {
      looking = undefined;
      position = window.scrollY;
      setScrolled(position > SCROLLED_PX);
    }
    // To ask for the position lays the page out: while it is scrolled on and on, now and then is enough.
    function onScroll() {
      if (position <= SCROLLED_PX) look();
      else looking ??= setTimeout(look, LOOK_EVERY_MS);
    }
    look();
    const stop = listen(window, { scroll: onScroll }, { passive: true });
    return () => {
      stop();
      clearTimeout(looking);
      clearTimeout(timer.current);
    };
  }, []);

  const onPointerMove = useCallback((event: PointerEvent) => {
    if (event.pointerType === 'touch') return;
    setMouseMoves(true);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => setMouseMoves(false), MOUSE_RESTS_MS);
  }, []);
  const onPointerLeave = useCallback(() => {
    clearTimeout(timer.current);
    setMouseMoves(false);
  }, []);

  // The handlers are for the element around the list.
  return { disturbed: scrolled || mouseMoves, handlers: { onPointerMove, onPointerLeave } };
}
