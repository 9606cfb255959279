// Scans an owner's live tasks by descending id for a limited time, and answers where it stopped.
import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import type { TaskFilter } from '#core/ports/task-store.ts';
import { LIVE, PINNED } from '#core/domain/task-state.ts';
import { PRIORITY_RANK } from '#core/domain/task.ts';
import { prepareArrays, type ArrayRows } from './database.ts';
import { TASK_BYTES } from './task-rows.ts';

/** Plain data, because it is sent to the thread. */
export interface ScanRequest {
  /** The owner's number in the tables. */
  owner: number;
  filter: TaskFilter;
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
}

/** In the order of the list. */
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
const LAST = '\u{10FFFF}';

type ScanRow = readonly [id: string, version: number, state: number, matched: number, bytes: number];

export function createScan(db: DatabaseSync): Scan {
  // One statement for each shape of filter, prepared when first needed; there are fewer than 100.
  const prepared = new Map<string, ArrayRows<ScanRow>>();

  function prepare(sql: string): ArrayRows<ScanRow> {
    let rows = prepared.get(sql);
    if (rows === undefined) prepared.set(sql, (rows = prepareArrays(db, sql)));
    return rows;
  }

  return ({ owner, filter, now, before, collect }, forMs) => {
    const end = performance.now() + forMs;
    const { sql, parameters } = queryOf(filter, now);
    const pinned: Matches = { total: 0, first: [] };
    const live: Matches = { total: 0, first: [] };
    for (const row of prepare(sql).iterate(...parameters, owner, before ?? LAST)) {
      const [id, version, state, matched, bytes] = row;
      if (matched === 1) {
        const [found, wanted] = state === PINNED ? [pinned, collect.pinned] : [live, collect.live];
        found.total++;
        if (found.first.length < wanted) found.first.push({ id, version, bytes });
      }
      if (performance.now() >= end) return { pinned, live, next: id };
    }
    return { pinned, live, next: null };
  };
}

// Conditions on columns of the index are in WHERE. The others are a result column, so that the time is
// checked after each task and not only after a match.
function queryOf(filter: TaskFilter, now: number): { sql: string; parameters: SQLInputValue[] } {
  const matches = [`(state = ${PINNED} OR expires_at > ?)`];
  const parameters: SQLInputValue[] = [now];
  if (filter.source !== undefined) {
    matches.push('source = ?');
    parameters.push(filter.source);
  }
  if (filter.tag !== undefined) {
    matches.push('EXISTS (SELECT 1 FROM json_each(tags) WHERE value = ?)');
    parameters.push(filter.tag);
  }
  if (filter.text !== undefined) {
    // instr and not LIKE: it needs no escaping and searches beyond a NUL.
    matches.push(
      '(instr(lower(content), ?) > 0 OR EXISTS (SELECT 1 FROM json_each(tags) WHERE instr(lower(value), ?) > 0))',
    );
    const text = lowerAscii(filter.text);
    parameters.push(text, text);
  }
  const state = filter.pinned === undefined ? 'state > 0' : `state = ${filter.pinned ? PINNED : LIVE}`;
  const priority = filter.priority === undefined ? '' : ` AND priority = ${PRIORITY_RANK[filter.priority]}`;
  return {
    sql:
      `SELECT id, version, state, ${matches.join(' AND ')}, ${TASK_BYTES} FROM tasks INDEXED BY tasks_by_id ` +
      `WHERE owner = ? AND id < ? AND ${state}${priority} ORDER BY id DESC`,
    parameters,
  };
}

/** As SQLite's lower(): ASCII letters only. */
function lowerAscii(text: string): string {
  return text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}
