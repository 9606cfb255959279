// Each owner's counts, bytes and revision, kept in the transaction that changes the tasks: differences are gathered while a
// group runs and written once for each owner right before COMMIT, so that reading them never counts rows.
import type { DatabaseSync } from 'node:sqlite';
import type { Statistics } from '#core/contract/index.ts';
import { prepareQuery } from './database.ts';
import type { TransactionGuest } from './group-commit.ts';
import { LIVE } from './rows.ts';

/** How many live tasks there are by priority number, unpinned and pinned. */
export interface Counts {
  unpinned: [number, number, number];
  pinned: [number, number, number];
  /** Grows with each group that changed a task. */
  changes: number;
  /** How many tasks were taken out because their time was up. */
  swept: number;
}

/** What an owner has, as a quota counts it. */
export interface Usage {
  /** Live ones, those included whose time is up and that were not swept yet. */
  tasks: number;
  bytes: number;
}

export interface Owners extends TransactionGuest {
  /** The number that stands for the owner in the tables, or null when nothing was ever kept for it. */
  find(ownerId: string): number | null;
  /** As {@link find}, but gives the owner a number. Only inside a transaction. */
  enrol(ownerId: string): number;
  /** The owner's id by its number. */
  idOf(owner: number): string;
  /** Notes that a task entered (1) or left (-1) the live ones. `state` is LIVE or PINNED. */
  count(owner: number, state: number, priority: number, difference: 1 | -1): void;
  /** Notes that something of the owner's was changed. */
  changed(owner: number): void;
  /** Notes that a task was swept: it stops counting, while nothing that anyone could see has changed. */
  swept(owner: number, priority: number): void;
  /** Notes that what is kept for the owner became so much larger, or smaller. */
  weigh(owner: number, bytes: number): void;
  /** What the owner has, with all that this transaction did. Only inside a transaction. */
  used(owner: number): Usage;
  /** Remembers what was noted for the owner; the answer forgets what was noted since. Only inside a transaction. */
  mark(owner: number): () => void;
  /** What the owner has, as committed. */
  usage(owner: number): Usage;
  /** The counts as committed, except for what expired after them. */
  read(owner: number): Counts;
  /** How many counted tasks are past their time at `now`, by priority number. */
  overdue(owner: number, now: number): [number, number, number];
}

// Places in a difference: changes, swept, unpinned low..high, pinned low..high, bytes.
const CHANGES = 0;
const SWEPT = 1;
const UNPINNED = 2;
const PINNED_PLACES = 5;
const BYTES = 8;

