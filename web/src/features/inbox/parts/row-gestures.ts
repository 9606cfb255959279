// Gestures on rows: a click or tap opens; a swipe to the right acknowledges, to the left pins; a long press
// selects, and a tap does while others are selected; a click with Shift selects a range, with Ctrl or ⌘ one
// more. One set of listeners serves all rows.
import { listen } from '../../../lib/listen.ts';

export interface RowGestures {
  swipeRight: (id: string) => void;
  swipeLeft: (id: string) => void;
  toggle: (id: string) => void;
  extendTo: (id: string) => void;
  open: (id: string) => void;
  isSelecting: () => boolean;
  /** It, or something in it, has got the focus. */
  focused: (id: string) => void;
}

const DECIDE_PX = 10;
const ACT_PX = 88;
const LONG_PRESS_MS = 450;
/** A quick tick that can be felt. */
const VIBRATE_MS = 12;

interface Swipe {
  row: HTMLElement;
  /** The finger. */
  pointer: number;
  x: number;
  y: number;
  swiping: boolean;
  /** It was held: lifting the finger is no tap. */
  held: boolean;
}

/** Listens on the list until the returned function is called. */
export function listenToRows(list: HTMLElement, gestures: RowGestures): () => void {
  let swipe: Swipe | null = null;
  let press: ReturnType<typeof setTimeout> | undefined;
  let wasTouch = false;
  let swallowClick = false;

  function onDown(event: PointerEvent) {
    const row = rowOf(event);
    wasTouch = event.pointerType === 'touch';
    swallowClick = false;
    // Two fingers are no swipe.
    if (swipe !== null && swipe.pointer !== event.pointerId) return endSwipe();
    clearTimeout(press);
    if (!wasTouch || row === null) return;
    const { pointerId: pointer, clientX: x, clientY: y } = event;
    const mine: Swipe = { row, pointer, x, y, swiping: false, held: false };
    swipe = mine;
    if (!onControl(event)) press = setTimeout(() => hold(mine), LONG_PRESS_MS);
  }
  function hold(mine: Swipe) {
    if (swipe !== mine || mine.swiping) return;
    mine.held = true;
    swallowClick = true;
    gestures.toggle(mine.row.dataset.task ?? '');
    navigator.vibrate?.(VIBRATE_MS);
  }
  function onMove(event: PointerEvent) {
    if (swipe === null || swipe.pointer !== event.pointerId || swipe.held) return;
    const distance = event.clientX - swipe.x;
    if (!swipe.swiping) {
      if (Math.abs(event.clientY - swipe.y) > DECIDE_PX) return endSwipe();
      if (Math.abs(distance) > DECIDE_PX) {
        swipe.swiping = true;
        clearTimeout(press);
        swipe.row.setPointerCapture(event.pointerId);
      }
    }
    if (swipe.swiping) follow(swipe.row, distance);
  }
  function onUp(event: PointerEvent) {
    if (swipe?.pointer !== event.pointerId) return;
    const done = swipe;
    endSwipe();
    if (!done.swiping) return;
    swallowClick = true;
    const distance = event.clientX - done.x;
    const id = done.row.dataset.task ?? '';
    if (distance >= ACT_PX) gestures.swipeRight(id);
    else if (distance <= -ACT_PX) gestures.swipeLeft(id);
  }
  function onCancel(event: PointerEvent) {
    if (swipe?.pointer === event.pointerId) endSwipe();
  }
  function endSwipe() {
    if (swipe !== null) follow(swipe.row, null);
    swipe = null;
    clearTimeout(press);
  }
  function onClick(event: MouseEvent) {
    const id = rowOf(event)?.dataset.task;
    if (swallowClick) {
      swallowClick = false;
      return;
    }
    if (id === undefined || onControl(event)) return;
    if (event.shiftKey) gestures.extendTo(id);
    else if (event.ctrlKey || event.metaKey || (wasTouch && gestures.isSelecting())) gestures.toggle(id);
    else if (!hasSelectedText()) gestures.open(id);
  }
  // A long press opens no menu of the browser.
  function onContextMenu(event: Event) {
    if (wasTouch && rowOf(event) !== null && !onControl(event)) event.preventDefault();
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
    contextmenu: onContextMenu,
  });
}

function rowOf(event: Event): HTMLElement | null {
  return event.target instanceof Element ? event.target.closest<HTMLElement>('article[data-task]') : null;
}

function onControl(event: Event): boolean {
  return event.target instanceof Element && event.target.closest('a, button, input, label') !== null;
}

// Someone marks text to copy it.
function hasSelectedText(): boolean {
  return (window.getSelection()?.toString() ?? '') !== '';
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
