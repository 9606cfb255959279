// Whether new rows would disturb: the page is scrolled, or the mouse has just moved over the list.
import { useCallback, useEffect, useRef, useState, type PointerEvent } from 'react';

const SCROLLED_PX = 24;
/** A mouse that rests this long is not about to click. */
const MOUSE_RESTS_MS = 1500;

export interface Reading {
  disturbed: boolean;
  /** For the element around the list. */
  handlers: {
    onPointerMove: (event: PointerEvent) => void;
    onPointerLeave: () => void;
  };
}

export function useReading(): Reading {
  const [scrolled, setScrolled] = useState(false);
  const [mouseMoves, setMouseMoves] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);

  useEffect(() => {
    const onScroll = () => setScrolled(window.scrollY > SCROLLED_PX);
    onScroll();
    window.addEventListener('scroll', onScroll, { passive: true });
    return () => {
      window.removeEventListener('scroll', onScroll);
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

  return { disturbed: scrolled || mouseMoves, handlers: { onPointerMove, onPointerLeave } };
}
