// Stores of entries. A resolved write outlives the page (disk), or lives as long as it (memory).
import { logFailure } from '../log.ts';
import type { Entry } from './entry.ts';

/** A pure rule over one account's entries, in the order in which they came; may run more than once. */
export type Rule = (entries: readonly Entry[]) => readonly Entry[];

export interface Changed {
  after: readonly Entry[];
  /** Whether the rule changed anything. */
  changed: boolean;
}

export interface EntryStore {
  read(owner: string): Promise<readonly Entry[]>;
  /** Applies a rule in one transaction. `firm`: it is on disk then, even if the power fails right after. */
  change(owner: string, rule: Rule, firm?: boolean): Promise<Changed>;
}

/** Entries that live as long as this page. */
function createMemoryStore(): EntryStore {
  const stored = new Map<string, readonly Entry[]>();
  return {
    read: (owner) => Promise.resolve(stored.get(owner) ?? []),
    change(owner, rule) {
      const before = stored.get(owner) ?? [];
      const after = rule(before);
      stored.set(owner, after);
      return Promise.resolve({ after, changed: after !== before });
    },
  };
}

export interface SafeStore extends EntryStore {
  /** Whether new writes outlive the page. */
  durable(): boolean;
  /** Whether this entry does. */
  isStored(id: string): boolean;
}

/** Entries on `disk`. After its first failure (full or denied) they live in memory. */
export function createSafeStore(disk: EntryStore | null): SafeStore {
  const memory = createMemoryStore();
  let works = disk !== null;
  let known: { owner: string; entries: readonly Entry[] } = { owner: '', entries: [] };
  let left = new Set<string>();

  async function attempt<T>(owner: string, onDisk: () => Promise<T>, inMemory: () => Promise<T>): Promise<T> {
    if (works) {
      try {
        return await onDisk();
      } catch (error) {
        logFailure('storing changes', error);
        works = false;
        left = new Set(known.entries.map(({ id }) => id));
      }
    }
    // Entries that were read from disk are still to be sent from this page.
    if (known.owner === owner && known.entries.length > 0) {
      const { entries } = known;
      known = { owner: '', entries: [] };
      await memory.change(owner, (others) => [...entries, ...others]);
    }
    return inMemory();
  }

  return {
    durable: () => works,
    isStored: (id) => works || left.has(id),
    read: (owner) =>
      attempt(
        owner,
        async () => {
          const entries = (await disk?.read(owner)) ?? [];
          known = { owner, entries };
          return entries;
        },
        () => memory.read(owner),
      ),
    change: (owner, rule, firm) =>
      attempt(
        owner,
        async () => {
          const result = (await disk?.change(owner, rule, firm)) ?? { after: [], changed: false };
          known = { owner, entries: result.after };
          return result;
        },
        () => memory.change(owner, rule),
      ),
  };
}
