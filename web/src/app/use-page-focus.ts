// Arriving at another page without a load: the focus goes to its content and the view to its top, as a load would do.
import { useEffect, useRef, type RefObject } from 'react';

export function usePageFocus(path: string, content: RefObject<HTMLElement | null>): void {
  const before = useRef(path);
  const back = useRef(false);

  useEffect(() => {
    const onPop = () => (back.current = true);
    window.addEventListener('popstate', onPop);
    return () => window.removeEventListener('popstate', onPop);
  }, []);

  useEffect(() => {
    if (before.current === path) return;
    before.current = path;
    content.current?.focus({ preventScroll: true });
    // Going back, the browser knows where one was.
    if (!back.current) window.scrollTo({ top: 0 });
    back.current = false;
  }, [path, content]);
}
