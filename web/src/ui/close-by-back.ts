// Back closes the dialog that is open, not what is behind it. While one is open the history has an entry for
// it at the same address; when it closes in another way the entry is left again, without anybody noticing.
import { useEffect, useLayoutEffect, useRef } from 'react';
import { listen } from '../lib/listen.ts';

interface OpenDialog {
  close: () => void;
  /** Whether it cannot be closed now. */
  isBusy: () => boolean;
}

/** In the order in which they opened. */
const dialogs: OpenDialog[] = [];
/** Whether the entry is where the history stands. */
let isEntered = false;
/** Whether the entry is being left because all dialogs have closed. */
let isLeaving = false;
/** The address now: what is behind the dialog may change it, and the entry before must follow. */
let address = '';
let stop: (() => void) | null = null;
const onLeft: (() => void)[] = [];

/** Whether the history stands at a dialog's entry: going back there leaves that one, not the page behind. */
export function isBackOfDialog(): boolean {
  return isEntered || isLeaving;
}

/** Resolves once the entry of dialogs that have closed is left. A page opened before that takes its place. */
export function entryLeft(): Promise<void> {
  return isLeaving ? new Promise((done) => onLeft.push(done)) : Promise.resolve();
}

/** Closes the dialog by Back, unless it is `busy`. */
export function useCloseByBack(open: boolean, onClose: () => void, busy: boolean): void {
  const latest = useRef({ onClose, busy });
  // Before anybody sees that it saves.
  useLayoutEffect(() => {
    latest.current = { onClose, busy };
  });
  useEffect(() => {
    if (!open) return;
    const dialog = { close: () => latest.current.onClose(), isBusy: () => latest.current.busy };
    dialogs.push(dialog);
    updateHistory();
    return () => {
      dialogs.splice(dialogs.indexOf(dialog), 1);
      // One may open in the place of another.
      queueMicrotask(updateHistory);
    };
  }, [open]);
}

function updateHistory(): void {
  if (isLeaving) return;
  if (dialogs.length > 0 && !isEntered) enter();
  else if (dialogs.length === 0 && isEntered) {
    isEntered = false;
    isLeaving = true;
    history.back();
  }
}

function enter(): void {
  address = location.href;
  history.pushState(history.state, '');
  isEntered = true;
  const note = () => {
    address = location.href;
  };
  stop ??= listen(window, { popstate: left, pushState: note, replaceState: note }, { capture: true });
}

// Comes before all others who listen: for them nothing has happened.
function left(event: Event): void {
  // The entry has been left already: this Back is for the page.
  if (!isBackOfDialog()) return;
  event.stopImmediatePropagation();
  if (location.href !== address) history.replaceState(null, '', address);
  const isByHand = isEntered;
  isEntered = isLeaving = false;
  for (const done of onLeft.splice(0)) done();
  const dialog = dialogs.at(-1);
  // At once: another Back may follow.
  if (isByHand && dialog?.isBusy() === true) return enter();
  if (isByHand) dialog?.close();
  // There may be another below it, which needs an entry again. What closed has gone by then.
  setTimeout(() => {
    updateHistory();
    if (isBackOfDialog()) return;
    stop?.();
    stop = null;
  });
}
