// The storage driver for many processes: MongoDB, on a standalone server, a replica set or a sharded cluster. Nothing needs a
// transaction: each promise rests on what is atomic in one document. A write is journaled on a majority when it resolves.
import type { Db } from 'mongodb';
import { QinboxError } from '#core/errors.ts';
import type { Clock } from '#core/ports/clock.ts';
import type { Log } from '#core/ports/log.ts';
import type { Storage } from '#core/ports/storage.ts';
import { NO_QUOTA, type Quota } from '#core/ports/task-store.ts';
import { createMongoAccountStore } from './account-store.ts';
import { createMongoAdapterStore } from './adapter-store.ts';
import { createIndexes } from './collections.ts';
import { createConnection, hostOf } from './connection.ts';
import { createCalls } from './deadline.ts';
import { createDocuments, type Kept, type OperationHook } from './documents.ts';
import { createMongoIntakeStore } from './intake-store.ts';
import { createMongoRejectedStore } from './rejected-store.ts';
import { createMongoTaskStore } from './task-store.ts';
import { createMongoTransfer } from './transfer.ts';

/** How long any call may take; a REST request has 10 seconds in all. */
const CALL_MS = 8000;
/** A search is two reads, one after the other, within one call. */
const SEARCH_MS = 4000;

export interface MongoStorageOptions {
  /** As MongoDB writes it: `mongodb://…` or `mongodb+srv://…`. Its path names the database; `qinbox` when it names none. */
  url: string;
  clock: Clock;
  log?: Pick<Log, 'warn'>;
  /** What one owner may have; anything, when it is left out. */
  quota?: Quota;
  /** After how long the server gives up each of the two reads of a search. */
  searchMs?: number;
  /** Called around each operation; for tests. */
  hook?: OperationHook;
}

/** Connects and makes the indexes. Throws QinboxError, in one line for the operator and without the password, when it cannot. */
export async function openMongoStorage(options: MongoStorageOptions): Promise<Storage> {
  const { url, clock, log, hook, searchMs = SEARCH_MS, quota = NO_QUOTA } = options;
  const connection = createConnection(url, CALL_MS);
  let ttl: boolean;
  let atomic: boolean;
  try {
    atomic = await isAtomic(connection.db());
    ttl = await createIndexes(connection.db());
  } catch (error) {
    await connection.close();
    throw new QinboxError(
      'SERVICE_UNAVAILABLE',
      `MongoDB at ${hostOf(url)} cannot be used: ${reasonOf(error)}. Check MONGODB_URL and that the server runs.`,
      { cause: error },
    );
  }
  const note = noteOf(ttl, atomic);
  if (note !== null) log?.warn({}, note);

  const calls = createCalls(CALL_MS, () => connection.failed());
  const documents = createDocuments({ connection, calls, atomic, ...(hook === undefined ? {} : { hook }) });
  const accounts = createMongoAccountStore(documents, calls, clock);
  const intakes = createMongoIntakeStore(documents, calls, clock);
  const checks = documents.table<Kept & { at: Date }>('write_checks');
  let closing: Promise<void> | undefined;

  async function close(): Promise<void> {
    // Losing last uses is allowed.
    await Promise.allSettled([accounts.flush(), intakes.flush()]);
    await calls.close();
    await connection.close();
  }

  return {
    tasks: createMongoTaskStore({ documents, calls, clock, searchMs, quota }),
    accounts,
    rejected: createMongoRejectedStore(documents, calls),
    intakes,
    adapterData: createMongoAdapterStore(documents, calls),
    transfer: createMongoTransfer(documents, calls, clock),
    note,
    // MongoDB checks what it reads by itself, and stops rather than go on with what is damaged.
    damage: () => null,
    verify: () => Promise.resolve([]),
    check: () => calls.run(() => checks.put({ _id: 'check', v: 1, at: new Date(clock.now()) })),
    // Whoever shares this store shares an event bus, by which the changes of other processes are heard.
    watch: () => () => {},
    close: () => (closing ??= close()),
  };
}

function reasonOf(error: unknown): string {
  const text = error instanceof Error ? error.message : 'it does not answer';
  return text.split('\n')[0]?.replace(/\.$/, '') ?? text;
}

/** FerretDB 1.x reads a document, matches the filter and writes it back in separate steps. */
async function isAtomic(db: Db): Promise<boolean> {
  return !('ferretdbVersion' in (await db.command({ buildInfo: 1 })));
}

function noteOf(ttl: boolean, atomic: boolean): string | null {
  const notes = [
    ...(ttl ? [] : ['The server refuses TTL indexes: Qinbox removes by itself what is past its time.']),
    ...(atomic
      ? []
      : ['The server does not replace documents atomically: Qinbox locks them, and is slower for it.']),
  ];
  return notes.length === 0 ? null : notes.join(' ');
}
