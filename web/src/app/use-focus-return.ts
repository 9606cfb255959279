// A control that is disabled while its work is under way loses the focus: it gets it back when it can be used
// again, so that Enter and Tab go on from there.
import { useEffect } from 'react';
import { listen } from '../lib/listen.ts';

export function useFocusReturn(): void {
  useEffect(() => {
    let control: HTMLElement | null = null;
    const observer = new MutationObserver(() => {
      if (document.activeElement !== document.body || control?.isConnected !== true) return;
      if (!control.matches(':disabled')) control.focus({ preventScroll: true });
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
