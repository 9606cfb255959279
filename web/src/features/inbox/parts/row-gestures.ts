// Gestures on rows: a swipe to the right acknowledges, to the left pins; a click with Shift selects a range,
// with Ctrl or ⌘ one more. One set of listeners serves all rows.
import { listen } from '../../../lib/listen.ts';

export interface RowGestures {
  swipeRight: (id: string) => void;
  swipeLeft: (id: string) => void;
  toggle: (id: string) => void;
  extendTo: (id: string) => void;
  /** It, or something in it, has got the focus. */
  focused: (id: string) => void;
}

const DECIDE_PX = 10;
const ACT_PX = 88;

interface Swipe {
  row: HTMLElement;
  x: number;
  y: number;
  swiping: boolean;
}

/** Listens on the list until the returned function is called. */
export function listenToRows(list: HTMLElement, gestures: RowGestures): () => void {
  let swipe: Swipe | null = null;

  function onDown(event: PointerEvent) {
    const row = rowOf(event);
    if (event.pointerType === 'touch' && row !== null)
      swipe = { row, x: event.clientX, y: event.clientY, swiping: false };
  }
  function onMove(event: PointerEvent) {
    if (swipe === null) return;
    const distance = event.clientX - swipe.x;
    if (!swipe.swiping) {
      if (Math.abs(event.clientY - swipe.y) > DECIDE_PX) swipe = null;
      else if (Math.abs(distance) > DECIDE_PX) {
        swipe.swiping = true;
        swipe.row.setPointerCapture(event.pointerId);
      }
    }
    if (swipe?.swiping === true) follow(swipe.row, distance);
  }
  function onUp(event: PointerEvent) {
    const done = swipe;
    swipe = null;
    if (done === null || !done.swiping) return;
    follow(done.row, null);
    const distance = event.clientX - done.x;
    const id = done.row.dataset.task ?? '';
    if (distance >= ACT_PX) gestures.swipeRight(id);
    else if (distance <= -ACT_PX) gestures.swipeLeft(id);
  }
  function onCancel() {
    if (swipe !== null) follow(swipe.row, null);
    swipe = null;
  }
  function onClick(event: MouseEvent) {
    const id = rowOf(event)?.dataset.task;
    if (id === undefined || onControl(event)) return;
    if (event.shiftKey) gestures.extendTo(id);
    else if (event.ctrlKey || event.metaKey) gestures.toggle(id);
  }
  // Or the browser would select the text in between.
  function onMouseDown(event: MouseEvent) {
    if (event.shiftKey && !onControl(event)) event.preventDefault();
  }
  function onFocus(event: Event) {
    const id = rowOf(event)?.dataset.task;
    if (id !== undefined) gestures.focused(id);
  }

  return listen(list, {
    pointerdown: onDown,
    pointermove: onMove,
    pointerup: onUp,
    pointercancel: onCancel,
    focusin: onFocus,
    click: onClick,
    mousedown: onMouseDown,
  });
}

function rowOf(event: Event): HTMLElement | null {
  return event.target instanceof Element ? event.target.closest<HTMLElement>('article[data-task]') : null;
}

function onControl(event: Event): boolean {
  return event.target instanceof Element && event.target.closest('a, button, input') !== null;
}

// Moves the front of the row with the finger and shows the action behind it; null lets it glide back.
function follow(row: HTMLElement, distance: number | null): void {
  const face = row.querySelector<HTMLElement>('[data-face]');
  if (face === null) return;
  face.style.transition = distance === null ? 'transform 150ms ease-out' : 'none';
  face.style.transform = distance === null ? '' : `translateX(${distance}px)`;
  if (distance === null) delete row.dataset.swipe;
  else row.dataset.swipe = distance > 0 ? 'right' : 'left';
  row.toggleAttribute('data-armed', distance !== null && Math.abs(distance) >= ACT_PX);
}
