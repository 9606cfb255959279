// The one door to the server, and all that the driver asks of it: insert unless the `_id` is taken, replace or remove unless
// changed meanwhile, remove and tell who did, and reads. Each is atomic on one document; nothing here spans two.
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Collection, Document, Filter as MongoFilter, FindCursor } from 'mongodb';
import type { ByteBudget } from '#core/domain/page.ts';
import type { Connection } from './connection.ts';
import type { Calls } from './deadline.ts';
import { createTurns } from './turns.ts';
import { insertOutcomes, isDuplicate, isOverTime, toFault } from './faults.ts';

/** What every document has: `v` counts its versions, from 1. */
export interface Kept {
  _id: string;
  v: number;
}

/** A query in MongoDB's language. */
export type Filter = Readonly<Record<string, unknown>>;

/** For what may take long: when the server gives it up, and what ends it before. */
export interface Bounds {
  timeMs?: number;
  signal?: AbortSignal | undefined;
  /** Name of the index to use. */
  index?: string;
}

export interface FindOptions<T> extends Bounds {
  sort?: Record<string, 1 | -1>;
  skip?: number;
  limit?: number;
  /** Only these fields, besides `_id`. */
  fields?: readonly string[];
  /** Reads no further than what goes into it. */
  filling?: { into: ByteBudget; bytesOf: (document: T) => number };
}

export interface Table<T extends Kept> {
  /** False when the `_id` is taken. Documents that arrive in one turn of the event loop go out together. */
  insert(document: T): Promise<boolean>;
  read(id: string): Promise<T | null>;
  /** Replaces the document by another, or removes it (null), if it is still as it was read. */
  swap(before: T, after: Omit<T, '_id' | 'v'> | null): Promise<boolean>;
  /** Stores the document whatever was there. */
  put(document: T): Promise<void>;
  /** Stores the documents whatever was there, all in one call. */
  putAll(documents: readonly T[]): Promise<void>;
  /** Removes the document; of many who do, one is told true. */
  take(id: string): Promise<boolean>;
  /** Removes these documents, as far as they still match. */
  removeAll(ids: readonly string[], filter: Filter): Promise<void>;
  find(filter: Filter, options?: FindOptions<T>): Promise<T[]>;
  count(filter: Filter, bounds?: Bounds): Promise<number>;
  /** The sums of `field` (or how many there are, for 1) by the value of `by` (null: all together). */
  sum(filter: Filter, by: string | null, field: string | 1): Promise<Map<unknown, string>>;
}

export interface Documents {
  table<T extends Kept>(name: string): Table<T>;
}

/** Called around each operation; a test lets it throw, as if the process had ended there, or keeps the operation waiting. */
export interface OperationHook {
  before(name: string): void | Promise<void>;
  after?(name: string): void;
}

export interface DocumentsOptions {
  connection: Connection;
  calls: Calls;
  /** Whether the server replaces and removes by a filter in one step. FerretDB 1.x reads first and writes then. */
  atomic: boolean;
  hook?: OperationHook;
}

/** Documents that come at once where a read may end early: as many as the server's own first batch. */
const BATCH = 101;

/** How long a lock is believed, on servers that need them. */
const LOCK_MS = 5000;

interface Lock extends Kept {
  token: string;
  until: Date;
  purgeAt: Date;
}

function newLock(key: string): Lock {
  const now = Date.now();
  const until = new Date(now + LOCK_MS);
  return { _id: key, v: 1, token: randomUUID(), until, purgeAt: new Date(now + 60_000) };
}

