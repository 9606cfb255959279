// The browser's database (IndexedDB): unsent entries and cached lists, by account.
import { openDB, type DBSchema, type IDBPDatabase } from 'idb';
import type { Pagination, Statistics, Task } from '#core/contract/index.ts';
import type { Entry } from './entry.ts';
import type { EntryStore } from './store.ts';

const NAME = 'qinbox';
/** A browser that does not open its database by then is treated as one that has none. */
const OPEN_TIMEOUT_MS = 3000;

/** The first tasks of a queue, as answered at a time. */
export interface CachedList {
  owner: string;
  at: number;
  tasks: readonly Task[];
  pagination: Pagination;
  statistics: Statistics;
}

type StoredEntry = Entry & { seq?: number };

interface Schema extends DBSchema {
  outbox: { key: number; value: StoredEntry; indexes: { owner: string } };
  lists: { key: string; value: CachedList };
  leases: { key: string; value: { holder: string; until: number } };
}

export type Database = ReturnType<typeof createDatabase>;

/** Opens at first use, and again after the browser has closed it. Calls reject when it cannot be used. */
export function createDatabase() {
  let opened: Promise<IDBPDatabase<Schema>> | null = null;

  function forget(): void {
    opened = null;
  }

  function open(): Promise<IDBPDatabase<Schema>> {
    opened ??= inTime(
      openDB<Schema>(NAME, 1, {
        upgrade(database) {
          database
            .createObjectStore('outbox', { keyPath: 'seq', autoIncrement: true })
            .createIndex('owner', 'owner');
          database.createObjectStore('lists', { keyPath: 'owner' });
          database.createObjectStore('leases');
        },
        // A newer version of this page wants to change it.
        blocking(_current, _wanted, event) {
          forget();
          if (event.target instanceof IDBDatabase) event.target.close();
        },
        terminated: forget,
      }),
    );
    opened.catch(forget);
    return opened;
  }

  return {
    entries: {
      read: async (owner) => (await open()).getAllFromIndex('outbox', 'owner', owner),
      async change(owner, rule, firm = false) {
        const transaction = (await open()).transaction('outbox', 'readwrite', {
          durability: firm ? 'strict' : 'relaxed',
        });
        const { store } = transaction;
        const before = await store.index('owner').getAll(owner);
        const after: readonly StoredEntry[] = rule(before);
        if (after === before) return { after, changed: false };
        const left = new Set(after.map(({ id }) => id));
        const gone = before.flatMap(({ id, seq }) => (seq === undefined || left.has(id) ? [] : [seq]));
        const written = after.filter((entry) => !before.includes(entry));
        // Awaited together with the transaction: otherwise a rejection would be unhandled.
        await Promise.all([
          ...gone.map((seq) => store.delete(seq)),
          ...written.map((entry) => store.put(entry)),
          transaction.done,
        ]);
        return { after, changed: true };
      },
    } satisfies EntryStore,
    /** Removes entries that are older than `before` and belong to another account. */
    async purge(before: number, owner: string | null) {
      const transaction = (await open()).transaction('outbox', 'readwrite');
      const old = (await transaction.store.getAll()).flatMap(({ at, owner: of, seq }) =>
        at < before && of !== owner && seq !== undefined ? [seq] : [],
      );
      await Promise.all([...old.map((seq) => transaction.store.delete(seq)), transaction.done]);
    },
    readList: async (owner: string) => (await open()).get('lists', owner),
    async writeList(list: CachedList) {
      await (await open()).put('lists', list);
    },
    async changeList(owner: string, rule: (list: CachedList) => CachedList) {
      const transaction = (await open()).transaction('lists', 'readwrite', { durability: 'relaxed' });
      const list = await transaction.store.get(owner);
      if (list !== undefined) await transaction.store.put(rule(list));
      await transaction.done;
    },
    /** Removes the lists of everyone else; of all, for null. */
    async deleteListsExcept(owner: string | null) {
      const transaction = (await open()).transaction('lists', 'readwrite');
      const others = (await transaction.store.getAllKeys()).filter((key) => key !== owner);
      await Promise.all([...others.map((key) => transaction.store.delete(key)), transaction.done]);
    },
    /** Returns whether `holder` has `name` to itself until then. */
    async lease(name: string, holder: string, now: number, until: number) {
      const transaction = (await open()).transaction('leases', 'readwrite', { durability: 'relaxed' });
      const held = await transaction.store.get(name);
      const free = held === undefined || held.holder === holder || held.until <= now;
      if (free) await transaction.store.put({ holder, until }, name);
      await transaction.done;
      return free;
    },
  };
}

async function inTime<T>(work: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('The browser does not open its database')), OPEN_TIMEOUT_MS);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
