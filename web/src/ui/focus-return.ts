// A control that is disabled while its work is under way loses the focus: it gets it back when it can be used
// again, so that Enter and Tab go on from there.
import { useEffect } from 'react';
import { listen } from '../lib/listen.ts';

/** What has the focus, or had it when it was disabled. */
let control: HTMLElement | null = null;

/** The control that lost the focus because it was disabled; null when something has the focus. */
export function disabledFocus(): HTMLElement | null {
  return document.activeElement === document.body && control?.isConnected === true ? control : null;
}

export function useFocusReturn(): void {
  useEffect(() => {
    const observer = new MutationObserver(() => {
      const lost = disabledFocus();
      if (lost?.matches(':disabled') === false) lost.focus({ preventScroll: true });
    });
    observer.observe(document.body, { subtree: true, attributes: true, attributeFilter: ['disabled'] });
    const stop = listen(document, {
      focusin({ target }) {
        control = target instanceof HTMLElement ? target : null;
      },
      focusout({ target }) {
        const isTaken = target instanceof Element && target.matches(':disabled');
        if (!isTaken) control = null;
      },
    });
    return () => {
      observer.disconnect();
      stop();
    };
  }, []);
}
