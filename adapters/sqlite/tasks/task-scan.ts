// Scans an owner's live tasks by descending id for a limited time, and answers where it stopped.
import type { DatabaseSync } from 'node:sqlite';
import { LRUCache } from 'lru-cache';
import type { TaskOrder } from '#core/contract/index.ts';
import { compareOrderKeys, type OrderKey } from '#core/contract/order.ts';
import { inOrderOfWaking, type TaskFilter } from '#core/ports/task-store.ts';
import { PINNED } from '#core/domain/task-state.ts';
import { prepareArrays, type ArrayRows } from '../database.ts';
import { createTaskMatch, MATCHES, MAY_MATCH, scanOf } from './task-match.ts';
import { readIntake, readTags, TASK_BYTES } from './task-rows.ts';

/** Plain data, because it is sent to the thread. */
export interface ScanRequest {
  kind: 'tasks';
  /** The owner's number in the tables. */
  owner: number;
  filter: TaskFilter;
  order: TaskOrder;
  now: number;
  /** Only ids below this; null begins at the greatest. */
  before: string | null;
  /** How many matches to collect of the pinned and the unpinned tasks. All are counted. */
  collect: { pinned: number; live: number };
}

/** A task in the version that matched. */
export interface Match {
  id: string;
  version: number;
  /** Its size in an answer. */
  bytes: number;
  /** What the order compares. */
  key: OrderKey;
}

/** The first matches in the order of the list. */
export interface Matches {
  total: number;
  first: Match[];
}

export interface ScanSlice {
  pinned: Matches;
  live: Matches;
  /** The `before` of the next slice, or null when there is no more. */
  next: string | null;
}

/** Scans for `forMs`, and one task at least. */
export type Scan = (request: ScanRequest, forMs: number) => ScanSlice;

/** Greater than every id. */
export const LAST = '\u{10FFFF}';

type ScanRow = readonly [
  seq: number,
  id: string,
  version: number,
  state: number,
  matched: number,
  bytes: number,
  key: string | number | null,
];

export function createScan(db: DatabaseSync): Scan {
  // One statement for each shape of filter and order, prepared when first needed.
  const prepared = new LRUCache<string, ArrayRows<ScanRow>>({ max: 100 });
  const matchOf = createTaskMatch(db);

  function prepare(sql: string): ArrayRows<ScanRow> {
    let rows = prepared.get(sql);
    if (rows === undefined) prepared.set(sql, (rows = prepareArrays(db, sql)));
    return rows;
  }

  return ({ owner, filter, order, now, before, collect }, forMs) => {
    const end = performance.now() + forMs;
    const { matched: condition, where, parameters } = scanOf(filter, now);
    const sql =
      `SELECT seq, id, version, state, ${condition}, ${TASK_BYTES}, ${inOrderOfWaking({ filter, order }) ? 'wake_at' : KEYS[order]} FROM tasks INDEXED BY tasks_by_id ` +
      `WHERE owner = ? AND id < ? AND ${where} ORDER BY id DESC`;
    const matches = matchOf(filter);
    const pinned: Matches = { total: 0, first: [] };
    const live: Matches = { total: 0, first: [] };
    const isWaking = inOrderOfWaking({ filter, order });
    const isNewest = order === 'newest' && !isWaking;
    let next: string | null = null;
    for (const row of prepare(sql).iterate(...parameters, owner, before ?? LAST)) {
      const [seq, id, version, state, matched, bytes, key] = row;
      if (matched === MATCHES || (matched === MAY_MATCH && matches(seq))) {
        const [found, wanted] =
          state === PINNED && !isWaking ? [pinned, collect.pinned] : [live, collect.live];
        found.total++;
        if (!isNewest || found.first.length < wanted)
          found.first.push({ id, version, bytes, key: keyOf(order, key) });
      }
      if (performance.now() >= end) {
        next = id;
        break;
      }
    }
    if (!isNewest)
      for (const [found, wanted] of [
        [pinned, collect.pinned],
        [live, collect.live],
      ] as const) {
        found.first.sort(compareMatches);
        found.first.length = Math.min(found.first.length, wanted);
      }
    return { pinned, live, next };
  };
}

/** The place of two matches in the list. */
export function compareMatches(a: Match, b: Match): number {
  return compareOrderKeys(a.key, b.key) || (a.id < b.id ? 1 : -1);
}

/** What each order needs of a row, see {@link keyOf}. */
const KEYS: Record<TaskOrder, string> = {
  newest: 'NULL',
  // The column has the rank of the priority.
  priority: '2 - priority',
  expiry: `iif(state = ${PINNED}, NULL, expires_at)`,
  source: 'source',
  intake: 'intake',
  tag: 'tags',
};

/** As `orderKeyOf`, from the column that the order needs. */
function keyOf(order: TaskOrder, column: string | number | null): OrderKey {
  if (typeof column !== 'string') return column;
  if (order === 'tag') return readTags(column)[0] ?? null;
  return (order === 'intake' ? readIntake(column)?.name : column) || null;
}
