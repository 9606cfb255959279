// The focus must not get lost, so that Enter and Tab go on from where the work is. A control that is disabled
// while its work is under way gets it back when it can be used again; when a row of a list goes with the
// control that had it, the next row gets it, and after the last row what the list is part of. When a notice
// goes with the control that had it, what the notice is part of gets it.
import { useEffect } from 'react';
import { listen } from '../lib/listen.ts';

/** What has the focus, or had it when it was disabled. */
let control: HTMLElement | null = null;
/** What has just lost the focus, perhaps because it is being removed: some browsers tell of that before. */
let left: HTMLElement | null = null;

interface Place {
  /** Of the row; null in a notice. */
  list: HTMLElement | null;
  index: number;
  /** What the list or notice is part of. */
  around: HTMLElement | null;
}

/** Where those controls are, or were, that have had the focus in a row of a list or in a notice. */
const places = new WeakMap<HTMLElement, Place>();

/** The control that lost the focus because it was disabled; null when something has the focus. */
export function disabledFocus(): HTMLElement | null {
  return document.activeElement === document.body && control?.isConnected === true ? control : null;
}

/** The focus is given back to it: at once, or when it is no longer disabled, or to the row after its own. */
export function expectFocus(element: HTMLElement): void {
  control = element;
}

/** What on the page has the focus; null when nothing has. */
export function focused(): HTMLElement | null {
  const { activeElement } = document;
  return activeElement instanceof HTMLElement && activeElement !== document.body ? activeElement : null;
}

/** The row after that of a control which was removed with it, or what is around; null for any other. */
export function afterRemoved(element: HTMLElement): HTMLElement | null {
  const place = places.get(element);
  if (place === undefined || element.isConnected) return null;
  const { list, index, around } = place;
  const rows = list?.isConnected ? list.children : [];
  const next = rows[Math.min(index, rows.length - 1)] ?? around;
  if (!(next instanceof HTMLElement) || !next.isConnected) return null;
  // The row, not one of its buttons: a second Enter must not press what is under it now.
  next.tabIndex = -1;
  return next;
}

/** What says something and is closed by a button in it, in a card or a dialog. */
const NOTICE = '[role=alert], [role=status], [data-notice]';
/** Lists that are marked so lead the focus themselves. */
const LEADS_FOCUS = '[data-leads-focus]';

function notePlace(target: HTMLElement): void {
  const row = target.closest('li');
  const list = row?.parentElement ?? null;
  if (row === null || list === null) return noteNotice(target);
  if (list.matches(LEADS_FOCUS)) return;
  const around = list.closest<HTMLElement>('section, [role=dialog], main');
  places.set(target, { list, index: [...list.children].indexOf(row), around });
}

function noteNotice(target: HTMLElement): void {
  const around = target.closest(NOTICE)?.parentElement?.closest<HTMLElement>('section, [role=dialog]');
  if (around) places.set(target, { list: null, index: 0, around });
}

function follow(): void {
  if (document.activeElement !== document.body) return;
  const removed = [left, control].find((one) => one?.isConnected === false) ?? null;
  if (removed !== null) afterRemoved(removed)?.focus({ preventScroll: true });
  else if (control?.matches(':disabled') === false) control.focus({ preventScroll: true });
}

export function useFocusReturn(): void {
  useEffect(() => {
    const observer = new MutationObserver(follow);
    observer.observe(document.body, {
      subtree: true,
      childList: true,
      attributes: true,
      attributeFilter: ['disabled'],
    });
    const stop = listen(document, {
      focusin({ target }) {
        control = target instanceof HTMLElement ? target : null;
        if (control !== null) notePlace(control);
      },
      focusout({ target }) {
        if (target instanceof Element && target.matches(':disabled')) return;
        left = control;
        control = null;
        setTimeout(() => {
          left = null;
        });
      },
    });
    return () => {
      observer.disconnect();
      stop();
    };
  }, []);
}
