// Group commit: all writes that arrive in one turn of the event loop share one transaction and one fsync. Every caller
// is answered after COMMIT. A write that throws fails alone; when the disk or the lock is at fault all are refused with
// SERVICE_UNAVAILABLE, nothing of them is kept, and the next group tries afresh.
import type { DatabaseSync } from 'node:sqlite';
import { unavailable } from '#core/errors.ts';
import { isStorageFault } from './faults.ts';

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
  /** Commits what waits, now, then refuses every further write. */
  close(): void;
}

interface Waiting {
  work: () => unknown;
  resolve: (value: never) => void;
  reject: (error: unknown) => void;
  result: unknown;
}

// Larger crowds are split, so that answers and other requests get their turn in between.
const MAX_GROUP = 256;

/** Group commit over one connection, which must not be used for other transactions. */
export function createGroupCommit(db: DatabaseSync, guest: TransactionGuest): GroupCommit {
  const begin = db.prepare('BEGIN IMMEDIATE');
  const commit = db.prepare('COMMIT');
  const rollback = db.prepare('ROLLBACK');
  let queue: Waiting[] = [];
  let scheduled = false;
  let closed = false;

  function undo(): void {
    // Some faults (a full disk) have rolled back already.
    if (db.isTransaction) rollback.run();
    guest.rolledBack();
  }

  /** Runs the group in one transaction; the one whose own work threw, or null when all is durable. Throws storage faults. */
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

  function settle(waiting: Waiting[]): void {
    let group = waiting;
    while (group.length > 0) {
      try {
        const fault = attempt(group);
        if (fault === null) {
          for (const { resolve, result } of group) resolve(result as never);
          return;
        }
        fault.failed.reject(fault.error);
        group = group.filter((other) => other !== fault.failed);
      } catch (error) {
        const refusal = unavailable('store', error);
        for (const { reject } of group) reject(refusal);
        return;
      }
    }
  }

  function drain(): void {
    scheduled = false;
    const group = queue.length <= MAX_GROUP ? queue : queue.slice(0, MAX_GROUP);
    queue = queue.length <= MAX_GROUP ? [] : queue.slice(MAX_GROUP);
    if (queue.length > 0) schedule();
    settle(group);
  }

  function schedule(): void {
    if (scheduled) return;
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
    close() {
      closed = true;
      while (queue.length > 0) drain();
    },
  };
}
