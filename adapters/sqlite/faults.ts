// Errors of SQLite: faults of storage (disk, lock, permission), which may pass, and mistakes of one
// statement. Numbers: https://www.sqlite.org/rescode.html
import { QinboxError, unavailable } from '#core/errors.ts';

const STORAGE_FAULTS = new Set([
  3, // PERM
  5, // BUSY
  6, // LOCKED
  7, // NOMEM
  8, // READONLY
  10, // IOERR
  11, // CORRUPT
  13, // FULL
  14, // CANTOPEN
  15, // PROTOCOL
  22, // NOLFS
  23, // AUTH
  26, // NOTADB
]);
const CONSTRAINT = 19;
const FULL = 13;
/** IOERR_SHMSIZE: on a full disk the index beside the log cannot grow, which SQLite does not call FULL. */
const SHM_CANNOT_GROW = 4874;
/** CORRUPT, NOTADB. */
const DAMAGE = new Set([11, 26]);

/** SQLite's primary result code, FULL for each that a full disk has; null when the error is not SQLite's. */
export function sqliteCode(error: unknown): number | null {
  if (!(error instanceof Error) || !('errcode' in error) || typeof error.errcode !== 'number') return null;
  return error.errcode === SHM_CANNOT_GROW ? FULL : error.errcode & 0xff;
}

/** Whether storage itself is at fault, so that any other write would fail just now as well. */
export function isStorageFault(error: unknown): boolean {
  const code = sqliteCode(error);
  return code !== null && STORAGE_FAULTS.has(code);
}

/** Whether the file is damaged or no database. */
export function isDamage(error: unknown): boolean {
  const code = sqliteCode(error);
  return code !== null && DAMAGE.has(code);
}

/** Runs a write; a row that contradicts another (same id, hash or e-mail) is a CONFLICT. */
export function orConflict<T>(write: () => T): T {
  try {
    return write();
  } catch (error) {
    throw sqliteCode(error) === CONSTRAINT ? new QinboxError('CONFLICT', undefined, { cause: error }) : error;
  }
}

/** The public error for a fault of storage. */
export function storeFault(error: unknown): QinboxError {
  if (!isDamage(error)) return unavailable('store', error);
  return new QinboxError(
    'SERVICE_UNAVAILABLE',
    'The store is damaged. The operator of this server must run "qinbox doctor" and put back a backup.',
    { cause: error, retryAfterSeconds: 60 },
  );
}

/** Runs a read; a fault of storage becomes SERVICE_UNAVAILABLE. */
export function reading<T>(read: () => T): Promise<T> {
  return new Promise((resolve, reject) => {
    try {
      resolve(read());
    } catch (error) {
      reject(isStorageFault(error) || isClosed(error) ? storeFault(error) : (error as Error));
    }
  });
}

function isClosed(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_INVALID_STATE';
}
