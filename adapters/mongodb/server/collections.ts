// The collections and their indexes. Every query of the driver is an index scan.
import { createHash } from 'node:crypto';
import type { Collection, Db, IndexDescription } from 'mongodb';

/**
 * How long after its `purgeAt` the server itself removes a document: so far may the clocks of server and
 * processes be wrong. Workers remove it in time, by a confirmed clock.
 */
const GRACE_SECONDS = 3 * 24 * 60 * 60;
/** A document without `purgeAt` is never removed by the server. */
const PURGE: IndexDescription = { key: { purgeAt: 1 }, name: 'purge', expireAfterSeconds: GRACE_SECONDS };

const ASLEEP = having('wakeAt');
/** For what is removed with its owner. */
const OWNER: IndexDescription = { key: { owner: 1 }, name: 'owner' };

/** Of the documents alone that have the field. */
function having(field: string): Pick<IndexDescription, 'partialFilterExpression'> {
  return { partialFilterExpression: { [field]: { $exists: true } } };
}

/** The indexes by collection. */
export const INDEXES: Record<string, IndexDescription[]> = {
  tasks: [
    // In the order of the list; the last field lets the server skip expired tasks without fetching them.
    { key: { owner: 1, state: -1, _id: -1, visibleUntil: 1 }, name: 'list' },
    { key: { owner: 1, priority: 1, state: -1, _id: -1, visibleUntil: 1 }, name: 'list_priority' },
    // Statistics, and live tasks towards the quota, are counted in this index alone.
    { key: { owner: 1, bucket: 1, visibleUntil: 1 }, name: 'counts' },
    // Revision and bytes towards the quota are read from this index alone.
    { key: { owner: 1, visibleUntil: 1, bucket: 1, salt: 1, bytes: 1 }, name: 'usage' },
    { key: { owner: 1, acknowledgedAt: -1, _id: -1 }, name: 'restorable' },
    { key: { state: 1, visibleUntil: 1 }, name: 'expiry' },
    // Of snoozed tasks alone: their counts and revision by owner, and what wakes.
    { key: { owner: 1, wakeAt: 1, bucket: 1, salt: 1 }, name: 'asleep', ...ASLEEP },
    { key: { wakeAt: 1 }, name: 'wake', ...ASLEEP },
    // Of tasks with work that is not moved to its lanes yet.
    { key: { outboxSince: 1 }, name: 'outbox', ...having('outboxSince') },
    PURGE,
  ],
  dedupe_keys: [{ key: { checkAt: 1 }, name: 'check' }, OWNER],
  applied_orders: [PURGE, OWNER],
  claims: [PURGE, OWNER],
  users: [
    { key: { email: 1 }, name: 'email', unique: true },
    { key: { createdAt: 1, _id: 1 }, name: 'oldest' },
    { key: { deletingAt: 1, createdAt: 1, _id: 1 }, name: 'deleting', ...having('deletingAt') },
  ],
  api_keys: [
    { key: { id: 1 }, name: 'id' },
    { key: { userId: 1, revokedAt: 1, createdAt: -1, id: -1 }, name: 'active' },
  ],
  sessions: [{ key: { userId: 1, revokedAt: 1 }, name: 'user' }, PURGE],
  signin_links: [{ key: { userId: 1 }, name: 'user' }, PURGE],
  rejected: [{ key: { rejectedAt: -1, _id: -1 }, name: 'latest' }, PURGE, OWNER],
  intakes: [{ key: { owner: 1, revokedAt: 1, _id: -1 }, name: 'active' }, PURGE],
  intake_tokens: [{ key: { checkAt: 1 }, name: 'check' }],
  deliveries: [{ key: { intake: 1, _id: -1 }, name: 'latest' }, PURGE, OWNER],
  webhooks: [{ key: { owner: 1, _id: 1 }, name: 'owner' }],
  work: [
    // What waits is counted, with its bytes, in this index alone.
    { key: { lane: 1, dueAt: 1, bytes: 1 }, name: 'waiting', ...having('dueAt') },
    { key: { lane: 1, key: 1, sequence: 1, id: 1 }, name: 'order', ...having('dueAt') },
    { key: { lane: 1, createdAt: -1, sequence: -1 }, name: 'latest' },
    { key: { lane: 1, endedAt: -1 }, name: 'ended', ...having('endedAt') },
    PURGE,
    OWNER,
  ],
  work_lanes: [{ key: { dueAt: 1 }, name: 'due', ...having('dueAt') }, OWNER],
  adapter_data: [
    { key: { adapter: 1, kind: 1, key: 1 }, name: 'kind' },
    { key: { adapter: 1, kind: 1, owner: 1, key: 1 }, name: 'owner' },
    { key: { owner: 1 }, name: 'of_owner' },
    PURGE,
  ],
  push: [{ key: { 'devices.endpointHash': 1 }, name: 'endpoint' }],
  push_shown: [{ key: { owner: 1 }, name: 'owner' }, PURGE],
  push_held: [{ key: { dueAt: 1 }, name: 'due' }],
};

