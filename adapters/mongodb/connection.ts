// Connects the MongoDB client, and replaces it when it does not reconnect by itself: its monitor waits for
// ever when a socket closes between the encoding and the writing of a check.
import { MongoClient, type Collection, type Db, type Document } from 'mongodb';
import { QinboxError } from '#core/errors.ts';

/** How long to look for a server that takes writes. */
const SELECTION_MS = 3000;
/** Connections to one server; more calls than these wait for one. */
const POOL = 50;
/** How long nothing may succeed before a new client is made. */
const RENEWAL_MS = 5000;
const DEFAULT_DATABASE = 'qinbox';

export interface Connection {
  /** Of the client that is in use now; a later one may differ. */
  db(): Db;
  collection<T extends Document>(name: string): Collection<T>;
  /** The server answered. */
  succeeded(): void;
  /** The server could not be reached, or did not answer in time. */
  failed(): void;
  close(): Promise<void>;
}

/** The first operation connects. `limitMs` bounds each operation. Throws QinboxError for a bad address. */
export function createConnection(url: string, limitMs: number): Connection {
  const name = databaseOf(url);
  let client = createClient(url, limitMs);
  /** Collections of this client, by name, so that no operation creates one. */
  let collections = new Map<string, Collection>();
  let failingSince: number | null = null;

  return {
    db: () => client.db(name),
    collection: <T extends Document>(collection: string) => {
      let found = collections.get(collection);
      if (found === undefined) collections.set(collection, (found = client.db(name).collection(collection)));
      return found as unknown as Collection<T>;
    },
    succeeded() {
      failingSince = null;
    },
    failed() {
      const now = performance.now();
      failingSince ??= now;
      if (now - failingSince < RENEWAL_MS) return;
      failingSince = now;
      const old = client;
      client = createClient(url, limitMs);
      collections = new Map();
      // Operations of the old client fail, as they would have anyway.
      old.close().catch(() => {});
    },
    close: () => client.close(),
  };
}

function createClient(url: string, limitMs: number): MongoClient {
  try {
    return new MongoClient(url, {
      appName: 'qinbox',
      maxPoolSize: POOL,
      serverSelectionTimeoutMS: SELECTION_MS,
      connectTimeoutMS: SELECTION_MS,
      waitQueueTimeoutMS: limitMs,
      socketTimeoutMS: limitMs,
      writeConcern: { w: 'majority', j: true },
      readPreference: 'primary',
    });
  } catch (error) {
    throw new QinboxError(
      'SERVICE_UNAVAILABLE',
      'MONGODB_URL must be a MongoDB address: mongodb://host/database.',
      { cause: new Error(error instanceof Error ? error.name : 'not an address') },
    );
  }
}

function databaseOf(url: string): string {
  const path = /^mongodb(?:\+srv)?:\/\/[^/?]+\/([^?]*)/.exec(url)?.[1] ?? '';
  return path === '' ? DEFAULT_DATABASE : decodeURIComponent(path);
}

/** The hosts of an address, without user and password. */
export function hostOf(url: string): string {
  return /^mongodb(?:\+srv)?:\/\/(?:[^/]*@)?([^/?]*)/.exec(url)?.[1] ?? 'this address';
}
