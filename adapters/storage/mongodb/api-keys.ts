// API keys by the hash of the key, and for each user a list of the active ones, which keeps their number within the limit:
// a key enters the list first and is stored then, so that a cut in between costs a place in the list and never admits one
// too many. Places of keys that were never stored or are revoked are found when the list is full.
import type { ApiKeyRecord } from '#core/domain/account.ts';
import { QinboxError } from '#core/errors.ts';
import type { AccountStore } from '#core/ports/account-store.ts';
import type { Clock } from '#core/ports/clock.ts';
import { keyFields, toKey, toUser, type KeyDocument, type UserDocument } from './account-documents.ts';
import type { Calls } from './deadline.ts';
import { until, type Documents, type Kept } from './documents.ts';

/** Which keys of a user are active; `_id` is the user's. */
export interface KeyRing extends Kept {
  active: { hash: string; at: Date }[];
}

/** How long a key's last use may stay in memory only. */
const TOUCH_DELAY_MS = 1000;
/** How long a place in the list is kept for a key that is about to be stored. */
const STORING_MS = 60_000;

export interface ApiKeys extends Pick<
  AccountStore,
  'createKey' | 'findKeyByHash' | 'listKeys' | 'revokeKey' | 'touchKey'
> {
  /** Stores the last uses that were held back. */
  flush(): Promise<void>;
}

export function createApiKeys(documents: Documents, calls: Calls, clock: Clock): ApiKeys {
  const keys = documents.table<KeyDocument>('api_keys');
  const rings = documents.table<KeyRing>('key_rings');
  const users = documents.table<UserDocument>('users');
  const touched = new Map<string, number>();
  let timer: NodeJS.Timeout | undefined;

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

  async function stillActive(ring: KeyRing): Promise<KeyRing['active']> {
    const found = await Promise.all(ring.active.map(({ hash }) => keys.read(hash)));
    return ring.active.filter(({ at }, index) => {
      const key = found[index] ?? null;
      return key === null ? clock.now() - at.getTime() < STORING_MS : key.revokedAt === null;
    });
  }

  async function leaveRing(userId: string, hash: string): Promise<void> {
    await until(async () => {
      const ring = await rings.read(userId);
      if (ring === null) return { answer: null };
      const active = ring.active.filter((entry) => entry.hash !== hash);
      return (await rings.swap(ring, { active })) ? { answer: null } : null;
    });
  }

  /** Takes a place in the list of the user's active keys; false when there is none. */
  function enterRing(key: ApiKeyRecord, limit: number): Promise<boolean> {
    return until(async () => {
      const entry = { hash: key.hash, at: new Date(clock.now()) };
      const ring = await rings.read(key.userId);
      if (ring === null) {
        if (limit < 1) return { answer: false };
        return (await rings.insert({ _id: key.userId, v: 1, active: [entry] })) ? { answer: true } : null;
      }
      const active = ring.active.length < limit ? ring.active : await stillActive(ring);
      if (active.length >= limit) return { answer: false };
      return (await rings.swap(ring, { active: [...active, entry] })) ? { answer: true } : null;
    });
  }

  async function flush(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    const uses = [...touched];
    touched.clear();
    for (const [id, at] of uses)
      await change(id, (key) => ((key.lastUsedAt ?? 0) < at ? { ...key, lastUsedAt: at } : null));
  }

  return {
    flush,
    async createKey(key, limit) {
      if (!(await enterRing(key, limit))) return false;
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
      if (revoked !== null) await leaveRing(userId, revoked._id);
      return revoked !== null;
    },
    touchKey(id, at) {
      touched.set(id, Math.max(at, touched.get(id) ?? 0));
      // Losing these is allowed, so a store that is away is nobody's fault here.
      timer ??= setTimeout(() => void calls.run(flush).catch(() => {}), TOUCH_DELAY_MS).unref();
      return Promise.resolve();
    },
  };
}
