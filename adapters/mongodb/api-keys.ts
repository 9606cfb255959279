// API keys by the hash of the key; a ring of the active ones keeps their number within the limit.
import type { ApiKeyRecord } from '#core/domain/account.ts';
import { QinboxError } from '#core/errors.ts';
import type { AccountStore } from '#core/ports/account-store.ts';
import type { Clock } from '#core/ports/clock.ts';
import { keyFields, toKey, toUser, type KeyDocument, type UserDocument } from './account-documents.ts';
import type { Calls } from './deadline.ts';
import { until, type Documents, type Table } from './documents.ts';
import { createLastUses } from './last-uses.ts';
import { createRings, type Rings } from './rings.ts';

export interface ApiKeys extends Pick<
  AccountStore,
  'createKey' | 'findKeyByHash' | 'listKeys' | 'revokeKey' | 'touchKey'
> {
  /** Stores the last uses that were held back. */
  flush(): Promise<void>;
}

/** The rings of active keys, by user. */
export function createKeyRings(documents: Documents, keys: Table<KeyDocument>, clock: Clock): Rings {
  return createRings(documents, 'key_rings', clock, async (hash) => {
    const key = await keys.read(hash);
    return key === null ? null : key.revokedAt === null;
  });
}

export function createApiKeys(documents: Documents, calls: Calls, clock: Clock): ApiKeys {
  const keys = documents.table<KeyDocument>('api_keys');
  const users = documents.table<UserDocument>('users');
  const rings = createKeyRings(documents, keys, clock);
  const uses = createLastUses(calls, (id, at) =>
    change(id, (key) => ((key.lastUsedAt ?? 0) < at ? { ...key, lastUsedAt: at } : null)),
  );

  async function byId(id: string): Promise<KeyDocument | null> {
    const [found] = await keys.find({ id }, { limit: 1, index: 'id' });
    return found ?? null;
  }

  /** Applies a rule to a key by its id; false when there is none or the rule refuses. */
  function change(id: string, rule: (key: ApiKeyRecord) => ApiKeyRecord | null): Promise<KeyDocument | null> {
    return until(async () => {
      const document = await byId(id);
      const after = document === null ? null : rule(toKey(document));
      if (document === null || after === null) return { answer: null };
      return (await keys.swap(document, keyFields(after))) ? { answer: document } : null;
    });
  }

  return {
    flush: () => uses.flush(),
    async createKey(key, limit) {
      if (!(await rings.enter(key.userId, key.hash, limit))) return false;
      if (await keys.insert({ _id: key.hash, v: 1, ...keyFields(key) })) return true;
      throw new QinboxError('CONFLICT', 'This key exists already.');
    },
    async findKeyByHash(hash) {
      const key = await keys.read(hash);
      const user = key === null ? null : await users.read(key.userId);
      return key === null || user === null ? null : { key: toKey(key), user: toUser(user) };
    },
    async listKeys(userId) {
      const found = await keys.find(
        { userId, revokedAt: null },
        { sort: { createdAt: -1, id: -1 }, index: 'active' },
      );
      return found.map(toKey);
    },
    async revokeKey(userId, id, at) {
      const revoked = await change(id, (key) =>
        key.userId === userId && key.revokedAt === null ? { ...key, revokedAt: at } : null,
      );
      if (revoked !== null) await rings.leave(userId, revoked._id);
      return revoked !== null;
    },
    touchKey(id, at) {
      uses.note(id, at);
      return Promise.resolve();
    },
  };
}
