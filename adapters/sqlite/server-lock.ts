// Keeps a second server out of a data folder. The lock is the operating system's own, on a file beside the database: it ends with the
// process that holds it, however that ends, and knows no leftovers. The command line needs no lock and works beside a server.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { QinboxError } from '#core/errors.ts';
import { sqliteCode } from './faults.ts';

/** How long to wait for a server that is just ending. */
const PATIENCE_MS = 2000;
/** Another server may be asking the same at this moment. */
const PROBE_MS = 200;
const BUSY = 5;

export interface ServerLock {
  /** Lets the next server in. Twice is fine. */
  release(): void;
}

/**
 * Takes the folder for this server. Throws QinboxError, in one line for the operator, while another server has it, or where the
 * file system has no locks, without which SQLite cannot work. What else stands in the way is told to `warn`, and the database will
 * say it better: the server goes on without the lock.
 */
export function lockFolder(folder: string, warn: (error: unknown) => void): ServerLock {
  let held: DatabaseSync | undefined;
  try {
    held = lock(join(folder, 'server.lock'), PATIENCE_MS);
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

// SQLite knows how to lock a file on each system. Nothing is ever written to this one.
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

/** A network file system without locks says the same as one whose lock is taken, except of a file that nobody holds. */
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
