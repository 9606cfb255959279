// Moves the focus to the content and the view to the top after a navigation, as a page load does.
import { useEffect, useRef, type RefObject } from 'react';
import { listen } from '../lib/listen.ts';

export function usePageFocus(path: string, content: RefObject<HTMLElement | null>): void {
  const before = useRef(path);
  const back = useRef(false);

  useEffect(
    () =>
      listen(window, {
        popstate: () => {
          back.current = true;
        },
      }),
    [],
  );

  useEffect(() => {
    if (before.current === path) return;
    before.current = path;
    // A field of the new page may have taken the focus already.
    if (content.current?.contains(document.activeElement) !== true)
      content.current?.focus({ preventScroll: true });
    // Going back, the browser knows where one was.
    if (!back.current) window.scrollTo({ top: 0 });
    back.current = false;
  }, [path, content]);
}
