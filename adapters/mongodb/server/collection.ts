// A collection as the driver uses it. Every operation is atomic on one document, and a document is replaced
// only in the version that was read. Nothing spans two documents, so nothing needs a transaction.
import type { Abortable, AggregateOptions, Collection, Document, Filter, FindOptions, Long } from 'mongodb';
import type { ByteBudget } from '#core/domain/page.ts';
import type { Connection } from './connection.ts';
import type { Deadline } from './deadline.ts';
import { despiteDuplicates, insertOutcomes, isOverTime, toFault } from './faults.ts';

/** Every document has a version `v`, counted from 1. */
export interface Versioned {
  _id: string;
  v: number;
}

/** A document without its id and version. */
export type Fields<T extends Versioned> = Omit<T, '_id' | 'v'>;

export type Query = Filter<Versioned>;

export interface ListOptions<T> extends FindOptions, Abortable {
  /** Ends the read when the budget is spent. */
  within?: { budget: ByteBudget; bytesOf: (document: T) => number };
}

export interface AggregateListOptions<T> extends AggregateOptions, Abortable {
  /** As that of {@link ListOptions}. */
  within?: ListOptions<T>['within'];
}

/** The fields that a document may not have. */
type OptionalField<T> = { [K in keyof T]-?: object extends Pick<T, K> ? K : never }[keyof T];

export interface CollectionOptions<T> {
  /**
   * All fields that a document may not have. Any other field that this program does not write is one of a
   * newer program, and stays when a document is replaced.
   */
  optional?: Record<OptionalField<T>, true>;
  /** A field that each filter for one document has besides `_id`, because the collection is sharded by it. */
  shardKey?: keyof T & string;
}

export interface VersionedCollection<T extends Versioned> {
  /** False when a unique value is taken. Inserts of one turn of the event loop are sent together. */
  insert(document: T): Promise<boolean>;
  /** `shard`: the value of the collection's shard key. Reads of one turn are sent together, too. */
  read(id: string, shard?: string): Promise<T | null>;
  /**
   * Replaces the document, or removes it (null), if it is still in the version `before`. Fields that a newer
   * program added stay.
   */
  replace(before: T, after: Fields<T> | null): Promise<boolean>;
  /** Stores the documents in one call, whatever was there. */
  upsert(...documents: T[]): Promise<void>;
  /** Removes what matches; how many documents. */
  removeMany(query: Query): Promise<number>;
  find(query: Query, options?: ListOptions<T>): Promise<T[]>;
  /** The documents that come out of the stages. */
  aggregate<R = T>(stages: Document[], options?: AggregateListOptions<R>): Promise<R[]>;
  count(query: Query, options?: FindOptions & Abortable): Promise<number>;
  /** The sum of a field, read by the index that is named; `0` where there is none. */
  sum(query: Query, field: string, hint: string): Promise<string>;
  /** Any other operation of MongoDB. An update must increment `v`. */
  run<R>(work: (collection: Collection<T>) => Promise<R>): Promise<R>;
}

export interface Database {
  collection<T extends Versioned>(name: string, options?: CollectionOptions<T>): VersionedCollection<T>;
}

/** Called around each operation. A test makes it throw, as if the process had ended there, or wait. */
export interface OperationHook {
  before(): void | Promise<void>;
  after?(): void;
}

/** Batch size where a read may end early: that of the server's own first batch. */
const BATCH = 101;

/** Runs one operation on the collection. */
type Operation = <R>(work: (collection: Collection<Versioned>) => Promise<R>) => Promise<R>;

export function createDatabase(connection: Connection, deadline: Deadline, hook?: OperationHook): Database {
  const operationOn =
    (name: string): Operation =>
    async (work) => {
      deadline.check();
      await hook?.before();
      try {
        const result = await work(connection.collection(name));
        connection.succeeded();
        hook?.after?.();
        return result;
      } catch (error) {
        // The server that ended a slow operation can be reached.
        if (isOverTime(error)) connection.succeeded();
        throw toFault(error);
      }
    };
  return { collection: (name, options = {}) => createCollection(operationOn(name), options) };
}

