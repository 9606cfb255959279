// Swiping a row with a finger: right acknowledges, left pins. The page still scrolls up and down.
import { useRef, type PointerEvent, type RefObject } from 'react';

const DECIDE_PX = 10;
const ACT_PX = 88;

interface SwipeOptions {
  onRight: () => void;
  onLeft: () => void;
}

/** Handlers for the row, and a ref for the part of it that follows the finger. */
export function useSwipe({ onRight, onLeft }: SwipeOptions): {
  moving: RefObject<HTMLDivElement | null>;
  handlers: {
    onPointerDown: (event: PointerEvent) => void;
    onPointerMove: (event: PointerEvent) => void;
    onPointerUp: (event: PointerEvent) => void;
    onPointerCancel: () => void;
  };
} {
  const moving = useRef<HTMLDivElement>(null);
  const start = useRef<{ x: number; y: number; swiping: boolean } | null>(null);

  function follow(distance: number | null) {
    const node = moving.current;
    if (node === null) return;
    node.style.transition = distance === null ? 'transform 150ms ease-out' : 'none';
    node.style.transform = distance === null ? '' : `translateX(${distance}px)`;
    const row = node.parentElement;
    if (row === null) return;
    if (distance === null) delete row.dataset.swipe;
    else row.dataset.swipe = distance > 0 ? 'right' : 'left';
    row.toggleAttribute('data-armed', distance !== null && Math.abs(distance) >= ACT_PX);
  }

  return {
    moving,
    handlers: {
      onPointerDown: (event) => {
        if (event.pointerType === 'touch')
          start.current = { x: event.clientX, y: event.clientY, swiping: false };
      },
      onPointerMove: (event) => {
        const from = start.current;
        if (from === null) return;
        const distance = event.clientX - from.x;
        if (!from.swiping) {
          if (Math.abs(event.clientY - from.y) > DECIDE_PX) start.current = null;
          else if (Math.abs(distance) > DECIDE_PX) {
            from.swiping = true;
            event.currentTarget.setPointerCapture(event.pointerId);
          }
        }
        if (from.swiping) follow(distance);
      },
      onPointerUp: (event) => {
        const from = start.current;
        start.current = null;
        if (from === null || !from.swiping) return;
        follow(null);
        const distance = event.clientX - from.x;
        if (distance >= ACT_PX) onRight();
        else if (distance <= -ACT_PX) onLeft();
      },
      onPointerCancel: () => {
        start.current = null;
        follow(null);
      },
    },
  };
}
