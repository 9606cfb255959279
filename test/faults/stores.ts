// The stores that worker processes of the fault tests write to: a SQLite file, or a database on a
// MongoDB-speaking server.
import { openMongoStorage } from '#adapters/mongodb/storage.ts';
import { openSqliteStorage } from '#adapters/sqlite/storage.ts';
import type { Clock } from '#core/ports/clock.ts';
import { systemClock } from '#core/system-clock.ts';
import type { Storage } from '#core/ports/storage.ts';
import { temporaryFolder } from '#test/program/program.ts';
import { createMongoHarness } from '#test/services/mongo-harness.ts';
import { startMongoSet, type MongoSet } from '#test/services/mongo-set.ts';
import { findMongo } from '#test/services/mongodb.ts';

export const STORES = ['SQLite', 'MongoDB'] as const;
export type StoreKind = (typeof STORES)[number];

export interface SharedStore {
  /** What {@link openStore} opens in another process. */
  address: string;
  storage: Storage;
  /** The contents of all tasks of these owners. */
  contents(owners: readonly string[]): Promise<string[]>;
  /** The servers under it, where they are a replica set. */
  set?: MongoSet;
  /** Closes and removes it. */
  remove(): Promise<void>;
}

/** Opens the store at an address: `mongodb://…`, or the path of a SQLite file. */
export async function openStore(address: string, clock: Clock): Promise<Storage> {
  return address.startsWith('mongodb:')
    ? openMongoStorage({ url: address, clock })
    : openSqliteStorage({ file: address, clock });
}

/**
 * A new, empty store, or why this machine has none. With `REQUIRE_SERVICES=1` a missing one is a fault.
 * `asSet`: MongoDB as a replica set of three.
 */
export async function createStore(
  kind: StoreKind,
  { asSet = false } = {},
): Promise<SharedStore | { missing: string }> {
  if (kind === 'SQLite') {
    const folder = temporaryFolder('queue');
    const address = `${folder.path}/qinbox.db`;
    const storage = await openStore(address, systemClock);
    return {
      address,
      storage,
      async contents(owners) {
        return (await Promise.all(owners.map((owner) => listContents(storage, owner)))).flat();
      },
      async remove() {
        await storage.close();
        folder.remove();
      },
    };
  }
  const found = asSet ? await startMongoSet() : await findMongo();
  if ('missing' in found) {
    if (process.env['REQUIRE_SERVICES'] === '1') throw new Error(found.missing);
    return found;
  }
  const mongo = 'set' in found ? found.set : found.service;
  const database = createMongoHarness(mongo.url);
  return {
    ...('set' in found ? { set: found.set } : {}),
    address: database.url,
    storage: await database.open(systemClock),
    // Past the driver, whose limits of time a stand-in for MongoDB does not keep on lists of ten thousands.
    async contents(owners) {
      const tasks = database.db.collection<{ owner: string; content: string }>('tasks');
      return (await tasks.find({ owner: { $in: [...owners] } }).toArray()).map(({ content }) => content);
    },
    async remove() {
      await database.drop();
      await mongo.stop();
    },
  };
}

async function listContents({ tasks }: Storage, owner: string): Promise<string[]> {
  const contents: string[] = [];
  for (;;) {
    const page = (
      await tasks.list({ ownerId: owner, filter: {}, limit: 1000, offset: contents.length, now: Date.now() })
    ).tasks;
    contents.push(...page.map(({ content }) => content));
    if (page.length < 1000) return contents;
  }
}
