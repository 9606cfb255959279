// The browser's local storage. Where it is blocked, full or emptied, values live as long as this page.

export interface LocalStore {
  get(name: string): string | null;
  set(name: string, value: string | null): void;
  /** Whether what was set last is there after a reload. */
  isStored(name: string): boolean;
}

/** A store over `storage`; null where there is none. */
export function createLocalStore(
  storage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'> | null,
): LocalStore {
  const fallback = new Map<string, string>();
  return {
    get(name) {
      try {
        if (storage !== null) return storage.getItem(name) ?? fallback.get(name) ?? null;
      } catch {
        // Blocked: use the values of this page.
      }
      return fallback.get(name) ?? null;
    },
    set(name, value) {
      fallback.delete(name);
      try {
        if (value === null) storage?.removeItem(name);
        else storage?.setItem(name, value);
        if (storage !== null) return;
      } catch {
        // Blocked or full: stored in the page below.
      }
      if (value !== null) fallback.set(name, value);
    },
    isStored: (name) => !fallback.has(name),
  };
}

function browserStorage(): Storage | null {
  try {
    return globalThis.localStorage;
  } catch {
    return null;
  }
}

export const localStore = createLocalStore(browserStorage());
