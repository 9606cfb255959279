// Opens the database file and migrates it. An error becomes one line that names the file and says what to do.
//
// Statements say `LIMIT +?`: of a bare `LIMIT ?` SQLite plans by the number, and compiles the statement again
// each time that one is bound (sqlite3ExprIsInteger in expr.c), a twelfth of what a list took.
import { closeSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import { makeFolder } from '#core/make-folder.ts';
import { QinboxError } from '#core/errors.ts';
import { sqliteCode } from './faults.ts';
import { migrate, refuseNewer } from './migrations.ts';

/** How long a write waits for the lock of another process (the command line while a server runs). */
const BUSY_TIMEOUT_MS = 2000;

// NORMAL syncs at checkpoints alone: the group commit syncs each commit (log-sync.ts). A log that a reader
// held up for long, as a backup or a check does, is cut to 32 MiB when it begins anew; it takes a quarter of
// that as a rule. 4 MiB of pages are cached.
const PRAGMAS = `
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = NORMAL;
  PRAGMA journal_size_limit = 33554432;
  PRAGMA foreign_keys = ON;
  PRAGMA cache_size = -4096;
  PRAGMA temp_store = MEMORY;
  PRAGMA trusted_schema = OFF;
`;

/**
 * Pages of the log after which a commit makes a checkpoint, on the event loop. Those in the thread come long
 * before (checkpoints.ts), unless they fail; a file that is locked for one connection has this one alone.
 */
const CHECKPOINT_PAGES = { shared: 16_000, exclusive: 2000 };

/** Opens or makes the file. Throws QinboxError with a message for the operator. */
export function openDatabase(file: string, exclusive = false): DatabaseSync {
  let db: DatabaseSync | undefined;
  try {
    makeFolder(dirname(file));
    // SQLite would let others read the file. The log gets the same mode.
    closeSync(openSync(file, 'a', 0o600));
    db = new DatabaseSync(file, { timeout: BUSY_TIMEOUT_MS });
    // Before the first access, so that the lock holds beyond one transaction (sqlite.org/wal.html, 8).
    if (exclusive) db.exec('PRAGMA locking_mode = EXCLUSIVE');
    refuseNewer(db, file);
    db.exec(PRAGMAS);
    db.exec(`PRAGMA wal_autocheckpoint = ${CHECKPOINT_PAGES[exclusive ? 'exclusive' : 'shared']}`);
    migrate(db, file);
    // Fails now, and not at the first request, when the file cannot be written.
    db.exec('BEGIN IMMEDIATE; COMMIT');
    return db;
  } catch (error) {
    if (db?.isOpen === true) db.close();
    throw error instanceof QinboxError
      ? error
      : new QinboxError('SERVICE_UNAVAILABLE', explain(file, error), { cause: error });
  }
}

/** A statement whose rows are arrays: fewer allocations than objects. */
export interface ArrayRows<Row> {
  get(...parameters: SQLInputValue[]): Row | undefined;
  all(...parameters: SQLInputValue[]): Row[];
  /** Reads one row after another, for as long as they are wanted. */
  iterate(...parameters: SQLInputValue[]): IterableIterator<Row>;
}

export function prepareArrays<Row>(db: DatabaseSync, sql: string): ArrayRows<Row> {
  const statement = db.prepare(sql);
  statement.setReturnArrays(true);
  // The tables are STRICT: each column has the type that the schema says.
  return statement as unknown as ArrayRows<Row>;
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
