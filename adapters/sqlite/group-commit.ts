// Group commit: all writes that wait share one transaction and one sync of the log, and every caller is answered after both. The
// sync runs beside the event loop; what arrives meanwhile is the next group. So nothing that a write has seen can get lost any
// more. A write that throws fails alone; when the disk or the lock is at fault all are refused with SERVICE_UNAVAILABLE, nothing
// of them is kept, and the next group tries afresh. After a sync that failed nobody knows what the disk has: the writes are
// refused, and so is every other one until the program is started again (docs/decisions/0007).
import type { DatabaseSync } from 'node:sqlite';
import { unavailable } from '#core/errors.ts';
import { isStorageFault, storeFault } from './faults.ts';

/** What is kept in memory beside the transaction and must follow its fate. */
export interface TransactionGuest {
  /** The last chance to write, right before COMMIT. */
  beforeCommit(): void;
  committed(): void;
  rolledBack(): void;
}

export interface GroupCommit {
  /** Runs `work` inside the next transaction; resolves with its result once that is durable. `work` may run more than once. */
  write<T>(work: () => T): Promise<T>;
  /** Refuses every further write; resolves when what waited is durable or refused. */
  close(): Promise<void>;
}

interface Waiting {
  work: () => unknown;
  resolve: (value: never) => void;
  reject: (error: unknown) => void;
  result: unknown;
}

// Larger crowds are split, so that answers and other requests get their turn in between.
const MAX_GROUP = 256;

/**
 * Group commit over one connection, which must not be used for other transactions and need not wait for the disk itself;
 * `sync` resolves when all that was committed before is on disk.
 */
export function createGroupCommit(
  db: DatabaseSync,
  guest: TransactionGuest,
  sync: () => Promise<void>,
): GroupCommit {
  const begin = db.prepare('BEGIN IMMEDIATE');
  const commit = db.prepare('COMMIT');
  const rollback = db.prepare('ROLLBACK');
  let queue: Waiting[] = [];
  let scheduled = false;
  let syncing: Promise<void> | undefined;
  let lost: Error | undefined;
  let closed = false;

  function undo(): void {
    // Some faults (a full disk) have rolled back already.
    if (db.isTransaction) rollback.run();
    guest.rolledBack();
  }

  /** Runs the group in one transaction; the one whose own work threw, or null when all is committed. Throws storage faults. */
  function attempt(group: readonly Waiting[]): { failed: Waiting; error: unknown } | null {
    begin.run();
    let current: Waiting | undefined;
    try {
      for (current of group) current.result = current.work();
      current = undefined;
      guest.beforeCommit();
      commit.run();
      guest.committed();
      return null;
    } catch (error) {
      undo();
      if (current === undefined || isStorageFault(error)) throw error;
      return { failed: current, error };
    }
  }

  function refuse(group: readonly Waiting[], error: unknown): void {
    const refusal = storeFault(error);
    for (const { reject } of group) reject(refusal);
  }

  /** Commits those whose work does not throw; answers them. */
  function settle(waiting: Waiting[]): Waiting[] {
    let group = waiting;
    while (group.length > 0)
      try {
        const fault = attempt(group);
        if (fault === null) return group;
        fault.failed.reject(fault.error);
        group = group.filter((other) => other !== fault.failed);
      } catch (error) {
        refuse(group, error);
        return [];
      }
    return group;
  }

  async function confirm(committed: readonly Waiting[]): Promise<void> {
    try {
      await sync();
      for (const { resolve, result } of committed) resolve(result as never);
    } catch (error) {
      lost = new Error('The disk did not confirm a write. Check it, then start Qinbox again.', {
        cause: error,
      });
      refuse(committed, lost);
    }
    syncing = undefined;
    // Those who were just answered may have more: a turn of the loop later their next writes are there, and in the same group.
    scheduled = true;
    setImmediate(() => setImmediate(drain));
  }

  function drain(): void {
    scheduled = false;
    if (syncing !== undefined) return;
    const group = queue.length <= MAX_GROUP ? queue : queue.slice(0, MAX_GROUP);
    queue = queue.length <= MAX_GROUP ? [] : queue.slice(MAX_GROUP);
    if (lost !== undefined) refuse(group, lost);
    else {
      const committed = settle(group);
      if (committed.length > 0) syncing = confirm(committed);
    }
    schedule();
  }

  // Whoever syncs schedules what came meanwhile.
  function schedule(): void {
    if (scheduled || syncing !== undefined || queue.length === 0) return;
    scheduled = true;
    setImmediate(drain);
  }

  return {
    write<T>(work: () => T): Promise<T> {
      if (closed) return Promise.reject(unavailable('store', new Error('closed')));
      return new Promise<T>((resolve, reject) => {
        queue.push({ work, resolve, reject, result: undefined });
        schedule();
      });
    },
    async close() {
      closed = true;
      while (syncing !== undefined || queue.length > 0) {
        drain();
        await syncing;
      }
    },
  };
}
