// What is asked of rows before the code that does it has come: done then, in the same order. What has the
// focus by then keeps it.
import { listen } from '../../../lib/listen.ts';
import type { RowActions } from '../parts/task-row.tsx';

const waiting: ((actions: RowActions) => void)[] = [];

function later<A extends unknown[]>(act: (actions: RowActions, ...args: A) => void) {
  return (...args: A) => void waiting.push((actions) => act(actions, ...args));
}

export const earlyActions: RowActions = {
  focused: () => undefined,
  isSelecting: () => false,
  toggle: later((actions, id) => actions.toggle(id)),
  extendTo: later((actions, id) => actions.extendTo(id)),
  open: later((actions, id) => actions.open(id)),
  filterBy: later((actions, kind, value) => actions.filterBy(kind, value)),
  run: later((actions, command, task) => actions.run(command, task)),
};

let stopNoting: (() => void) | null = null;
/** What has the focus of a screen that is not React's yet. */
let focused: Control | null = null;
/** Where the pointer went down, as long as it is. */
let held: { press: Press; element: Element; x: number; y: number } | null = null;

/**
 * Notes keys, presses on a row itself and, as long as React has not drawn the screen, on all that is in
 * it. On the window, where an event comes last: what did it by then prevented the browser's own.
 */
export function noteEarlyPresses(): () => void {
  stopNoting ??= listen(window, {
    click: ({ target, shiftKey }) => {
      // Pressed beside everything, it is given up.
      if (document.activeElement === document.body) focused = null;
      if (target instanceof Element) note(pressOn(target, shiftKey));
    },
    pointerdown: hold,
    pointerup: (event) => {
      const released = release(event);
      if (released !== null) note(released);
    },
    pointercancel: letGo,
    keydown: (event) => {
      const { key, shiftKey, ctrlKey, metaKey, altKey, target } = event;
      if (event.defaultPrevented || altKey) return;
      if (ctrlKey || metaKey) {
        if (key.toLowerCase() !== 'k' || shiftKey) return;
        event.preventDefault();
      } else if (isTextField(target) || !(key.length === 1 || key === 'Escape' || isRowKey(event))) return;
      waiting.push(() => press({ key, shiftKey, ctrlKey, metaKey }));
    },
    focusin: ({ target }) => {
      focused = controlOf(target) ?? focused;
    },
  });
  return stop;
}

function stop(): void {
  stopNoting?.();
  stopNoting = null;
}

/** A press on a row itself, or on a control of a screen that React has not drawn. */
interface Press {
  row: string | null;
  control: Control | null;
  shiftKey: boolean;
}

function pressOn(target: Element, shiftKey: boolean): Press {
  const control = target.closest('a, button, input');
  return {
    row: control === null ? taskOf(target) : null,
    // The browser follows links.
    control: control?.matches('a') === false ? controlOf(control) : null,
    shiftKey,
  };
}

/** How far a finger moves while it presses. */
const STILL_PX = 10;

function hold({ target, shiftKey, clientX: x, clientY: y, button, isPrimary }: PointerEvent): void {
  const isPress = target instanceof Element && button === 0 && isPrimary;
  held = isPress ? { press: pressOn(target, shiftKey), element: target, x, y } : null;
}

/** A click needs both its ends on one element: the press whose element is gone, which has none. */
function release({ clientX, clientY }: PointerEvent): Press | null {
  if (held === null) return null;
  const { press, element, x, y } = held;
  letGo();
  return element.isConnected || Math.hypot(clientX - x, clientY - y) > STILL_PX ? null : press;
}

function letGo(): void {
  held = null;
}

function note({ row, control, shiftKey }: Press): void {
  if (row !== null) earlyActions.open(row);
  if (control !== null) waiting.push(() => click(control, shiftKey));
}

function click(control: Control, shiftKey: boolean): void {
  find(control)?.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true, shiftKey }));
}

/** The same control in a screen that is drawn again. */
interface Control {
  task: string | null;
  tag: string;
  name: string | null;
}

/** Null but in a screen that React has not drawn. */
function controlOf(target: EventTarget | null): Control | null {
  if (!(target instanceof Element) || target.closest('[data-still] main') === null) return null;
  const task = taskOf(target);
  return { task, tag: target.localName, name: target.getAttribute('aria-label') };
}

function find({ task, tag, name }: Control): HTMLElement | undefined {
  const all = [...document.querySelectorAll<HTMLElement>(`main ${tag}`)];
  return all.find((each) => each.getAttribute('aria-label') === name && taskOf(each) === task);
}

function taskOf(element: Element): string | null {
  return element.closest('[data-task]')?.getAttribute('data-task') ?? null;
}

/** A command or, once a field has the focus by the former ones, text. */
function press(init: KeyboardEventInit & { key: string }): void {
  const focused = document.activeElement ?? document.body;
  if (!isTextField(focused) || init.key === 'Escape' || init.ctrlKey === true || init.metaKey === true) {
    focused.dispatchEvent(new KeyboardEvent('keydown', { ...init, bubbles: true, cancelable: true }));
    return;
  }
  const { selectionStart, selectionEnd, value } = focused;
  focused.setRangeText(init.key, selectionStart ?? value.length, selectionEnd ?? value.length, 'end');
  focused.dispatchEvent(new Event('input', { bubbles: true }));
}

/** These act on the row that has the focus. */
function isRowKey({ key, target }: KeyboardEvent): boolean {
  const isOne = key === 'Enter' || key === 'ArrowDown' || key === 'ArrowUp';
  return isOne && target instanceof Element && target.matches('article');
}

function isTextField(target: EventTarget | null): target is HTMLInputElement | HTMLTextAreaElement {
  return target instanceof Element && target.matches('textarea, input:not([type=checkbox])');
}

/**
 * Does it all at once, so that nothing that is pressed meanwhile comes in between. `draw` does something and
 * draws what it has changed before it returns.
 */
export async function doEarlyActions(actions: RowActions, draw: (act: () => void) => void): Promise<void> {
  // The effects after this one make the rest listen.
  await Promise.resolve();
  stop();
  if (focused !== null && document.activeElement === document.body)
    find(focused)?.focus({ preventScroll: true });
  focused = null;
  for (const act of waiting.splice(0)) draw(() => act(actions));
  if (held === null) return;
  const stopWaiting = listen(window, {
    pointerup: (event) => {
      stopWaiting();
      const released = release(event);
      if (released !== null) note(released);
      for (const act of waiting.splice(0)) act(actions);
    },
    pointercancel: () => {
      stopWaiting();
      letGo();
    },
  });
}
