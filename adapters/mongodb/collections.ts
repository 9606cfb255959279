// The collections and their indexes. Every query of the driver is an index scan on a server that has these; what must be
// unique is an `_id`, so that no server needs unique indexes. Making them twice does nothing.
import type { Collection, Db, IndexDescription } from 'mongodb';

/**
 * How long after its `purgeAt` the server removes a document by itself. Workers remove it in time, by a clock that they have confirmed;
 * the server's own clock, and that of the process which wrote the document, may be wrong by this much and remove nothing too early.
 */
const GRACE_SECONDS = 3 * 24 * 60 * 60;
/** A document without `purgeAt` is never removed by the server. */
const PURGE: IndexDescription = { key: { purgeAt: 1 }, name: 'purge', expireAfterSeconds: GRACE_SECONDS };

const INDEXES: Record<string, IndexDescription[]> = {
  tasks: [
    // Pages in the order of the list; the last field lets the server skip what is past its time without fetching it.
    { key: { owner: 1, state: -1, _id: -1, visibleUntil: 1 }, name: 'list' },
    { key: { owner: 1, priority: 1, state: -1, _id: -1, visibleUntil: 1 }, name: 'list_priority' },
    // Statistics, revision and what counts towards the quota are read from this index alone.
    { key: { owner: 1, visibleUntil: 1, bucket: 1, salt: 1, bytes: 1 }, name: 'usage' },
    { key: { owner: 1, acknowledgedAt: -1, _id: -1 }, name: 'restorable' },
    { key: { state: 1, visibleUntil: 1 }, name: 'expiry' },
    PURGE,
  ],
  dedupe_keys: [{ key: { checkAt: 1 }, name: 'check' }],
  applied_orders: [PURGE],
  claims: [PURGE],
  users: [{ key: { createdAt: 1, _id: 1 }, name: 'oldest' }],
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
  locks: [PURGE],
};

/** Indexes of older versions, by collection: each has a successor that holds more. */
const RETIRED: Record<string, string[]> = { tasks: ['statistics'] };

const NOT_IMPLEMENTED = new Set([67, 72, 115, 238]);
/** IndexOptionsConflict, IndexKeySpecsConflict. */
const OTHER_OPTIONS = new Set([85, 86]);
/** IndexNotFound. */
const GONE = new Set([27]);

/** Makes the indexes. False when the server refuses TTL indexes, so that nothing is removed unless the driver does it. */
export async function createIndexes(db: Db): Promise<boolean> {
  const made = await Promise.all(
    Object.entries(INDEXES).map(async ([name, indexes]) => {
      const collection = db.collection(name);
      let ttl = true;
      // One command for each: FerretDB 1.24 fails on a command with several indexes that it has already.
      for (const { key, ...options } of indexes)
        try {
          await collection.createIndexes([{ key, ...options }]);
        } catch (error) {
          if (options.expireAfterSeconds === undefined) throw error;
          if (hasCode(error, OTHER_OPTIONS)) await replaceIndex(collection, key, options);
          else if (hasCode(error, NOT_IMPLEMENTED)) {
            ttl = false;
            await collection.createIndexes([{ key, name: 'purge_by_hand' }]);
          } else throw error;
        }
      return ttl;
    }),
  );
  for (const [name, retired] of Object.entries(RETIRED))
    for (const index of retired)
      // It is not there, as a rule. One that cannot be dropped costs room, and nothing else.
      await db
        .collection(name)
        .dropIndex(index)
        .catch(() => {});
  return made.every(Boolean);
}

/** An earlier version made it with another time. Several processes may do this at once: what one has dropped another need not. */
async function replaceIndex(
  collection: Collection,
  key: IndexDescription['key'],
  options: Omit<IndexDescription, 'key'>,
): Promise<void> {
  await collection.dropIndex(options.name ?? '').catch((error: unknown) => {
    if (!hasCode(error, GONE)) throw error;
  });
  await collection.createIndexes([{ key, ...options }]);
}

function hasCode(error: unknown, codes: ReadonlySet<number>): boolean {
  return error instanceof Error && 'code' in error && typeof error.code === 'number' && codes.has(error.code);
}

/** The indexes by collection, for the test that holds every query to one. */
export { INDEXES };
