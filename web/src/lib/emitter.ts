// A set of listeners. One that is added or removed during an event is not called for it, or still is.

export function createEmitter<A extends unknown[] = []>() {
  const listeners = new Set<(...args: A) => void>();
  return {
    emit: (...args: A) => {
      for (const listener of [...listeners]) listener(...args);
    },
    /** Returns the function that unsubscribes. */
    subscribe: (listener: (...args: A) => void) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}
