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

/**
 * Notes keys, presses on a row itself and, as long as React has not drawn the screen, on all that is in
 * it. Returns the function that stops it.
 */
export function noteEarlyPresses(): () => void {
  stopNoting ??= listen(document, {
    click: ({ target, shiftKey }) => {
      if (!(target instanceof Element)) return;
      // Pressed beside everything, it is given up.
      if (document.activeElement === document.body) focused = null;
      const id = target.closest('[data-task]')?.getAttribute('data-task') ?? null;
      const control = target.closest('a, button, input');
      if (control === null && id !== null) earlyActions.open(id);
      const pressed = controlOf(control);
      if (pressed !== null && control?.matches('a') === false)
        waiting.push(() => {
          find(pressed)?.dispatchEvent(
            new MouseEvent('click', { bubbles: true, cancelable: true, shiftKey }),
          );
        });
    },
    keydown: (event) => {
      const { key, shiftKey, ctrlKey, metaKey, altKey, target } = event;
      // The palette's, which is the app's own as soon as React has drawn it.
      if (key.toLowerCase() === 'k' && (ctrlKey || metaKey) && !altKey && !shiftKey && isStill()) {
        event.preventDefault();
        waiting.push(() => press({ key, shiftKey, ctrlKey, metaKey }));
        return;
      }
      if ((key.length > 1 && key !== 'Escape') || ctrlKey || metaKey || altKey || isTextField(target)) return;
      waiting.push(() => press({ key, shiftKey }));
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

/** Whether the screen is one that React has not drawn. */
function isStill(): boolean {
  return document.querySelector('[data-still] main') !== null;
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
  const task = target.closest('[data-task]')?.getAttribute('data-task') ?? null;
  return { task, tag: target.localName, name: target.getAttribute('aria-label') };
}

function find({ task, tag, name }: Control): HTMLElement | undefined {
  const all = [...document.querySelectorAll<HTMLElement>(`main ${tag}`)];
  return all.find(
    (each) =>
      each.getAttribute('aria-label') === name &&
      (each.closest('[data-task]')?.getAttribute('data-task') ?? null) === task,
  );
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

function isTextField(target: EventTarget | null): target is HTMLInputElement | HTMLTextAreaElement {
  return target instanceof Element && target.matches('textarea, input:not([type=checkbox])');
}

export async function doEarlyActions(actions: RowActions): Promise<void> {
  stop();
  if (focused !== null && document.activeElement === document.body)
    find(focused)?.focus({ preventScroll: true });
  focused = null;
  for (const act of waiting.splice(0)) {
    // The first one finds all that listens, each next one what the one before has changed.
    await new Promise((resolve) => setTimeout(resolve));
    act(actions);
  }
}
