// What is asked of rows before the code that does it has come: done then, in the same order.
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

/** Notes keys, and presses on a row itself. Returns the function that stops it. */
export function noteEarlyPresses(): () => void {
  return listen(document, {
    click: ({ target }) => {
      if (!(target instanceof Element) || target.closest('a, button, input') !== null) return;
      const id = target.closest('[data-task]')?.getAttribute('data-task') ?? null;
      if (id !== null) earlyActions.open(id);
    },
    keydown: ({ key, shiftKey, ctrlKey, metaKey, altKey, target }) => {
      if ((key.length > 1 && key !== 'Escape') || ctrlKey || metaKey || altKey || isTextField(target)) return;
      waiting.push(() => press({ key, shiftKey }));
    },
  });
}

/** A command or, once a field has the focus by the former ones, text. */
function press(init: { key: string; shiftKey: boolean }): void {
  const focused = document.activeElement ?? document.body;
  if (!isTextField(focused) || init.key === 'Escape') {
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
  for (const act of waiting.splice(0)) {
    act(actions);
    // The next one finds what this one has changed.
    await new Promise((resolve) => setTimeout(resolve));
  }
}