export function createOwners(db: DatabaseSync): Owners {
  const findSeq = prepareQuery(db, 'SELECT seq FROM owners WHERE id = ?');
  const findId = prepareQuery(db, 'SELECT id FROM owners WHERE seq = ?');
  const insert = db.prepare('INSERT INTO owners (id) VALUES (?)');
  const add = db.prepare(
    'UPDATE owners SET changes = changes + ?, swept = swept + ?, low = low + ?, normal = normal + ?, high = high + ?, ' +
      'pinned_low = pinned_low + ?, pinned_normal = pinned_normal + ?, pinned_high = pinned_high + ?, bytes = bytes + ? WHERE seq = ?',
  );
  const counts = prepareQuery(
    db,
    'SELECT low, normal, high, pinned_low, pinned_normal, pinned_high, changes, swept FROM owners WHERE seq = ?',
  );
  const taken = prepareQuery(
    db,
    'SELECT low + normal + high + pinned_low + pinned_normal + pinned_high, bytes FROM owners WHERE seq = ?',
  );
  const expired = prepareQuery(
    db,
    'SELECT count(*), total(priority = 1), total(priority = 2) FROM tasks INDEXED BY tasks_expiry ' +
      'WHERE state = 1 AND expires_at <= ? AND owner = ?',
  );

  const numbers = new Map<string, number>();
  const ids = new Map<number, string>();
  let enrolled: string[] = [];
  let differences = new Map<number, number[]>();
  // As committed before this transaction, in which nobody else can change it.
  let before = new Map<number, Usage>();

  function usage(owner: number): Usage {
    const [tasks, bytes] = (taken.get(owner) ?? [0, 0]) as [number, number];
    return { tasks, bytes };
  }

  function remember(ownerId: string, owner: number): number {
    numbers.set(ownerId, owner);
    ids.set(owner, ownerId);
    return owner;
  }

  function find(ownerId: string): number | null {
    const known = numbers.get(ownerId);
    if (known !== undefined) return known;
    const row = findSeq.get(ownerId);
    return row === undefined ? null : remember(ownerId, row[0] as number);
  }

  function difference(owner: number): number[] {
    let found = differences.get(owner);
    if (found === undefined) differences.set(owner, (found = [0, 0, 0, 0, 0, 0, 0, 0, 0]));
    return found;
  }

  function bump(owner: number, place: number, by: number): void {
    const found = difference(owner);
    found[place] = (found[place] as number) + by;
  }

  return {
    find,
    enrol(ownerId) {
      const known = find(ownerId);
      if (known !== null) return known;
      enrolled.push(ownerId);
      return remember(ownerId, Number(insert.run(ownerId).lastInsertRowid));
    },
    idOf(owner) {
      return ids.get(owner) ?? (findId.get(owner)?.[0] as string);
    },
    count(owner, state, priority, by) {
      bump(owner, (state === LIVE ? UNPINNED : PINNED_PLACES) + priority, by);
    },
    changed(owner) {
      difference(owner)[CHANGES] = 1;
    },
    swept(owner, priority) {
      bump(owner, UNPINNED + priority, -1);
      bump(owner, SWEPT, 1);
    },
    weigh(owner, bytes) {
      if (bytes !== 0) bump(owner, BYTES, bytes);
    },
    used(owner) {
      let known = before.get(owner);
      if (known === undefined) before.set(owner, (known = usage(owner)));
      const by = differences.get(owner);
      if (by === undefined) return known;
      const tasks = by.slice(UNPINNED, BYTES).reduce((sum, one) => sum + one, known.tasks);
      return { tasks, bytes: known.bytes + (by[BYTES] as number) };
    },
    mark(owner) {
      const noted = differences.get(owner)?.slice();
      return () => {
        if (noted === undefined) differences.delete(owner);
        else differences.set(owner, noted);
      };
    },
    usage,
    read(owner) {
      const row = (counts.get(owner) ?? [0, 0, 0, 0, 0, 0, 0, 0]) as number[];
      return {
        unpinned: row.slice(0, 3) as Counts['unpinned'],
        pinned: row.slice(3, 6) as Counts['pinned'],
        changes: row[6] as number,
        swept: row[7] as number,
      };
    },
    overdue(owner, now) {
      const [all, normal, high] = expired.get(now, owner) as [number, number, number];
      return [all - normal - high, normal, high];
    },
    beforeCommit() {
      for (const [owner, by] of differences) add.run(...by, owner);
    },
    committed() {
      if (differences.size > 0) differences = new Map();
      if (before.size > 0) before = new Map();
      if (enrolled.length > 0) enrolled = [];
    },
    rolledBack() {
      // A number given in this transaction was never stored; another owner may be given it next time.
      for (const ownerId of enrolled) {
        ids.delete(numbers.get(ownerId) as number);
        numbers.delete(ownerId);
      }
      differences = new Map();
      before = new Map();
      enrolled = [];
    },
  };
}

/** The counts of the tasks visible at the moment that `overdue` was counted for. */
export function toStatistics(counts: Counts, overdue: readonly [number, number, number]): Statistics {
  const { unpinned, pinned } = counts;
  const low = unpinned[0] - overdue[0] + pinned[0];
  const normal = unpinned[1] - overdue[1] + pinned[1];
  const high = unpinned[2] - overdue[2] + pinned[2];
  return { total: low + normal + high, high, normal, low, pinned: pinned[0] + pinned[1] + pinned[2] };
}
