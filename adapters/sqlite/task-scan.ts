// Looks at an owner's live tasks one after the other, the greatest id first, for as long as it may, and says where it stopped. The
// same in the thread that searches and on the event loop.
import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import type { TaskFilter } from '#core/ports/task-store.ts';
import { prepareRows, type Rows } from './database.ts';
import { LIVE, PINNED, PRIORITY_NUMBER, TASK_BYTES } from './rows.ts';

/** Where to go on and what to collect. Plain data: it crosses to the thread. */
export interface ScanRequest {
  /** The owner's number in the tables. */
  owner: number;
  filter: TaskFilter;
  now: number;
  /** Only ids below this; null begins at the greatest. */
  before: string | null;
  /** So many matches are collected of the pinned and of the unpinned tasks each; all are counted. */
  collect: { pinned: number; live: number };
}

/** A task that matched, in the version that did. */
export interface Match {
  id: string;
  version: number;
  /** What it takes of an answer. */
  bytes: number;
}

/** What was found among the matches of one kind, in the order of the list. */
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

/** Scans until `forMs` are over, one task at least. */
export type Scan = (request: ScanRequest, forMs: number) => ScanSlice;

/** After all ids. */
const LAST = '\u{10FFFF}';

export function createScan(db: DatabaseSync): Scan {
  // One statement for each shape of filter, made when first needed; there are fewer than 100 shapes.
  const prepared = new Map<string, Rows>();

  function prepare(sql: string): Rows {
    let rows = prepared.get(sql);
    if (rows === undefined) prepared.set(sql, (rows = prepareRows(db, sql)));
    return rows;
  }

  return ({ owner, filter, now, before, collect }, forMs) => {
    const end = performance.now() + forMs;
    const { sql, parameters } = queryOf(filter, now);
    const pinned: Matches = { total: 0, first: [] };
    const live: Matches = { total: 0, first: [] };
    for (const row of prepare(sql).iterate(...parameters, owner, before ?? LAST)) {
      const [id, version, state, matched, bytes] = row as [string, number, number, number, number];
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

// What the index knows leaves a row out; all else is a column, so that the time is looked at after each task and not only after
// one that matches.
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
    // instr and not LIKE: nothing to escape, and it looks beyond a NUL.
    matches.push(
      '(instr(lower(content), ?) > 0 OR EXISTS (SELECT 1 FROM json_each(tags) WHERE instr(lower(value), ?) > 0))',
    );
    const text = lowerAscii(filter.text);
    parameters.push(text, text);
  }
  const state = filter.pinned === undefined ? 'state > 0' : `state = ${filter.pinned ? PINNED : LIVE}`;
  const priority = filter.priority === undefined ? '' : ` AND priority = ${PRIORITY_NUMBER[filter.priority]}`;
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
