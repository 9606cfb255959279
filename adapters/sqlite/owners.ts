// Each owner's counts, bytes and revision, so that reading the counts never counts rows. A transaction
// collects the differences in memory and writes them once for each owner before COMMIT.
import type { DatabaseSync } from 'node:sqlite';
import type { Statistics } from '#core/contract/index.ts';
import { LIVE } from '#core/domain/task-state.ts';
import { prepareArrays } from './database.ts';
import type { TransactionHook } from './disk/group-commit.ts';
import { prepareRows } from './table-sql.ts';
import { createCountAsleep, type Asleep, type ByPriority } from './tasks/task-sleep.ts';

interface OwnerIds {
  /** The owner's number; null when nothing was ever stored for it. */
  find(ownerId: string): number | null;
  /** The owner's number, given now if it has none. Only inside a transaction. */
  ensure(ownerId: string): number;
  /** The owner's id. */
  idOf(owner: number): string;
}

function createOwnerIds(db: DatabaseSync) {
  const findRow = prepareRows<{ seq: number }>(db, 'SELECT seq FROM owners WHERE id = ?');
  const findId = prepareRows<{ id: string }>(db, 'SELECT id FROM owners WHERE seq = ?');
  const insert = db.prepare('INSERT INTO owners (id) VALUES (?)');
  const numbers = new Map<string, number>();
  const ids = new Map<number, string>();
  /** Owners that were inserted in this transaction. */
  let inserted: string[] = [];

  function cache(ownerId: string, owner: number): number {
    numbers.set(ownerId, owner);
    ids.set(owner, ownerId);
    return owner;
  }

  function find(ownerId: string): number | null {
    const cached = numbers.get(ownerId);
    if (cached !== undefined) return cached;
    const row = findRow.get(ownerId);
    return row === undefined ? null : cache(ownerId, row.seq);
  }

  return {
    find,
    ensure(ownerId: string): number {
      const known = find(ownerId);
      if (known !== null) return known;
      inserted.push(ownerId);
      return cache(ownerId, Number(insert.run(ownerId).lastInsertRowid));
    },
    idOf: (owner: number): string => ids.get(owner) ?? findId.get(owner)?.id ?? '',
    committed(): void {
      if (inserted.length > 0) inserted = [];
    },
    rolledBack(): void {
      // Another owner may be given the number next.
      for (const ownerId of inserted) {
        ids.delete(numbers.get(ownerId) ?? 0);
        numbers.delete(ownerId);
      }
      inserted = [];
    },
  };
}

export interface Counts {
  /** Live tasks that are not pinned, expired ones included. */
  unpinned: ByPriority;
  pinned: ByPriority;
  /** Grows with each transaction that changed a task. */
  changes: number;
  /** Tasks that were swept since the start. */
  swept: number;
}

/** What counts towards the quota. */
export interface Usage {
  /** Live tasks, with those that are expired and not swept yet. */
  tasks: number;
  bytes: number;
}

export interface Owners extends OwnerIds, TransactionHook {
  /** A task entered (1) or left (-1) the queue. `state` is LIVE or PINNED. */
  count(owner: number, state: number, priority: number, difference: 1 | -1): void;
  /** A visible task changed. */
  changed(owner: number): void;
  /** An expired task was swept: it counts no more, and nothing visible changed. */
  swept(owner: number, priority: number): void;
  addBytes(owner: number, bytes: number): void;
  /** The owner's usage within this transaction. */
  used(owner: number): Usage;
  /** The function that undoes what was collected for the owner since. Only inside a transaction. */
  savepoint(owner: number): () => void;
  /** The owner's usage as committed. */
  usage(owner: number): Usage;
  /** The counts as committed; tasks that expired since are included. */
  read(owner: number): Counts;
  /** How many of the counted tasks are expired at `now`. */
  overdue(owner: number, now: number): ByPriority;
  /** How many of the counted tasks are snoozed at `now`; none of them is expired. */
  asleep(owner: number, counts: Counts, now: number): Asleep;
}

// Places in a difference; three each of unpinned and pinned tasks, by the rank of the priority.
const CHANGES = 0;
const SWEPT = 1;
const UNPINNED = 2;
const PINNED = 5;
const BYTES = 8;

/** Differences of one transaction, by owner. */
function createDifferences() {
  let differences = new Map<number, number[]>();
  return {
    of: (owner: number): readonly number[] | undefined => differences.get(owner),
    add(owner: number, place: number, by: number): void {
      let found = differences.get(owner);
      if (found === undefined) differences.set(owner, (found = [0, 0, 0, 0, 0, 0, 0, 0, 0]));
      found[place] = (found[place] ?? 0) + by;
    },
    replace(owner: number, found: number[] | undefined): void {
      if (found === undefined) differences.delete(owner);
      else differences.set(owner, found);
    },
    entries: () => differences.entries(),
    clear(): void {
      if (differences.size > 0) differences = new Map();
    },
  };
}