/**
 * Indexes of older versions, by collection. An index whose fields change gets a new name, and the old one
 * comes here: processes of the older version read by it until they are replaced.
 */
const RETIRED: Record<string, string[]> = { tasks: ['statistics'], work: ['due'] };

/** NamespaceNotFound, IndexNotFound. */
const NOT_FOUND = new Set([26, 27]);
/** IndexOptionsConflict, IndexKeySpecsConflict. */
const CONFLICT = new Set([85, 86]);

/** Tells the indexes that are described here from those of another version. */
export const INDEXES_HASH = createHash('sha256').update(JSON.stringify(INDEXES)).digest('base64url');

/** Whether each index is there, whole, as it is described here. */
export function isComplete(db: Db): Promise<boolean> {
  return areThere(db, indexesOf);
}

/** As {@link isComplete}, but an index that the server still builds counts, too: that costs it much less. */
export function isListed(db: Db): Promise<boolean> {
  return areThere(db, listedOf);
}

async function areThere(db: Db, find: typeof listedOf): Promise<boolean> {
  const complete = await Promise.all(
    Object.entries(INDEXES).map(async ([name, indexes]) => {
      const there = await find(db, name);
      return indexes.every((index) => there.some((other) => isSame(index, other)));
    }),
  );
  return complete.every(Boolean);
}

/** Creates the indexes that are missing, and replaces those that an earlier version made otherwise. */
export async function buildIndexes(db: Db): Promise<void> {
  const hello = await db.command({ hello: 1 });
  // So that a build does not wait for a member that is down. A server by itself knows no quorum.
  const quorum =
    hello['setName'] === undefined && hello['msg'] !== 'isdbgrid' ? {} : { commitQuorum: 'majority' };
  for (const [name, indexes] of Object.entries(INDEXES)) {
    const there = await indexesOf(db, name);
    const missing = indexes.filter((index) => !there.some((other) => isSame(index, other)));
    for (const index of missing) await buildIndex(db.collection(name), index, quorum);
  }
}

/** Drops the indexes of older versions. */
export async function dropRetired(db: Db): Promise<void> {
  for (const [name, retired] of Object.entries(RETIRED))
    for (const index of retired) await drop(db.collection(name), index);
}

/** Those that can be used: the server also lists the ones that it is still building. */
async function indexesOf(db: Db, name: string): Promise<IndexDescription[]> {
  const statistics = db.command({ collStats: name });
  const [listed, building] = await Promise.all([
    listedOf(db, name),
    orNone(statistics.then(({ indexBuilds = [] }) => indexBuilds as string[])),
  ]);
  return listed.filter((index) => !building.includes(index.name ?? ''));
}

function listedOf(db: Db, name: string): Promise<IndexDescription[]> {
  return orNone(db.collection(name).listIndexes().toArray() as Promise<IndexDescription[]>);
}

/** None of a collection that is not there. */
async function orNone<T>(answer: Promise<T[]>): Promise<T[]> {
  try {
    return await answer;
  } catch (error) {
    if (hasCode(error, NOT_FOUND)) return [];
    throw error;
  }
}

function isSame(a: IndexDescription, b: IndexDescription): boolean {
  const describe = ({ key, name, unique = false, ...rest }: IndexDescription) =>
    JSON.stringify([key, name, unique, rest.expireAfterSeconds, rest.partialFilterExpression]);
  return describe(a) === describe(b);
}

/** Safe in several processes at once. */
async function buildIndex(collection: Collection, index: IndexDescription, quorum: object): Promise<void> {
  try {
    await collection.createIndexes([index], quorum);
  } catch (error) {
    if (!hasCode(error, CONFLICT)) throw error;
    // One has the name and other fields or options, or the fields and another name.
    const fields = JSON.stringify(index.key);
    for (const other of await indexesOf(collection.db, collection.collectionName))
      if (other.name === index.name || JSON.stringify(other.key) === fields)
        await drop(collection, other.name ?? '');
    await collection.createIndexes([index], quorum);
  }
}

async function drop(collection: Collection, name: string): Promise<void> {
  await collection.dropIndex(name).catch((refusal: unknown) => {
    if (!hasCode(refusal, NOT_FOUND)) throw refusal;
  });
}

function hasCode(error: unknown, codes: ReadonlySet<number>): boolean {
  return error instanceof Error && 'code' in error && typeof error.code === 'number' && codes.has(error.code);
}
