// The storage driver for one machine: SQLite through Node itself, one file, no service to run. A write is on disk when
// it resolves; the command line may work on the same file beside a running server.
import { dirname, resolve } from 'node:path';
import type { Clock } from '#core/ports/clock.ts';
import type { Log } from '#core/ports/log.ts';
import type { Storage } from '#core/ports/storage.ts';
import { NO_QUOTA, type Quota } from '#core/ports/task-store.ts';
import { createSqliteAccountStore } from './account-store.ts';
import { createSqliteAdapterStore } from './adapter-store.ts';
import { openDatabase, prepareQuery } from './database.ts';
import { reading } from './faults.ts';
import { createGroupCommit } from './group-commit.ts';
import { createIntegrity, listening } from './integrity.ts';
import { createLogSync } from './log-sync.ts';
import { createSqliteIntakeStore } from './intake-store.ts';
import { createOwners } from './owners.ts';
import { createScanThread } from './scan-thread.ts';
import { createSqliteRejectedStore } from './rejected-store.ts';
import { lockFolder, type ServerLock } from './server-lock.ts';
import { createSqliteTaskStore } from './task-store.ts';
import { createSqliteTransfer } from './transfer.ts';

/** How often to look whether another process wrote to the file. */
const WATCH_INTERVAL_MS = 250;

export interface SqliteStorageOptions {
  /** Path of the database; made when missing, with its directory. */
  file: string;
  clock: Clock;
  log?: Pick<Log, 'warn' | 'error'>;
  /** Keeps every other process out while it is open, and is refused while another has it open. */
  exclusive?: boolean;
  /** Keeps every other server out of the folder while it is open, is refused while another server is in, and looks for damage daily. */
  server?: boolean;
  /** What one owner may have; anything, when it is left out. */
  quota?: Quota;
  /** How long a search may hold the event loop before it goes on in a thread, in milliseconds. */
  searchHereMs?: number;
}

/** Opens the file. Throws QinboxError, in one line for the operator, when it cannot be used. */
export function openSqliteStorage(options: SqliteStorageOptions): Storage {
  const lock = options.server === true ? lockFor(options) : undefined;
  try {
    return storageOn(options, lock);
  } catch (error) {
    lock?.release();
    throw error;
  }
}

function lockFor({ file, log }: SqliteStorageOptions): ServerLock {
  return lockFolder(dirname(resolve(file)), (error) =>
    log?.warn({ err: error }, 'The data folder cannot be locked: make sure that no other server uses it.'),
  );
}

function storageOn(options: SqliteStorageOptions, lock: ServerLock | undefined): Storage {
  const { file, clock, log: logger, exclusive, server = false, searchHereMs, quota = NO_QUOTA } = options;
  const db = openDatabase(file, exclusive);
  const owners = createOwners(db);
  const log = createLogSync(file);
  const group = createGroupCommit(db, owners, () => log.sync());
  const thread = createScanThread(file);
  const tasks = createSqliteTaskStore({ db, group, owners, clock, thread, searchHereMs, quota });
  const accounts = createSqliteAccountStore(db, group);
  const intakes = createSqliteIntakeStore(db, group);
  const writeCheck = db.prepare('INSERT OR REPLACE INTO write_checks (only_row, at) VALUES (1, ?)');
  const dataVersion = prepareQuery(db, 'PRAGMA data_version');
  const watches = new Set<NodeJS.Timeout>();
  const integrity = createIntegrity(file, server, logger);
  const heard = <S extends object>(store: S): S => listening(store, integrity.heard);
  let closing: Promise<void> | undefined;

  return {
    tasks: heard(tasks),
    accounts: heard(accounts),
    rejected: heard(createSqliteRejectedStore(db, group)),
    intakes: heard(intakes),
    adapterData: heard(createSqliteAdapterStore(db, group)),
    transfer: createSqliteTransfer(db, group, owners),
    damage: integrity.damage,
    verify: integrity.verify,
    check() {
      const written = group.write(() => void writeCheck.run(clock.now()));
      written.catch(integrity.heard);
      return written;
    },
    watch(changed) {
      // Commits of this connection do not count, so that only other processes are noticed.
      const version = () => reading(() => dataVersion.get()?.[0]);
      let seen = dataVersion.get()?.[0];
      const look = async (): Promise<void> => {
        // While the disk fails to answer there is nothing to tell.
        const now = await version().catch(() => seen);
        if (now === seen || !watches.has(timer)) return;
        seen = now;
        changed();
      };
      const timer = setInterval(() => void look(), WATCH_INTERVAL_MS).unref();
      watches.add(timer);
      return () => {
        clearInterval(timer);
        watches.delete(timer);
      };
    },
    close: () => (closing ??= close()),
  };

  async function close(): Promise<void> {
    for (const timer of watches) clearInterval(timer);
    watches.clear();
    integrity.close();
    accounts.flush();
    intakes.flush();
    await thread.close();
    await group.close();
    log.close();
    try {
      db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    } catch (error) {
      // What is in the log is as durable as what is in the file: the next start goes on from there.
      logger?.warn({ err: error }, 'The database log could not be folded into the file.');
    }
    db.close();
    lock?.release();
  }
}
