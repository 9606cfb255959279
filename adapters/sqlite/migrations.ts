// Migrates a file to this version's schema: all missing steps in one transaction.
import type { DatabaseSync } from 'node:sqlite';
import { QinboxError } from '#core/errors.ts';
import { sql as tasksAndAccounts } from './migrations/0001-tasks-and-accounts.ts';
import { sql as silenceAndIntakes } from './migrations/0002-silence-and-intakes.ts';
import { sql as bytes } from './migrations/0003-bytes.ts';
import { sql as taskIntake } from './migrations/0004-task-intake.ts';
import { sql as savedViews } from './migrations/0005-saved-views.ts';
import { sql as keyExpiry } from './migrations/0006-key-expiry.ts';
import { sql as snooze } from './migrations/0007-snooze.ts';
import { sql as push } from './migrations/0008-push.ts';
import { sql as webhooks } from './migrations/0009-webhooks.ts';
import { sql as followUps } from './migrations/0010-follow-ups.ts';
import { sql as accountDeletion } from './migrations/0011-account-deletion.ts';
import { sql as revokedKeys } from './migrations/0012-revoked-keys.ts';
import { sql as waitingBytes } from './migrations/0013-waiting-bytes.ts';
import { sql as revokedIntakes } from './migrations/0014-revoked-intakes.ts';

/** The number of a step is its place, from 1. A step that was released is never changed. */
export const MIGRATIONS: readonly string[] = [
  tasksAndAccounts,
  silenceAndIntakes,
  bytes,
  taskIntake,
  savedViews,
  keyExpiry,
  snooze,
  push,
  webhooks,
  followUps,
  accountDeletion,
  revokedKeys,
  waitingBytes,
  revokedIntakes,
];

/** Throws when the file was written by a newer Qinbox; answers the version that the file has. */
export function refuseNewer(db: DatabaseSync, file: string, known: number = MIGRATIONS.length): number {
  const version = Number(db.prepare('PRAGMA user_version').get()?.['user_version']);
  if (version > known)
    throw new QinboxError(
      'SERVICE_UNAVAILABLE',
      `${file} was written by a newer Qinbox (its schema is ${version}, this program knows ${known}). ` +
        'Start the newer Qinbox, or choose another DATA_DIR.',
    );
  return version;
}

/** Applies what is missing. Throws, changing nothing, when the file was written by a newer Qinbox. */
export function migrate(db: DatabaseSync, file: string, steps: readonly string[] = MIGRATIONS): void {
  if (refuseNewer(db, file, steps.length) === steps.length) return;
  // Two processes may start at once: the version is read again under the lock.
  db.exec('BEGIN IMMEDIATE');
  try {
    const version = refuseNewer(db, file, steps.length);
    for (const step of steps.slice(version)) db.exec(step);
    db.exec(`PRAGMA user_version = ${steps.length}`);
    db.exec('COMMIT');
  } catch (error) {
    if (db.isTransaction) db.exec('ROLLBACK');
    throw error;
  }
}
