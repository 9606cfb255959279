// The collections and their indexes. Every query of the driver is an index scan.
import type { Collection, Db, IndexDescription } from 'mongodb';

/**
 * How long after its `purgeAt` the server itself removes a document: so far may the clocks of server and
 * processes be wrong. Workers remove it in time, by a confirmed clock.
 */
const GRACE_SECONDS = 3 * 24 * 60 * 60;
/** A document without `purgeAt` is never removed by the server. */
const PURGE: IndexDescription = { key: { purgeAt: 1 }, name: 'purge', expireAfterSeconds: GRACE_SECONDS };

const ASLEEP: Pick<IndexDescription, 'partialFilterExpression'> = {
  partialFilterExpression: { wakeAt: { $exists: true } },
};

/** The indexes by collection. */
export const INDEXES: Record<string, IndexDescription[]> = {
  tasks: [
    // In the order of the list; the last field lets the server skip expired tasks without fetching them.
    { key: { owner: 1, state: -1, _id: -1, visibleUntil: 1 }, name: 'list' },
    { key: { owner: 1, priority: 1, state: -1, _id: -1, visibleUntil: 1 }, name: 'list_priority' },
    // Statistics, revision and quota usage are read from this index alone.
    { key: { owner: 1, visibleUntil: 1, bucket: 1, salt: 1, bytes: 1 }, name: 'usage' },
    { key: { owner: 1, acknowledgedAt: -1, _id: -1 }, name: 'restorable' },
    { key: { state: 1, visibleUntil: 1 }, name: 'expiry' },
    // Of snoozed tasks alone: their counts and revision by owner, and what wakes.
    { key: { owner: 1, wakeAt: 1, bucket: 1, salt: 1 }, name: 'asleep', ...ASLEEP },
    { key: { wakeAt: 1 }, name: 'wake', ...ASLEEP },
    PURGE,
  ],
  dedupe_keys: [{ key: { checkAt: 1 }, name: 'check' }],
  applied_orders: [PURGE],
  claims: [PURGE],
  users: [
    { key: { email: 1 }, name: 'email', unique: true },
    { key: { createdAt: 1, _id: 1 }, name: 'oldest' },
  ],
  api_keys: [
    { key: { id: 1 }, name: 'id' },
    { key: { userId: 1, revokedAt: 1, createdAt: -1, id: -1 }, name: 'active' },
  ],
  sessions: [{ key: { userId: 1, revokedAt: 1 }, name: 'user' }, PURGE],
  signin_links: [PURGE],
  rejected: [{ key: { rejectedAt: -1, _id: -1 }, name: 'latest' }, PURGE],
  intakes: [{ key: { owner: 1, revokedAt: 1, _id: -1 }, name: 'active' }, PURGE],
  intake_tokens: [{ key: { checkAt: 1 }, name: 'check' }],
  deliveries: [{ key: { intake: 1, _id: -1 }, name: 'latest' }, PURGE],
  adapter_data: [
    { key: { adapter: 1, kind: 1, key: 1 }, name: 'kind' },
    { key: { adapter: 1, kind: 1, owner: 1, key: 1 }, name: 'owner' },
    PURGE,
  ],
};

/** Indexes of older versions, by collection; others replace them. */
const RETIRED: Record<string, string[]> = { tasks: ['statistics'] };

/** IndexOptionsConflict, IndexKeySpecsConflict. */
const OTHER_OPTIONS = new Set([85, 86]);
/** IndexNotFound. */
const INDEX_NOT_FOUND = new Set([27]);

/** Creates the indexes that are missing. */
export async function createIndexes(db: Db): Promise<void> {
  const missing = Object.entries(INDEXES).flatMap(([name, indexes]) =>
    indexes.map((index) => createIndex(db.collection(name), index)),
  );
  await Promise.all(missing);
  for (const [name, retired] of Object.entries(RETIRED))
    for (const index of retired)
      // As a rule it is not there. One that cannot be dropped costs space and nothing else.
      await db
        .collection(name)
        .dropIndex(index)
        .catch(() => {});
}

/** Replaces an index that an earlier version made with other options. Safe in several processes at once. */
async function createIndex(collection: Collection, index: IndexDescription): Promise<void> {
  try {
    await collection.createIndexes([index]);
  } catch (error) {
    if (index.expireAfterSeconds === undefined || !hasCode(error, OTHER_OPTIONS)) throw error;
    await collection.dropIndex(index.name ?? '').catch((refusal: unknown) => {
      if (!hasCode(refusal, INDEX_NOT_FOUND)) throw refusal;
    });
    await collection.createIndexes([index]);
  }
}

function hasCode(error: unknown, codes: ReadonlySet<number>): boolean {
  return error instanceof Error && 'code' in error && typeof error.code === 'number' && codes.has(error.code);
}
