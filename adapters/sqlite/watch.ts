// Notices that another process wrote to the file.
import type { DatabaseSync } from 'node:sqlite';
import { reading } from './faults.ts';
import { prepareRows } from './table-sql.ts';

const INTERVAL_MS = 250;

export interface Watch {
  /** Calls back after each change by another process. Returns the function that ends it. */
  start: (onChange: () => void) => () => void;
  /** Ends all. */
  close: () => void;
}

export function createWatch(db: DatabaseSync): Watch {
  // Changes with the commits of other connections only.
  const dataVersion = prepareRows<{ data_version: number }>(db, 'PRAGMA data_version');
  const timers = new Set<NodeJS.Timeout>();

  return {
    start(onChange) {
      let seen = dataVersion.get()?.data_version;
      const check = async (): Promise<void> => {
        // While the disk fails, nothing is known.
        const now = await reading(() => dataVersion.get()?.data_version).catch(() => seen);
        if (now === seen || !timers.has(timer)) return;
        seen = now;
        onChange();
      };
      const timer = setInterval(() => void check(), INTERVAL_MS).unref();
      timers.add(timer);
      return () => {
        clearInterval(timer);
        timers.delete(timer);
      };
    },
    close() {
      for (const timer of timers) clearInterval(timer);
      timers.clear();
    },
  };
}
