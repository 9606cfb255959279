// Tells who wants to hear that this process has stored work.

export interface WorkSignal {
  /** Calls back from now on; answers how to end it. */
  on: (told: () => void) => () => void;
  tell: () => void;
}

export function createWorkSignal(): WorkSignal {
  const listeners = new Set<() => void>();
  return {
    on(told) {
      listeners.add(told);
      return () => listeners.delete(told);
    },
    tell() {
      for (const told of listeners) told();
    },
  };
}
