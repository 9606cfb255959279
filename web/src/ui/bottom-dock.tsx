// The foot of a page: notices that stay until they are dismissed, and a floating button. They push nothing,
// and neither covers the other: what else is at the foot (toasts, the end of the page) keeps clear of them
// by `--dock`, their height.
import { useLayoutEffect, useRef, type ReactNode } from 'react';

const HEIGHT = '--dock';

interface BottomDockProps {
  /** Floats at the right, above the notices. */
  button: ReactNode;
  children: ReactNode;
}

export function BottomDock({ button, children }: BottomDockProps) {
  const dock = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const node = dock.current;
    if (node === null) return;
    const { style } = document.documentElement;
    const measure = () => style.setProperty(HEIGHT, `${node.offsetHeight}px`);
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(node);
    return () => {
      observer.disconnect();
      style.removeProperty(HEIGHT);
    };
  }, []);
  return (
    <>
      {/* The end of the page can be scrolled above the dock. */}
      <div aria-hidden className="h-(--dock) shrink-0" />
      <div
        ref={dock}
        className="pointer-events-none fixed inset-x-0 bottom-0 z-30 mx-auto flex w-full max-w-[60rem] flex-col gap-2 px-3 pb-3 empty:hidden sm:px-6 [&>*]:pointer-events-auto"
      >
        <div className="self-end empty:hidden">{button}</div>
        {children}
      </div>
    </>
  );
}
