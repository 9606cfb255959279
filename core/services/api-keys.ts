// API keys: made, listed, revoked. A key is shown once, when it is made; after that only its hash is known.
import { MAX_ACTIVE_KEYS, type Scope } from '../contract/index.ts';
import type { ApiKeyRecord } from '../domain/account.ts';
import { createApiKeySecret, hashSecret, keyHint } from '../domain/api-key.ts';
import type { IdSource } from '../domain/ids.ts';
import { invalid, QinboxError } from '../errors.ts';
import type { AccountStore } from '../ports/account-store.ts';
import type { Clock } from '../ports/clock.ts';
import type { EventBus } from '../ports/event-bus.ts';

interface Parts {
  accounts: AccountStore;
  bus: EventBus;
  clock: Clock;
  nextId: IdSource;
}

/** What a new key is to be. */
export interface KeyRequest {
  name: string;
  description?: string;
  scopes?: readonly Scope[];
}

/** What a key may do when nothing else is said. */
export const DEFAULT_SCOPES: readonly Scope[] = ['read', 'write'];

export function createApiKeys({ accounts, bus, clock, nextId }: Parts) {
  return {
    /** A new key of this user, in full, this once. CONFLICT when the user has 25 active ones. */
    async create(userId: string, request: KeyRequest): Promise<{ key: string; record: ApiKeyRecord }> {
      const name = request.name.trim();
      if (name === '') throw invalid([{ field: 'name', message: 'Please enter a name for the API key' }]);
      const key = createApiKeySecret();
      const now = clock.now();
      const record: ApiKeyRecord = {
        id: nextId('key_', now),
        userId,
        name,
        description: request.description ?? null,
        hash: hashSecret(key),
        ...keyHint(key),
        scopes: [...new Set(request.scopes ?? DEFAULT_SCOPES)],
        createdAt: now,
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

    /** The user's active keys, newest first. */
    list(userId: string): Promise<ApiKeyRecord[]> {
      return accounts.listKeys(userId);
    },

    /** Ends a key at once, everywhere. NOT_FOUND when this user has no such active key. */
    async revoke(userId: string, id: string): Promise<void> {
      if (!(await accounts.revokeKey(userId, id, clock.now())))
        throw new QinboxError('NOT_FOUND', 'There is no such API key.');
      bus.publish({ kind: 'access', userId });
    },
  };
}