export function createOwners(db: DatabaseSync): Owners {
  const add = db.prepare(
    'UPDATE owners SET changes = changes + ?, swept = swept + ?, low = low + ?, normal = normal + ?, ' +
      'high = high + ?, pinned_low = pinned_low + ?, pinned_normal = pinned_normal + ?, ' +
      'pinned_high = pinned_high + ?, bytes = bytes + ? WHERE seq = ?',
  );
  const findCounts = prepareArrays<readonly number[]>(
    db,
    'SELECT changes, swept, low, normal, high, pinned_low, pinned_normal, pinned_high FROM owners WHERE seq = ?',
  );
  const findUsage = prepareArrays<readonly [tasks: number, bytes: number]>(
    db,
    'SELECT low + normal + high + pinned_low + pinned_normal + pinned_high, bytes FROM owners WHERE seq = ?',
  );
  const findExpired = prepareArrays<readonly [all: number, normal: number, high: number]>(
    db,
    'SELECT count(*), total(priority = 1), total(priority = 2) FROM tasks INDEXED BY tasks_expiry ' +
      `WHERE state = ${LIVE} AND expires_at <= ? AND owner = ?`,
  );
  const ids = createOwnerIds(db);
  const countAsleep = createCountAsleep(db);
  const differences = createDifferences();
  /** Committed usage, which nobody else changes during the transaction. */
  let committed = new Map<number, Usage>();

  function usage(owner: number): Usage {
    const row = findUsage.get(owner);
    return row === undefined ? { tasks: 0, bytes: 0 } : { tasks: row[0], bytes: row[1] };
  }

  function clear(): void {
    differences.clear();
    if (committed.size > 0) committed = new Map();
  }

  return {
    ...ids,
    count(owner, state, priority, by) {
      differences.add(owner, (state === LIVE ? UNPINNED : PINNED) + priority, by);
    },
    changed(owner) {
      if (differences.of(owner)?.[CHANGES] !== 1) differences.add(owner, CHANGES, 1);
    },
    swept(owner, priority) {
      differences.add(owner, UNPINNED + priority, -1);
      differences.add(owner, SWEPT, 1);
    },
    addBytes(owner, bytes) {
      if (bytes !== 0) differences.add(owner, BYTES, bytes);
    },
    used(owner) {
      let before = committed.get(owner);
      if (before === undefined) committed.set(owner, (before = usage(owner)));
      const by = differences.of(owner);
      if (by === undefined) return before;
      const tasks = by.slice(UNPINNED, BYTES).reduce((sum, one) => sum + one, before.tasks);
      return { tasks, bytes: before.bytes + (by[BYTES] ?? 0) };
    },
    savepoint(owner) {
      const saved = differences.of(owner)?.slice();
      return () => differences.replace(owner, saved);
    },
    usage,
    read(owner) {
      const [changes = 0, swept = 0, low = 0, normal = 0, high = 0, ...pinned] = findCounts.get(owner) ?? [];
      const [pinnedLow = 0, pinnedNormal = 0, pinnedHigh = 0] = pinned;
      return {
        changes,
        swept,
        unpinned: [low, normal, high],
        pinned: [pinnedLow, pinnedNormal, pinnedHigh],
      };
    },
    overdue(owner, now) {
      const [all, normal, high] = findExpired.get(now, owner) ?? [0, 0, 0];
      return [all - normal - high, normal, high];
    },
    asleep: (owner, { changes }, now) => countAsleep(owner, changes, now),
    beforeCommit() {
      for (const [owner, by] of differences.entries()) add.run(...by, owner);
    },
    committed() {
      clear();
      ids.committed();
    },
    rolledBack() {
      clear();
      ids.rolledBack();
    },
  };
}

/** The counts of the tasks listed at the moment of `overdue` and `asleep`. */
export function toStatistics({ unpinned, pinned }: Counts, overdue: ByPriority, asleep: Asleep): Statistics {
  const listed = (rank: 0 | 1 | 2) =>
    unpinned[rank] - overdue[rank] - asleep.unpinned[rank] + pinned[rank] - asleep.pinned[rank];
  const [low, normal, high] = [listed(0), listed(1), listed(2)];
  const asleepPinned = asleep.pinned[0] + asleep.pinned[1] + asleep.pinned[2];
  return {
    total: low + normal + high,
    high,
    normal,
    low,
    pinned: pinned[0] + pinned[1] + pinned[2] - asleepPinned,
    snoozed: asleep.total,
  };
}

/** As {@link toStatistics}, read now. */
export function statisticsOf(owners: Owners, owner: number, now: number): Statistics {
  const counts = owners.read(owner);
  return toStatistics(counts, owners.overdue(owner, now), owners.asleep(owner, counts, now));
}
