// API keys by the hash of the key. A list of each user's active keys bounds their number.
import { QinboxError } from '#core/errors.ts';
import { createLastUses, type LastUses } from '#core/last-uses.ts';
import type { AccountStore } from '#core/ports/account-store.ts';
import type { Clock } from '#core/ports/clock.ts';
import { keyFields, toKey, toUser, type KeyDocument, type UserDocument } from './account-documents.ts';
import type { Database, VersionedCollection } from './collection.ts';
import { createMemberList, type MemberList } from './member-list.ts';

export type ApiKeys = Pick<AccountStore, 'createKey' | 'findKeyByHash' | 'listKeys' | 'revokeKey'>;

/** The active keys of each user. */
export function createActiveKeys(
  database: Database,
  keys: VersionedCollection<KeyDocument>,
  clock: Clock,
): MemberList {
  return createMemberList(database, 'key_rings', clock, async (hash) => {
    const key = await keys.read(hash);
    return key === null ? null : key.revokedAt === null;
  });
}

export function createKeyUses(database: Database): LastUses {
  const keys = database.collection<KeyDocument>('api_keys');
  return createLastUses((uses) =>
    keys.run((collection) =>
      collection.bulkWrite(
        uses.map(([id, at]) => ({
          updateOne: { filter: { id }, update: { $max: { lastUsedAt: new Date(at) }, $inc: { v: 1 } } },
        })),
      ),
    ),
  );
}

export function createApiKeys(database: Database, clock: Clock): ApiKeys {
  const keys = database.collection<KeyDocument>('api_keys');
  const users = database.collection<UserDocument>('users');
  const activeKeys = createActiveKeys(database, keys, clock);

  return {
    async createKey(key, limit) {
      if (!(await activeKeys.add(key.userId, key.hash, limit))) return false;
      if (await keys.insert({ _id: key.hash, v: 1, ...keyFields(key) })) return true;
      throw new QinboxError('CONFLICT', 'This key exists already.');
    },
    async findKeyByHash(hash) {
      const key = await keys.read(hash);
      const user = key === null ? null : await users.read(key.userId);
      return key === null || user === null ? null : { key: toKey(key), user: toUser(user) };
    },
    async listKeys(userId) {
      const query = { userId, revokedAt: null };
      return (await keys.find(query, { sort: { createdAt: -1, id: -1 }, hint: 'active' })).map(toKey);
    },
    async revokeKey(userId, id, at) {
      const revoked = await keys.run((collection) =>
        collection.findOneAndUpdate(
          { id, userId, revokedAt: null },
          { $set: { revokedAt: new Date(at) }, $inc: { v: 1 } },
        ),
      );
      if (revoked !== null) await activeKeys.remove(userId, revoked._id);
      return revoked !== null;
    },
  };
}
