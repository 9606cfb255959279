// The storage driver for many processes: a MongoDB server, replica set or sharded cluster. Every promise
// rests on operations that are atomic on one document. A write is journaled on a majority when it resolves,
// and a read sees only what a majority has.
import { hostsOf } from '#core/domain/url-credentials.ts';
import { QinboxError } from '#core/errors.ts';
import { createLastUses, type LastUses } from '#core/last-uses.ts';
import type { Clock } from '#core/ports/clock.ts';
import type { Storage } from '#core/ports/storage.ts';
import { NO_QUOTA, type Quota } from '#core/ports/task-store.ts';
import { wrapStores } from '#core/wrap-methods.ts';
import { createMongoAccountStore } from './account-store.ts';
import { createMongoAdapterStore } from './adapter-store.ts';
import { createDatabase, type Database, type OperationHook, type Versioned } from './server/collection.ts';
import { createConnection, withUnlimited, type CommandListener } from './server/connection.ts';
import { createDeadline, type Deadline } from './server/deadline.ts';
import { isRefusal } from './server/faults.ts';
import { createMongoIntakeStore } from './intake-store.ts';
import { createOwnWork } from './work/own-work.ts';
import { createMongoOwnerData } from './owner-data.ts';
import { createMongoPushStore, createMongoSecretStore } from './push-store.ts';
import { createMongoRejectedStore } from './rejected-store.ts';
import { prepareSchema } from './server/schema.ts';
import { createTaskEvents } from './tasks/task-events.ts';
import { createMongoTaskStore } from './tasks/task-store.ts';
import { createMongoTransfer } from './transfer.ts';
import { createMongoFollowUpStore } from './follow-up-store.ts';
import { createMongoWebhookStore } from './webhook-store.ts';
import { createMongoWorkStore } from './work/work-store.ts';

/** How long any call may take; a REST request has 10 seconds in all. */
const CALL_MS = 8000;
/** A search is two reads, one after the other, within one call. */
const SEARCH_MS = 4000;

export interface MongoStorageOptions {
  /** `mongodb://…` or `mongodb+srv://…`. Its path names the database; without one, `qinbox`. */
  url: string;
  /** What the operator gave the address as, for refusals; MONGODB_URL when not given. */
  givenAs?: string;
  clock: Clock;
  /** The quota of each owner; without it there is none. */
  quota?: Quota;
  /** The time after which the server ends each of the two reads of a search. */
  searchMs?: number;
  /** Hears once that another process builds indexes, which opening waits for. */
  onWait?: () => void;
  /** Called around each operation; for tests. */
  hook?: OperationHook;
  /** Called for each command that is sent to the server; for tests. */
  onCommand?: CommandListener;
}

/** Connects and prepares the database. Throws QinboxError with one line for the operator, no password. */
export async function openMongoStorage(options: MongoStorageOptions): Promise<Storage> {
  const { url, clock, hook, onCommand, searchMs = SEARCH_MS, quota = NO_QUOTA, onWait } = options;
  const { givenAs = 'MONGODB_URL' } = options;
  const connection = createConnection(url, CALL_MS, onCommand, givenAs);
  try {
    await withUnlimited(url, (db) => prepareSchema(db, onWait === undefined ? {} : { onWait }));
  } catch (error) {
    await connection.close();
    if (error instanceof QinboxError) throw error;
    throw new QinboxError(
      'SERVICE_UNAVAILABLE',
      `MongoDB at ${hostsOf(url)} cannot be used: ${reasonOf(error)}. ${adviceFor(error, givenAs)}`,
      { cause: error },
    );
  }

  const deadline = createDeadline(CALL_MS, () => connection.failed());
  const database = createDatabase(connection, deadline, hook);
  const events = createTaskEvents(database, deadline);
  const own = createOwnWork();
  const keyUses = createUses(database, deadline, 'api_keys', 'id');
  const intakeUses = createUses(database, deadline, 'intakes', '_id');
  const checks = database.collection<Versioned & { at: Date }>('write_checks');
  const run = <T>(call: () => Promise<T>): Promise<T> => deadline.run(call);
  const stores = {
    tasks: createMongoTaskStore({ database, deadline, events, own, clock, searchMs, quota }),
    accounts: createMongoAccountStore(database, clock, keyUses),
    rejected: createMongoRejectedStore(database),
    intakes: createMongoIntakeStore(database, clock, intakeUses),
    adapterData: createMongoAdapterStore(database),
    push: createMongoPushStore(database, events),
    secrets: createMongoSecretStore(database),
    webhooks: createMongoWebhookStore(database, events, clock),
    followUps: createMongoFollowUpStore(database, events),
    work: createMongoWorkStore(database, deadline, own),
  };
  let closing: Promise<void> | undefined;

  async function close(): Promise<void> {
    await Promise.all([run(() => keyUses.flush()), run(() => intakeUses.flush())]);
    await deadline.close();
    await connection.close();
  }

  return {
    ...wrapStores(stores, run),
    transfer: createMongoTransfer({ database, deadline, events, clock }),
    ownerData: createMongoOwnerData({ database, deadline, events, clock, quota }),
    // MongoDB checks what it reads by itself, and stops rather than go on with damaged data.
    damage: () => null,
    verify: () => Promise.resolve([]),
    check: () => run(() => checks.upsert({ _id: 'check', v: 1, at: new Date(clock.now()) })),
    // Processes that share this store share an event bus, which carries their changes.
    watch: () => () => {},
    // What hears of it goes on when the call that stored the work has ended.
    onWork: (told) => own.on(() => deadline.outside(told)),
    close: () => (closing ??= close()),
  };
}

/** Last uses, stored in the documents whose `idField` is the id that was used. */
function createUses(
  database: Database,
  deadline: Deadline,
  name: 'api_keys' | 'intakes',
  idField: 'id' | '_id',
): LastUses {
  const used = database.collection<Versioned & { id?: string; lastUsedAt: Date | null }>(name);
  return createLastUses((uses) => {
    const writes = uses.map(([id, at]) => ({
      updateOne: {
        filter: { [idField]: id },
        update: { $max: { lastUsedAt: new Date(at) }, $inc: { v: 1 } },
      },
    }));
    return deadline.shared(() => used.run((collection) => collection.bulkWrite(writes)));
  });
}

function adviceFor(error: unknown, givenAs: string): string {
  return isRefusal(error)
    ? `Check user and password in ${givenAs}, and add ?authSource=admin if the user was made in admin.`
    : `Check ${givenAs} and that the server runs.`;
}

function reasonOf(error: unknown): string {
  const text = error instanceof Error ? error.message : 'it does not answer';
  return text.split('\n')[0]?.replace(/\.$/, '') ?? text;
}
