// The storage driver for one machine: one SQLite file, no service to run. A write is on disk when it
// resolves. The command line may use the file while a server runs.
import { dirname, resolve } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { createLastUses, type LastUses } from '#core/last-uses.ts';
import type { Clock } from '#core/ports/clock.ts';
import type { Log } from '#core/ports/log.ts';
import type { Storage } from '#core/ports/storage.ts';
import { NO_QUOTA, type Quota } from '#core/ports/task-store.ts';
import { wrapStores } from '#core/wrap-methods.ts';
import { createSqliteAccountStore } from './account-store.ts';
import { createSqliteAdapterStore } from './adapter-store.ts';
import { createCheckpoints } from './disk/checkpoints.ts';
import { openDatabase } from './database.ts';
import { createGroupCommit, type GroupCommit, type TransactionHook } from './disk/group-commit.ts';
import { createSqliteFollowUpStore } from './follow-up-store.ts';
import { createIntegrity } from './integrity.ts';
import { createSqliteIntakeStore } from './intake-store.ts';
import { createLogSync } from './disk/log-sync.ts';
import { createSqliteOwnerData } from './owner-data.ts';
import { createOwners } from './owners.ts';
import { createSqlitePushStore, createSqliteSecretStore } from './push-store.ts';
import { createSqliteRejectedStore } from './rejected-store.ts';
import { createScanThread } from './tasks/scan-thread.ts';
import { lockFolder, type ServerLock } from './server-lock.ts';
import { createTaskCache } from './tasks/task-cache.ts';
import { createTaskEvents } from './tasks/task-events.ts';
import { createSqliteTaskStore } from './tasks/task-store.ts';
import { createSqliteTransfer } from './transfer.ts';
import { createWatch } from './watch.ts';
import { createSqliteWebhookStore } from './webhook-store.ts';
import { createWorkLanes } from './work-rows.ts';
import { createSqliteWorkStore } from './work-store.ts';

export interface SqliteStorageOptions {
  /** Path of the database; created when missing, with its directory. */
  file: string;
  clock: Clock;
  log?: Pick<Log, 'warn' | 'error'>;
  /** Locks the file against every other process. Fails while another process has it open. */
  exclusive?: boolean;
  /** Locks the folder against every other server, and checks the file for damage daily. */
  server?: boolean;
  /** The quota of each owner; without it there is none. */
  quota?: Quota;
  /** How long a search may hold the event loop before it goes on in a thread, in milliseconds. */
  searchHereMs?: number;
}

/** Opens the file. Throws QinboxError with one line for the operator. */
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
  const { file, clock, log, exclusive, server = false, searchHereMs, quota = NO_QUOTA } = options;
  const db = openDatabase(file, exclusive);
  const owners = createOwners(db);
  const cache = createTaskCache();
  const logSync = createLogSync(file);
  const lanes = createWorkLanes();
  const events = createTaskEvents(db, lanes);
  const checkpoint = exclusive === true ? undefined : createCheckpoints(db, () => logSync.checkpoint(), log);
  const group = createGroupCommit(db, both(owners, events), () => logSync.sync(), checkpoint);
  const thread = createScanThread(file);
  const keyUses = createUses(db, group, 'api_keys');
  const intakeUses = createUses(db, group, 'intakes');
  const writeCheck = db.prepare('INSERT OR REPLACE INTO write_checks (only_row, at) VALUES (1, ?)');
  const watch = createWatch(db);
  const integrity = createIntegrity(file, server, log);
  let closing: Promise<void> | undefined;

  function noticingDamage<T>(call: () => Promise<T>): Promise<T> {
    const result = call();
    result.catch(integrity.onError);
    return result;
  }

  async function close(): Promise<void> {
    watch.close();
    integrity.close();
    void keyUses.flush();
    void intakeUses.flush();
    await thread.close();
    await group.close();
    logSync.close();
    try {
      db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    } catch (error) {
      // The log is as durable as the file: the next start goes on from it.
      log?.warn({ err: error }, 'The database log could not be folded into the file.');
    }
    db.close();
    lock?.release();
  }

  const stores = {
    tasks: createSqliteTaskStore({ db, group, owners, cache, events, clock, thread, searchHereMs, quota }),
    accounts: createSqliteAccountStore(db, group, keyUses),
    rejected: createSqliteRejectedStore(db, group),
    intakes: createSqliteIntakeStore(db, group, intakeUses),
    adapterData: createSqliteAdapterStore(db, group),
    push: createSqlitePushStore(db, group, events),
    secrets: createSqliteSecretStore(db, group),
    webhooks: createSqliteWebhookStore(db, group, events),
    followUps: createSqliteFollowUpStore(db, group, events),
    work: createSqliteWorkStore({ db, group, lanes, isAlone: server }),
  };
  return {
    ...wrapStores(stores, noticingDamage),
    transfer: createSqliteTransfer({ db, group, owners, events, clock }),
    ownerData: createSqliteOwnerData({ db, group, owners, cache, events, clock, quota }),
    damage: integrity.damage,
    verify: integrity.verify,
    check: () => noticingDamage(() => group.write(() => void writeCheck.run(clock.now()))),
    watch: watch.start,
    onWork: lanes.on,
    close: () => (closing ??= close()),
  };
}

function both(first: TransactionHook, second: TransactionHook): TransactionHook {
  return {
    beforeCommit() {
      first.beforeCommit();
      second.beforeCommit();
    },
    committed() {
      first.committed();
      second.committed();
    },
    synced() {
      first.synced?.();
      second.synced?.();
    },
    rolledBack() {
      first.rolledBack();
      second.rolledBack();
    },
  };
}

function createUses(db: DatabaseSync, group: GroupCommit, table: 'api_keys' | 'intakes'): LastUses {
  const store = db.prepare(`UPDATE ${table} SET last_used_at = max(ifnull(last_used_at, 0), ?) WHERE id = ?`);
  return createLastUses((uses) => group.write(() => uses.forEach(([id, at]) => store.run(at, id))));
}
