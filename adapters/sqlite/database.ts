// Opens the file: its log synced by whoever commits, waiting a moment for another process, brought up to date. Whatever stands
// in the way becomes one line that names the file and says what to do.
import { closeSync, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync, type SQLInputValue, type SQLOutputValue } from 'node:sqlite';
import { QinboxError } from '#core/errors.ts';
import { sqliteCode } from './faults.ts';
import { migrate, refuseNewer } from './migrations.ts';

/** How long a write waits for the lock of another process (the command line beside a running server). */
const BUSY_TIMEOUT_MS = 2000;

// NORMAL syncs at checkpoints alone: each commit's own sync is the group commit's (log-sync.ts), which nobody is answered before.
// 16 MiB of pages are kept in memory. The log is folded into the file every 8 MiB: seldom enough to
// cost little, often enough that the pause stays at a few milliseconds.
const PRAGMAS = `
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = NORMAL;
  PRAGMA foreign_keys = ON;
  PRAGMA wal_autocheckpoint = 2000;
  PRAGMA cache_size = -16384;
  PRAGMA temp_store = MEMORY;
  PRAGMA trusted_schema = OFF;
`;

/** Opens or makes the file. Throws QinboxError with a message for the operator. */
export function openDatabase(file: string, exclusive = false): DatabaseSync {
  let db: DatabaseSync | undefined;
  try {
    mkdirSync(dirname(file), { recursive: true });
    // Made here and not by SQLite, so that nobody else on the machine can read it; its log takes over the mode.
    closeSync(openSync(file, 'a', 0o600));
    db = new DatabaseSync(file, { timeout: BUSY_TIMEOUT_MS });
    // Only before the first access does this mean the whole file, and not one transaction (sqlite.org/wal.html, 8).
    if (exclusive) db.exec('PRAGMA locking_mode = EXCLUSIVE');
    // Before anything is written to it.
    refuseNewer(db, file);
    db.exec(PRAGMAS);
    migrate(db, file);
    // Shows now, and not at the first request, that the file cannot be written.
    db.exec('BEGIN IMMEDIATE; COMMIT');
    return db;
  } catch (error) {
    if (db?.isOpen === true) db.close();
    throw error instanceof QinboxError
      ? error
      : new QinboxError('SERVICE_UNAVAILABLE', explain(file, error), { cause: error });
  }
}

/** One row as an array of column values. */
export type Row = readonly SQLOutputValue[];

/** A statement that reads rows as arrays: fewer allocations than objects. */
export interface Query {
  get(...parameters: SQLInputValue[]): Row | undefined;
  all(...parameters: SQLInputValue[]): Row[];
}

/** A statement whose rows are read one by one, for as long as they are wanted. */
export interface Rows {
  iterate(...parameters: SQLInputValue[]): IterableIterator<Row>;
}

/** Prepares {@link Rows}. */
export function prepareRows(db: DatabaseSync, sql: string): Rows {
  const statement = db.prepare(sql);
  statement.setReturnArrays(true);
  // The library's types know of rows as objects only.
  return statement as unknown as Rows;
}

/** Prepares a {@link Query}. */
export function prepareQuery(db: DatabaseSync, sql: string): Query {
  const statement = db.prepare(sql);
  statement.setReturnArrays(true);
  // The library's types know of rows as objects only.
  return statement as unknown as Query;
}

const HINTS: Record<number, string> = {
  5: 'another process holds its lock. Stop that process, then start again.',
  8: 'it is read-only. Make the file and its directory writable, or choose another DATA_DIR.',
  10: 'the disk reported an error. Check the disk, or choose another DATA_DIR.',
  11: 'it is damaged. Put back a backup, or choose another DATA_DIR.',
  13: 'the disk is full. Free some space, then start again.',
  14: 'it cannot be opened. Make the file and its directory writable, or choose another DATA_DIR.',
  26: 'it is not a Qinbox database. Move it away, or choose another DATA_DIR.',
};

const SYSTEM_HINTS: Record<string, string> = {
  EACCES: 'permission denied. Make the file and its directory writable, or choose another DATA_DIR.',
  EPERM: 'permission denied. Make the file and its directory writable, or choose another DATA_DIR.',
  EROFS: 'the file system is read-only. Mount it writable, or choose another DATA_DIR.',
  ENOSPC: 'the disk is full. Free some space, then start again.',
  EISDIR: 'it is a directory. Move it away, or choose another DATA_DIR.',
  ENOTDIR: 'its directory is a file. Move that away, or choose another DATA_DIR.',
  EEXIST: 'its directory is a file. Move that away, or choose another DATA_DIR.',
};

function explain(file: string, error: unknown): string {
  const hint = HINTS[sqliteCode(error) ?? 0] ?? SYSTEM_HINTS[systemCode(error)];
  const reason = hint ?? (error instanceof Error ? error.message : String(error));
  return `The database ${file} cannot be used: ${reason}`;
}

function systemCode(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}
