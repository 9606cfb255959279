// Group commit: all waiting writes share one transaction and one sync of the log, during which the event loop
// goes on, and each caller is answered after both. So nothing that a write has read can be lost. A group that
// has changed nothing needs no sync. Where the log has become long, the next group waits for a checkpoint. A
// write that throws fails alone. A fault of the disk or the lock rejects the group with SERVICE_UNAVAILABLE
// and stores nothing of it. After a failed sync the state of the disk is unknown: this and all later writes
// are rejected until the program is started again (docs/decisions/0007).
import type { DatabaseSync } from 'node:sqlite';
import { unavailable } from '#core/errors.ts';
import { prepareArrays } from '../database.ts';
import { isStorageFault, storeFault } from '../faults.ts';

/** Follows the transactions, for data that is cached in memory. */
export interface TransactionHook {
  /** The last chance to write, right before COMMIT. */
  beforeCommit(): void;
  committed(): void;
  /** What was committed is on disk. */
  synced?(): void;
  rolledBack(): void;
}

export interface GroupCommit {
  /** Runs `work`, perhaps more than once, in the next transaction; resolves once its result is durable. */
  write<T>(work: () => T): Promise<T>;
  /** Rejects every further write; resolves when the waiting ones are durable or rejected. */
  close(): Promise<void>;
}

interface Write {
  work: () => unknown;
  resolve: (value: never) => void;
  reject: (error: unknown) => void;
  result: unknown;
}

/** Larger groups are split, so that answers and other requests get a turn in between. */
const MAX_GROUP = 256;

/** Where the last group took longer, the disk gives the next one time enough to fill. */
const SHORT_GROUP_MS = 2;
/** On a busy loop, the next group waits so long for more writes after a short one. */
const GATHER_MS = 1;
/** Share of the last milliseconds in which a busy loop had work. */
const BUSY_SHARE = 0.85;
const LOAD_WINDOW_MS = 10;

/** Follows the share of time in which the event loop has work. */
function createLoopLoad() {
  let from = performance.eventLoopUtilization();
  let fromMs = performance.now();
  let busy = false;
  return {
    isBusy(): boolean {
      const now = performance.now();
      if (now - fromMs < LOAD_WINDOW_MS) return busy;
      const current = performance.eventLoopUtilization();
      busy = performance.eventLoopUtilization(current, from).utilization > BUSY_SHARE;
      from = current;
      fromMs = now;
      return busy;
    },
  };
}

/**
 * `sync` resolves when all that was committed is on disk; `db` runs no other transactions. `checkpoint` is
 * called after each sync; while what it answers is under way, no transaction begins.
 */
export function createGroupCommit(
  db: DatabaseSync,
  hook: TransactionHook,
  sync: () => Promise<void>,
  checkpoint: () => Promise<void> | null = () => null,
): GroupCommit {
  const commit = createCommit(db, hook);
  const needsSync = createSyncCheck(db);
  let queue: Write[] = [];
  let scheduled = false;
  let syncing: Promise<void> | undefined;
  /** Set by the first sync that failed. */
  let lost: Error | undefined;
  let closed = false;
  /** When the last group began. */
  let begunAt = 0;
  const loop = createLoopLoad();

  async function answer(committed: readonly Write[]): Promise<void> {
    try {
      await (needsSync() ? sync() : null);
      for (const { resolve, result } of committed) resolve(result as never);
      hook.synced?.();
    } catch (error) {
      lost = new Error('The disk did not confirm a write. Check it, then start Qinbox again.', {
        cause: error,
      });
      rejectAll(committed, lost);
    }
    await (lost === undefined ? checkpoint() : null);
    syncing = undefined;
    scheduled = true;
    const isShort = committed.length > 1 && performance.now() - begunAt < SHORT_GROUP_MS;
    if (isShort && loop.isBusy()) setTimeout(drain, GATHER_MS);
    // One turn of the loop later, the next writes of the answered callers are in the queue and share a group.
    else setImmediate(() => setImmediate(drain));
  }

  function drain(): void {
    scheduled = false;
    if (syncing !== undefined) return;
    begunAt = performance.now();
    const group = queue.slice(0, MAX_GROUP);
    queue = queue.slice(MAX_GROUP);
    if (lost !== undefined) rejectAll(group, lost);
    else {
      const committed = commit(group);
      if (committed.length > 0) syncing = answer(committed);
    }
    schedule();
  }

  /** During a sync, `answer` schedules what arrived meanwhile. */
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

/** Commits the writes whose work does not throw, rejects the others, and answers those that are committed. */
function createCommit(db: DatabaseSync, hook: TransactionHook): (group: Write[]) => Write[] {
  const begin = db.prepare('BEGIN IMMEDIATE');
  const commit = db.prepare('COMMIT');
  const rollback = db.prepare('ROLLBACK');

  /** Runs the group in one transaction; the write whose own work threw, or null. Throws faults of storage. */
  function attempt(group: readonly Write[]): { failed: Write; error: unknown } | null {
    begin.run();
    let current: Write | undefined;
    try {
      for (current of group) current.result = current.work();
      current = undefined;
      hook.beforeCommit();
      commit.run();
      hook.committed();
      return null;
    } catch (error) {
      // Some faults (a full disk) have rolled back already.
      if (db.isTransaction) rollback.run();
      hook.rolledBack();
      if (current === undefined || isStorageFault(error)) throw error;
      return { failed: current, error };
    }
  }

  return (waiting) => {
    let group = waiting;
    while (group.length > 0)
      try {
        const failure = attempt(group);
        if (failure === null) return group;
        failure.failed.reject(failure.error);
        group = group.filter((other) => other !== failure.failed);
      } catch (error) {
        rejectAll(group, error);
        return [];
      }
    return group;
  };
}

/**
 * Tells, after a commit, whether anything that its writes have read or written may not be on disk: not when
 * nobody has changed anything since the last sync. What the log had before the first commit counts as
 * changed, because the process that wrote it may not have lived to sync it.
 */
function createSyncCheck(db: DatabaseSync): () => boolean {
  const ownChanges = prepareArrays<[number]>(db, 'SELECT total_changes()');
  // Changes with the commits of other connections only.
  const dataVersion = prepareArrays<[number]>(db, 'PRAGMA data_version');
  let changes: number | undefined;
  let version: number | undefined;
  return () => {
    const [newChanges] = ownChanges.get() ?? [];
    if (newChanges !== changes) {
      changes = newChanges;
      return true;
    }
    try {
      const [newVersion] = dataVersion.get() ?? [];
      if (newVersion === version) return false;
      version = newVersion;
    } catch {
      // Another process holds the lock: it may have written.
    }
    return true;
  };
}

function rejectAll(group: readonly Write[], error: unknown): void {
  const fault = storeFault(error);
  for (const { reject } of group) reject(fault);
}
