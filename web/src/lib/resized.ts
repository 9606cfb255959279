// Tells elements of their new size, by one observer for all of them.
const listeners = new WeakMap<Element, () => void>();
let observer: ResizeObserver | null = null;

/** Calls it when the element's size is known, and whenever that changes, until what it answers is called. */
export function onResized(element: Element, listener: () => void): () => void {
  observer ??= new ResizeObserver((entries) => {
    for (const { target } of entries) listeners.get(target)?.();
  });
  listeners.set(element, listener);
  observer.observe(element);
  return () => {
    listeners.delete(element);
    observer?.unobserve(element);
  };
}
