// Brings a file to the shape that this version of Qinbox works with: numbered steps, all that are missing in one
// transaction, so that a file is either as it was or completely up to date.
import type { DatabaseSync } from 'node:sqlite';
import { QinboxError } from '#core/errors.ts';
import { sql as tasksAndAccounts } from './migrations/0001-tasks-and-accounts.ts';

/** The steps in order; the number of a step is its place, from 1. A step that was released is never changed. */
export const MIGRATIONS: readonly string[] = [tasksAndAccounts];

/** Applies what is missing. Throws, changing nothing, when the file was written by a newer Qinbox. */
export function migrate(db: DatabaseSync, file: string, steps: readonly string[] = MIGRATIONS): void {
  if (versionOf(db) === steps.length) return;
  // Two processes may start at once: the version is read again under the lock.
  db.exec('BEGIN IMMEDIATE');
  try {
    const version = versionOf(db);
    if (version > steps.length)
      throw new QinboxError(
        'SERVICE_UNAVAILABLE',
        `${file} was written by a newer Qinbox (its schema is ${version}, this program knows ${steps.length}). ` +
          'Start the newer Qinbox, or choose another DATA_DIR.',
      );
    for (const step of steps.slice(version)) db.exec(step);
    db.exec(`PRAGMA user_version = ${steps.length}`);
    db.exec('COMMIT');
  } catch (error) {
    if (db.isTransaction) db.exec('ROLLBACK');
    throw error;
  }
}

function versionOf(db: DatabaseSync): number {
  return Number(db.prepare('PRAGMA user_version').get()?.['user_version']);
}