function createCollection<T extends Versioned>(
  operation: Operation,
  { optional, shardKey }: CollectionOptions<T>,
): VersionedCollection<T> {
  const insert = createBatchedInsert();
  const read = createBatchedRead<T>(shardKey);
  const known = new Set(Object.keys(optional ?? {}));

  /** What a newer program wrote into the document. */
  function unknownFields(document: T, after: Fields<T>): Partial<T> {
    const unknown = Object.entries(document).filter(([name]) => !(name in after) && !known.has(name));
    return Object.fromEntries(unknown) as Partial<T>;
  }

  return {
    insert: (document) => operation((collection) => insert(collection, document)),
    read: (id, shard) => operation((collection) => read(collection, id, shard)),
    replace: (before, after) =>
      operation(async (collection) => {
        const shard = shardKey === undefined ? {} : shardQuery(shardKey, before[shardKey]);
        const version = { _id: before._id, v: before.v, ...shard };
        if (after === null) return (await collection.deleteOne(version)).deletedCount === 1;
        const replacement = { ...unknownFields(before, after), ...after, v: before.v + 1 };
        return (await collection.replaceOne(version, replacement)).matchedCount === 1;
      }),
    upsert: (...documents) => operation((collection) => upsert(collection, documents)),
    removeMany: (query) => operation(async (collection) => (await collection.deleteMany(query)).deletedCount),
    find: (query, { within, ...options } = {}) =>
      operation(async (collection) => {
        if (within === undefined) return (await collection.find(query, options).toArray()) as T[];
        return readWithin(collection.find(query, { ...options, batchSize: BATCH }), within);
      }),
    aggregate: <R>(stages: Document[], { within, ...options }: AggregateListOptions<R> = {}) =>
      operation(async (collection) => {
        if (within === undefined) return (await collection.aggregate(stages, options).toArray()) as R[];
        return readWithin(collection.aggregate(stages, { ...options, batchSize: BATCH }), within);
      }),
    count: (query, options) => operation((collection) => collection.countDocuments(query, options)),
    sum: (query, field, hint) =>
      operation(async (collection) => {
        const group = { _id: null, sum: { $sum: `$${field}` } };
        const [found] = await collection
          .aggregate<{ sum: number | Long }>([{ $match: query }, { $group: group }], { hint })
          .toArray();
        return (found?.sum ?? 0).toString();
      }),
    run: (work) => operation((collection) => work(collection as unknown as Collection<T>)),
  };
}

/** Reads until the budget is spent. */
async function readWithin<T>(
  cursor: AsyncIterable<unknown>,
  { budget, bytesOf }: Required<ListOptions<T>>['within'],
): Promise<T[]> {
  const found: T[] = [];
  for await (const document of cursor) {
    if (!budget.takes(bytesOf(document as T))) break;
    found.push(document as T);
  }
  return found;
}

/** Sends the inserts of one turn of the event loop together; each resolves with its own outcome. */
function createBatchedInsert() {
  interface Insert {
    document: Versioned;
    resolve: (outcome: boolean) => void;
    reject: (error: unknown) => void;
  }
  let waiting: Insert[] = [];

  async function flush(collection: Collection<Versioned>): Promise<void> {
    const batch = waiting;
    waiting = [];
    try {
      await collection.insertMany(
        batch.map(({ document }) => document),
        { ordered: false },
      );
      for (const { resolve } of batch) resolve(true);
    } catch (error) {
      const outcomes = insertOutcomes(error, batch.length);
      batch.forEach(({ resolve, reject }, index) =>
        outcomes === null ? reject(error) : resolve(outcomes[index] === true),
      );
    }
  }

  return (collection: Collection<Versioned>, document: Versioned): Promise<boolean> =>
    new Promise((resolve, reject) => {
      if (waiting.length === 0) setImmediate(() => void flush(collection));
      waiting.push({ document, resolve, reject });
    });
}

/** Sends the reads of one turn of the event loop together; two of one document are answered the same. */
function createBatchedRead<T extends Versioned>(shardKey: string | undefined) {
  type Ids = Map<string, PromiseWithResolvers<T | null>>;
  /** By the value of the shard key. */
  let waiting = new Map<string | undefined, Ids>();

  async function readAll(collection: Collection<Versioned>, shard: string | undefined, ids: Ids) {
    const of = shardQuery(shardKey, shard);
    try {
      // One alone takes the shortest way through the server.
      const [only = ''] = ids.keys();
      const found =
        ids.size === 1
          ? [await collection.findOne({ ...of, _id: only })]
          : await collection
              .find({ ...of, _id: { $in: [...ids.keys()] } }, { hint: '_id_', batchSize: ids.size + 1 })
              .toArray();
      const byId = new Map(found.map((document) => [document?._id, document as T | null]));
      for (const [id, { resolve }] of ids) resolve(byId.get(id) ?? null);
    } catch (error) {
      for (const { reject } of ids.values()) reject(error);
    }
  }

  function flush(collection: Collection<Versioned>): void {
    const all = waiting;
    waiting = new Map();
    for (const [shard, ids] of all) void readAll(collection, shard, ids);
  }

  return (collection: Collection<Versioned>, id: string, shard?: string): Promise<T | null> => {
    if (waiting.size === 0) setImmediate(() => flush(collection));
    const ids: Ids = waiting.get(shard) ?? new Map();
    waiting.set(shard, ids);
    const reader = ids.get(id) ?? Promise.withResolvers<T | null>();
    ids.set(id, reader);
    return reader.promise;
  };
}

/** Matches the documents of one value of the shard key, or all where none is known. */
function shardQuery(shardKey: string | undefined, value: unknown): Query {
  return shardKey === undefined || value === undefined ? {} : { [shardKey]: value };
}

async function upsert(collection: Collection<Versioned>, documents: readonly Versioned[]): Promise<void> {
  if (documents.length === 0) return;
  const writes = documents.map((replacement) => ({
    replaceOne: { filter: { _id: replacement._id }, replacement, upsert: true },
  }));
  await despiteDuplicates(() => collection.bulkWrite(writes, { ordered: false }));
}
