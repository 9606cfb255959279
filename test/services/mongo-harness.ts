// MongoDB under test: a database of its own for each test file, emptied after each test, gone after the last.
import { randomUUID } from 'node:crypto';
import { MongoClient, type Db } from 'mongodb';
import { openMongoStorage, type MongoStorageOptions } from '#adapters/mongodb/storage.ts';
import type { Clock } from '#core/ports/clock.ts';
import type { Storage } from '#core/ports/storage.ts';
import type { StorageHarness } from '#test/contract/harness.ts';
import { databaseUrl } from './mongodb.ts';

export interface MongoUnderTest extends StorageHarness {
  url: string;
  /** The database itself, to look behind the driver. */
  db: Db;
  /** Opens a storage on it; closed by {@link clear}. */
  open(clock: Clock, options?: Partial<MongoStorageOptions>): Promise<Storage>;
  /** Removes all documents but the one of the schema. */
  empty(): Promise<void>;
  /** Closes what was opened, and empties. */
  clear(): Promise<void>;
  /** Removes the database. */
  drop(): Promise<void>;
}

/** A database of its own on this server; `common` are options of all storages. */
export function createMongoHarness(
  server: string,
  common: Partial<MongoStorageOptions> = {},
): MongoUnderTest {
  const name = `qinbox_test_${randomUUID().slice(0, 8)}`;
  const address = databaseUrl(server, name);
  const client = new MongoClient(address);
  const db = client.db(name);
  const opened: Storage[] = [];
  // Tests have clocks of their own; a server that goes by the real one would take their documents away.
  const quiet = client
    .db('admin')
    .command({ setParameter: 1, ttlMonitorEnabled: false })
    .catch(() => {});

  async function open(clock: Clock, options: Partial<MongoStorageOptions> = {}): Promise<Storage> {
    await quiet;
    const storage = await openMongoStorage({ url: address, clock, ...common, ...options });
    opened.push(storage);
    return storage;
  }
  async function closeAll(): Promise<void> {
    await Promise.all(opened.splice(0).map((storage) => storage.close()));
  }
  async function clear(): Promise<void> {
    await closeAll();
    await empty();
  }
  // What is known of the indexes holds on; without it, each test would have the server look at them anew.
  async function empty(): Promise<void> {
    const collections = await db.listCollections({ name: { $ne: 'schema' } }, { nameOnly: true }).toArray();
    await Promise.all(collections.map((collection) => db.collection(collection.name).deleteMany({})));
  }

  async function dump(): Promise<string[]> {
    const collections = await db.listCollections({}, { nameOnly: true }).toArray();
    const all = collections.map(async ({ name: of }) => {
      const documents = await db.collection(of).find().toArray();
      return documents.map((document) => `${of} ${JSON.stringify(document)}`);
    });
    return (await Promise.all(all)).flat();
  }

  return {
    url: address,
    db,
    open,
    empty,
    clear,
    async drop() {
      await closeAll();
      await db.dropDatabase();
      await client.close();
    },
    async create(clock, options) {
      return {
        storage: await open(clock, options),
        another: () => open(clock, options),
        dump,
        dispose: clear,
      };
    },
  };
}