export function createDocuments({ connection, calls, atomic, hook }: DocumentsOptions): Documents {
  // SQLite has one writer at a time, and writers that wait for each other inside FerretDB wait far too long.
  const oneByOne = createTurns();
  const writing = <R>(work: () => Promise<R>): Promise<R> => (atomic ? work() : oneByOne('', work));

  const locks = createTable<Lock>('locks', undefined);

  function createTable<T extends Kept>(name: string, hook: OperationHook | undefined): Table<T> {
    const collection = (): Collection => connection.collection(name);
    const byId = (id: string): MongoFilter<Document> => ({ _id: id }) as unknown as MongoFilter<Document>;
    let waiting: { document: T; settle: (outcome: boolean | Error) => void }[] = [];

    async function operation<R>(what: string, work: () => Promise<R>): Promise<R> {
      calls.check();
      if (hook !== undefined) await hook.before(what);
      try {
        const result = await work();
        connection.succeeded();
        hook?.after?.(what);
        return result;
      } catch (error) {
        // A server that gave up what took too long is there.
        if (isOverTime(error)) connection.succeeded();
        throw toFault(error);
      }
    }

    async function flush(): Promise<void> {
      const batch = waiting;
      waiting = [];
      let outcomes: boolean[] | Error;
      try {
        await collection().insertMany(
          batch.map(({ document }) => document as unknown as Document),
          { ordered: false },
        );
        outcomes = batch.map(() => true);
      } catch (error) {
        outcomes = insertOutcomes(error, batch.length) ?? (error as Error);
      }
      batch.forEach(({ settle }, index) =>
        settle(Array.isArray(outcomes) ? outcomes[index] === true : outcomes),
      );
    }

    function insert(document: T): Promise<boolean> {
      return new Promise((resolve, reject) => {
        if (waiting.length === 0) setImmediate(() => void writing(flush));
        waiting.push({
          document,
          settle: (outcome) => (outcome instanceof Error ? reject(outcome) : resolve(outcome)),
        });
      });
    }

    async function putAll(documents: readonly T[]): Promise<void> {
      if (documents.length === 0) return;
      // Two that insert the same document for the first time may meet: the second finds it there when it tries again.
      for (let attempt = 0; ; attempt++)
        try {
          await collection().bulkWrite(
            documents.map((document) => ({
              replaceOne: {
                filter: byId(document._id),
                replacement: document,
                upsert: true,
              },
            })),
            { ordered: false },
          );
          return;
        } catch (error) {
          if (!isDuplicate(error) || attempt === 3) throw error;
        }
    }

    const read = async (id: string): Promise<T | null> =>
      (await collection().findOne(byId(id))) as unknown as T | null;

    async function replace(before: T, after: Omit<T, '_id' | 'v'> | null): Promise<boolean> {
      const filter = atomic ? { ...byId(before._id), v: before.v } : byId(before._id);
      if (after === null) return (await writing(() => collection().deleteOne(filter))).deletedCount === 1;
      const next = { ...after, _id: before._id, v: before.v + 1 } as unknown as Document;
      return (await writing(() => collection().replaceOne(filter, next))).matchedCount === 1;
    }

    return {
      insert: (document) => operation('insert', () => insert(document)),
      read: (id) => operation('read', () => read(id)),
      swap: (before, after) =>
        operation('swap', () =>
          atomic
            ? replace(before, after)
            : locked(`${name}/${before._id}`, async () => {
                const now = await read(before._id);
                return now?.v === before.v && (await replace(before, after));
              }),
        ),
      put: (document) => operation('put', () => putAll([document])),
      putAll: (documents) => operation('putAll', () => putAll(documents)),
      take: (id) =>
        operation(
          'take',
          async () => (await writing(() => collection().deleteOne(byId(id)))).deletedCount === 1,
        ),
      removeAll: (ids, filter) =>
        operation('removeAll', async () => {
          await collection().deleteMany({ ...filter, _id: { $in: ids } } as unknown as MongoFilter<Document>);
        }),
      find: (filter, { sort, skip, limit, fields, filling, ...bounds } = {}) =>
        operation('find', async () => {
          const cursor = collection().find(filter, {
            ...(sort === undefined ? {} : { sort }),
            ...(skip === undefined ? {} : { skip }),
            ...(limit === undefined ? {} : { limit }),
            ...toOptions(bounds),
            ...(fields === undefined
              ? {}
              : { projection: Object.fromEntries(fields.map((field) => [field, 1])) }),
            ...(filling === undefined ? {} : { batchSize: BATCH }),
          }) as unknown as FindCursor<T>;
          if (filling === undefined) return cursor.toArray();
          const found: T[] = [];
          for await (const document of cursor) {
            if (!filling.into.takes(filling.bytesOf(document))) break;
            found.push(document);
          }
          return found;
        }),
      count: (filter, bounds = {}) =>
        operation('count', () => collection().countDocuments(filter, toOptions(bounds))),
      sum: (filter, by, field) =>
        operation('sum', async () => {
          const groups = await collection()
            .aggregate<{ _id: unknown; sum: unknown }>([
              { $match: filter },
              {
                $group: {
                  _id: by === null ? null : `$${by}`,
                  sum: { $sum: field === 1 ? 1 : `$${field}` },
                },
              },
            ])
            .toArray();
          return new Map(groups.map(({ _id, sum }) => [_id, String(sum)]));
        }),
    };
  }

  // One holder over all processes at a time; a lock whose holder ended is broken, by exactly one of those who wait.
  async function locked<R>(key: string, work: () => Promise<R>): Promise<R> {
    for (let attempt = 0; !(await locks.insert(newLock(key))); attempt++)
      if (!(await breakOpen(key))) await delay(Math.random() * Math.min(2 + attempt, 20));
    try {
      return await work();
    } finally {
      await locks.take(key);
    }
  }

  // Takes a lock away whose holder ended. Who does it, a lock on that very holding decides, which others break in their turn
  // when its holder ended before it did.
  async function breakOpen(key: string): Promise<boolean> {
    const held = await locks.read(key);
    const leftMs = (held?.until.getTime() ?? 0) - Date.now();
    // More than it was made with: the clock was ahead then.
    if (held === null || (leftMs >= 0 && leftMs <= LOCK_MS)) return false;
    const turn = `${key} ${held.token}`;
    return (await locks.insert(newLock(turn))) ? locks.take(key) : breakOpen(turn);
  }

  return { table: (name) => createTable(name, hook) };
}

function toOptions({ timeMs, signal, index }: Bounds) {
  return {
    ...(index === undefined ? {} : { hint: index }),
    ...(timeMs === undefined ? {} : { maxTimeMS: timeMs }),
    ...(signal === undefined ? {} : { signal }),
  };
}

/** Repeats an optimistic attempt until it has an answer; null asks for another attempt. Ends with the time of the call. */
export async function until<R>(attempt: () => Promise<{ answer: R } | null>): Promise<R> {
  for (let round = 0; ; round++) {
    const done = await attempt();
    if (done !== null) return done.answer;
    // Others were quicker: let them finish, a little longer each time.
    await delay(Math.random() * Math.min(round, 25));
  }
}

/** Waits until all have ended, so that nothing goes on after the answer; then throws what the first that failed threw. */
export async function allEnded<R>(works: readonly Promise<R>[]): Promise<R[]> {
  const ended = await Promise.allSettled(works);
  return ended.map((end) => {
    if (end.status === 'rejected') throw end.reason;
    return end.value;
  });
}
