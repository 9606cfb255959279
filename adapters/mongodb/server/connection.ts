// Connects the MongoDB client, and replaces it when it does not reconnect by itself: its monitor waits for
// ever when a socket closes between the encoding and the writing of a check. The new client is connected
// before it takes over, and the old one is closed once its last operations have ended.
import { MongoClient, type Collection, type CommandStartedEvent, type Db, type Document } from 'mongodb';
import { ConfigError } from '#core/config-error.ts';

/** How long to look for a server that takes writes. */
const SELECTION_MS = 3000;
/** Connections to one server; more calls than these wait for one. */
const POOL = 50;
/** How long nothing may succeed before a new client is made. */
const RENEWAL_MS = 5000;
const DEFAULT_DATABASE = 'qinbox';

export interface Connection {
  collection<T extends Document>(name: string): Collection<T>;
  /** The server answered. */
  succeeded(): void;
  /** The server could not be reached, or did not answer in time. */
  failed(): void;
  close(): Promise<void>;
}

/** Runs work on the database by a client of its own, which does not limit the time of an operation. */
export async function withUnlimited<R>(url: string, work: (db: Db) => Promise<R>): Promise<R> {
  const client = createClient(url, 0);
  try {
    return await work(client.db(databaseOf(url)));
  } finally {
    await client.close();
  }
}

/** Hears of each command that is sent; for tests. */
export type CommandListener = (command: CommandStartedEvent) => void;

/**
 * The first operation connects. `limitMs` bounds each operation. Throws ConfigError, which names what the
 * address was `givenAs`, for a bad one.
 */
export function createConnection(
  url: string,
  limitMs: number,
  onCommand?: CommandListener,
  givenAs = 'MONGODB_URL',
): Connection {
  let client = createClient(url, limitMs, onCommand, givenAs);
  const name = databaseOf(url);
  /** Collections of this client, by name, so that no operation creates one. */
  let collections = new Map<string, Collection>();
  let failingSince: number | null = null;
  let replacing = false;
  /** Clients that were replaced, and when they are closed. */
  const retired = new Map<MongoClient, NodeJS.Timeout>();

  /** Closes it once no operation can be left on it. */
  function retire(old: MongoClient): void {
    const timer = setTimeout(() => {
      retired.delete(old);
      old.close().catch(() => {});
    }, 2 * limitMs);
    timer.unref();
    retired.set(old, timer);
  }

  /** Takes a new client if it can reach the server. Until then operations try the old one. */
  async function replace(): Promise<void> {
    const next = createClient(url, limitMs, onCommand);
    try {
      await next.connect();
    } catch {
      await next.close().catch(() => {});
      return;
    }
    if (closing !== undefined) return next.close();
    retire(client);
    client = next;
    collections = new Map();
    failingSince = null;
  }

  let closing: Promise<void> | undefined;
  async function close(): Promise<void> {
    for (const timer of retired.values()) clearTimeout(timer);
    await Promise.all([client, ...retired.keys()].map((each) => each.close()));
  }

  return {
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
      if (replacing || now - failingSince < RENEWAL_MS) return;
      replacing = true;
      void replace()
        .catch(() => {})
        .finally(() => (replacing = false));
    },
    close: () => (closing ??= close()),
  };
}

function createClient(
  url: string,
  limitMs: number,
  onCommand?: CommandListener,
  givenAs = 'MONGODB_URL',
): MongoClient {
  try {
    const client = new MongoClient(url, {
      monitorCommands: onCommand !== undefined,
      appName: 'qinbox',
      maxPoolSize: POOL,
      serverSelectionTimeoutMS: SELECTION_MS,
      connectTimeoutMS: SELECTION_MS,
      waitQueueTimeoutMS: limitMs,
      socketTimeoutMS: limitMs,
      writeConcern: { w: 'majority', j: true },
      // What a primary alone has may be gone with it: nothing is answered from that.
      readConcern: { level: 'majority' },
      readPreference: 'primary',
    });
    if (onCommand !== undefined) client.on('commandStarted', onCommand);
    return client;
  } catch {
    // What the driver says may have the password in it.
    throw new ConfigError(
      givenAs,
      'must be an address such as mongodb://user:password@host/qinbox?authSource=admin, with options that MongoDB has; ' +
        'signs such as @ : / ? # % in the password are written as %40 %3A %2F %3F %23 %25',
    );
  }
}

function databaseOf(url: string): string {
  const path = /^mongodb(?:\+srv)?:\/\/[^/?]+\/([^?]*)/.exec(url)?.[1] ?? '';
  return path === '' ? DEFAULT_DATABASE : decodeURIComponent(path);
}
