// Single-key shortcuts: off while someone types or a dialog or menu is open, and when switched off.
import { useEffect, useRef, type RefObject } from 'react';
import { isComposing } from './composing.ts';
import { listen } from './listen.ts';
import { getPreferences } from './preferences.ts';

/** By `KeyboardEvent.key`. A handler that returns false did nothing, and the browser may act. */
export type Shortcuts = Record<string, (event: KeyboardEvent) => void | boolean>;

const TYPING = 'input:not([type=checkbox]):not([type=radio]), textarea, select, [contenteditable=true]';
/**
 * An open dialog, which has the keys; one that fades out has them no more. A notice, which is a dialog to
 * screen readers, has no `data-modal`.
 */
export const OPEN_MODAL = '[data-modal]:not([data-closed])';
export const OPEN_MENU = '[role=menu]:not([data-closed])';
const ELSEWHERE = `${OPEN_MODAL}, ${OPEN_MENU}`;
export const CLOSING_MODAL = '[data-modal][data-closed]';

/**
 * Listens on the whole page for as long as the component is mounted, while no dialog or menu is open. Given
 * an element in a dialog: while that dialog alone is open.
 */
export function useShortcuts(shortcuts: Shortcuts, inDialog?: RefObject<Element | null>): void {
  const latest = useRef(shortcuts);
  useEffect(() => {
    latest.current = shortcuts;
  });
  useEffect(() => {
    function keydown(event: KeyboardEvent) {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || isComposing(event))
        return;
      const target = event.target instanceof Element ? event.target : null;
      const [layer, another] = document.querySelectorAll(ELSEWHERE);
      const own = inDialog?.current ?? null;
      const hasKeys = own === null ? layer === undefined : another === undefined && layer?.contains(own);
      // The focus stays in the field of a dialog while that fades out.
      const isTyping = target?.closest(TYPING)?.closest(CLOSING_MODAL) === null;
      if (isTyping || hasKeys !== true) return;
      if (event.key !== 'Escape' && event.key !== 'Enter' && !getPreferences().shortcuts) return;
      const handler = latest.current[event.key];
      if (handler !== undefined && handler(event) !== false) event.preventDefault();
    }
    return listen(document, { keydown });
  }, [inDialog]);
}
