// A set of listeners. One that is added or removed during an event is not called for it, or still is.

export interface Emitter<A extends unknown[]> {
  emit: (...args: A) => void;
  /** Returns the function that unsubscribes. */
  subscribe: (listener: (...args: A) => void) => () => void;
}

export function createEmitter<A extends unknown[] = []>(): Emitter<A> {
  const listeners = new Set<(...args: A) => void>();
  return {
    emit: (...args) => {
      for (const listener of [...listeners]) listener(...args);
    },
    subscribe: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}
