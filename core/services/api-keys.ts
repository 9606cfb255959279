// API keys: made, listed, revoked. A key is shown once, when it is made; after that only its hash is known.
import { MAX_ACTIVE_KEYS, type Scope } from '../contract/index.ts';
import { isKeyExpired, type ApiKeyRecord } from '../domain/account.ts';
import { createApiKeySecret, hashSecret, keyHint } from '../domain/api-key.ts';
import type { IdSource } from '../domain/ids.ts';
import { invalid, QinboxError } from '../errors.ts';
import type { AccountStore } from '../ports/account-store.ts';
import type { Clock } from '../ports/clock.ts';
import type { EventBus } from '../ports/event-bus.ts';
import type { PushStore } from '../ports/push-store.ts';

interface Parts {
  accounts: AccountStore;
  push: Pick<PushStore, 'change'>;
  bus: EventBus;
  clock: Clock;
  nextId: IdSource;
}

/** What a new key is to be. */
export interface KeyRequest {
  name: string;
  description?: string;
  scopes?: readonly Scope[];
  /** In milliseconds, in the future; without one the key lasts until it is revoked. */
  expiresAt?: number | null;
}

/** What a key may do when nothing else is said. */
export const DEFAULT_SCOPES: readonly Scope[] = ['read', 'write'];

export function createApiKeys({ accounts, push, bus, clock, nextId }: Parts) {
  /** Ends a key with the devices that it added: they would be told of tasks. Whether it was active. */
  async function end(userId: string, id: string, now: number): Promise<boolean> {
    if (!(await accounts.revokeKey(userId, id, now))) return false;
    await push.change(userId, (record) => {
      const devices = record.devices.filter(({ key }) => key?.id !== id);
      return devices.length === record.devices.length ? record : { ...record, devices };
    });
    return true;
  }

  /** Keys whose time is up are not listed, so they must not take the place of new ones. */
  async function revokeExpired(userId: string, now: number): Promise<void> {
    for (const key of await accounts.listKeys(userId))
      if (isKeyExpired(key, now)) await end(userId, key.id, now);
  }

  return {
    /**
     * A new key of this user, in full, this once. VALIDATION_ERROR when its end is not in the future,
     * CONFLICT when the user has 25 active ones.
     */
    async create(userId: string, request: KeyRequest): Promise<{ key: string; record: ApiKeyRecord }> {
      const name = request.name.trim();
      if (name === '') throw invalid([{ field: 'name', message: 'Please enter a name for the API key' }]);
      const now = clock.now();
      const expiresAt = request.expiresAt ?? null;
      // A time that no clock shows, such as a leap second, is not a number.
      if (expiresAt !== null && !(expiresAt > now))
        throw invalid([{ field: 'expires_at', message: 'must be a time in the future' }]);
      await revokeExpired(userId, now);
      const key = createApiKeySecret();
      const record: ApiKeyRecord = {
        id: nextId('key_', now),
        userId,
        name,
        description: request.description ?? null,
        hash: hashSecret(key),
        ...keyHint(key),
        scopes: [...new Set(request.scopes ?? DEFAULT_SCOPES)],
        createdAt: now,
        expiresAt,
        lastUsedAt: null,
        revokedAt: null,
      };
      if (!(await accounts.createKey(record, MAX_ACTIVE_KEYS)))
        throw new QinboxError(
          'CONFLICT',
          `There are ${MAX_ACTIVE_KEYS} active API keys already. Revoke one that is no longer used first.`,
        );
      return { key, record };
    },

    /** The user's active keys, newest first: neither revoked nor expired. */
    async list(userId: string): Promise<ApiKeyRecord[]> {
      const now = clock.now();
      return (await accounts.listKeys(userId)).filter((key) => !isKeyExpired(key, now));
    },

    /** Ends a key at once, everywhere. NOT_FOUND when this user has no such active key. */
    async revoke(userId: string, id: string): Promise<void> {
      if (!(await end(userId, id, clock.now())))
        throw new QinboxError('NOT_FOUND', 'There is no such API key.');
      bus.publish({ kind: 'access', userId });
    },
  };
}
