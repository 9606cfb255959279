// Locks a data folder for one server by a lock of the operating system on a file next to the database, which
// ends with the process. The command line needs no lock.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { QinboxError } from '#core/errors.ts';
import { sqliteCode } from './faults.ts';

/** How long to wait for a server that is just ending. */
const TIMEOUT_MS = 2000;
/** Another server may hold the probe for a moment. */
const PROBE_MS = 200;
const BUSY = 5;

export interface ServerLock {
  /** May be called twice. */
  release(): void;
}

/**
 * Locks the folder. Throws QinboxError with one line for the operator while another server has the lock, or
 * where the file system has no locks, which SQLite needs. Any other error goes to `warn`, and the server runs
 * unlocked: opening the database reports it better.
 */
export function lockFolder(folder: string, warn: (error: unknown) => void): ServerLock {
  let held: DatabaseSync | undefined;
  try {
    held = lock(join(folder, 'server.lock'), TIMEOUT_MS);
  } catch (error) {
    if (isBusy(error))
      throw new QinboxError(
        'SERVICE_UNAVAILABLE',
        hasLocks(folder) ? takenText(folder) : noLocksText(folder),
        {
          cause: error,
        },
      );
    warn(error);
  }
  return {
    release() {
      if (held?.isOpen === true) held.close();
    },
  };
}

// SQLite can lock a file on every system. Nothing is written to this one.
function lock(file: string, timeout: number): DatabaseSync {
  const db = new DatabaseSync(file, { timeout });
  try {
    db.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE');
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

function isBusy(error: unknown): boolean {
  return sqliteCode(error) === BUSY;
}

/** Without locks a network file system refuses each of them, even on a file that no process has open. */
function hasLocks(folder: string): boolean {
  const probe = join(folder, 'server.lock.probe');
  try {
    lock(probe, PROBE_MS).close();
    return true;
  } catch (error) {
    return !isBusy(error);
  } finally {
    rmSync(probe, { force: true });
  }
}

function takenText(folder: string): string {
  return `Another Qinbox server is running on the folder ${folder}. Stop that one first, or choose another DATA_DIR.`;
}

function noLocksText(folder: string): string {
  return `The file system of the folder ${folder} has no locks, which SQLite needs. Choose a DATA_DIR on a local disk.`;
}
