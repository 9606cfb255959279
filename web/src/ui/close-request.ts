// What the device has for closing what is in front: Back on Android, Escape elsewhere. Browsers that know
// close watchers tell of it (https://developer.mozilla.org/docs/Web/API/CloseWatcher); in others Back is for
// the page. A dialog has an entry in the history instead (close-by-back.ts), which needs no such browser.
import { useEffect, useRef } from 'react';

interface Watcher extends EventTarget {
  destroy: () => void;
}

/** Asks to close while `open`. The page behind stays. */
export function useCloseRequest(open: boolean, onClose: () => void): void {
  const latest = useRef(onClose);
  useEffect(() => {
    latest.current = onClose;
  });
  useEffect(() => {
    const { CloseWatcher } = window as { CloseWatcher?: new () => Watcher };
    if (!open || CloseWatcher === undefined) return;
    const watcher = new CloseWatcher();
    watcher.addEventListener('close', () => latest.current());
    return () => watcher.destroy();
  }, [open]);
}
