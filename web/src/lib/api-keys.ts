// The API keys of a person, and their masks. Only this page caches full keys, until the person signs out.
import type { ApiKey, Scope } from '#core/contract/index.ts';
import { isUnanswered, useCreateOnce } from './create-once.ts';
import { queries, useQuery } from './queries.ts';
import { ApiError, unlessGone } from './api/api-error.ts';
import { asRecord } from './json.ts';
import { DOT } from './key-mask.ts';
import { createSessionCache } from './session-cache.ts';
import { authCall } from './session/auth-calls.ts';
import { useSession } from './session/use-session.ts';

const DEFAULT_PREFIX = 'qi_';

/** The mask of a key that this page does not know. */
export function maskOf({ prefix, last4 }: Pick<ApiKey, 'prefix' | 'last4'>): string {
  return `${prefix === '' ? DEFAULT_PREFIX : prefix}${DOT.repeat(8)}${last4}`;
}

/** The prefix and dots; "qi_" and dots where there is none. */
export function prefixOf({ prefix }: Pick<ApiKey, 'prefix'>): string {
  return `${prefix === '' ? DEFAULT_PREFIX : prefix}${DOT.repeat(8)}`;
}

/** What a new key is to be, beside its name. */
export interface NewKey {
  description?: string;
  scopes?: readonly Scope[];
  /** In milliseconds; null: it lasts until it is revoked. */
  expiresAt?: number | null;
}

const DEFAULT_SCOPES: readonly Scope[] = ['read', 'write'];

const fullKeys = createSessionCache<string>();

/** The whole key, if it was made in this page. */
export function knownKey(id: string): string | null {
  return fullKeys.get(id) ?? null;
}

/** Fetched each time a screen with it opens, and only for a token session: a key cannot list keys. */
export function useApiKeys() {
  const { method, user } = useSession();
  const createOnce = useCreateOnce();
  const queryKey = ['api-keys', method, user?.id];
  const { data, error, refetch } = useQuery({
    queryKey,
    queryFn: async ({ signal }) => (await authCall('GET /auth/api-keys', { signal })).apiKeys,
    enabled: method === 'jwt',
    refetchOnWindowFocus: false,
  });
  function change(make: (keys: readonly ApiKey[]) => readonly ApiKey[]): void {
    const keys = queries.getQueryData<readonly ApiKey[]>(queryKey);
    // Where they are not known, one key alone would look like all of them.
    if (keys === undefined) void refetch();
    else queries.setQueryData(queryKey, make(keys));
  }

  async function revoke(id: string): Promise<void> {
    await unlessGone(authCall('DELETE /auth/api-keys/:id', { params: { id } }));
    fullKeys.delete(id);
    change((keys) => keys.filter((key) => key.id !== id));
  }

  async function create(
    name: string,
    { description, scopes = DEFAULT_SCOPES, expiresAt = null }: NewKey = {},
  ): Promise<{ id: string; key: string }> {
    const body = {
      name,
      scopes: [...scopes],
      ...(description === undefined ? {} : { description }),
      ...(expiresAt === null ? {} : { expires_at: new Date(expiresAt).toISOString() }),
    };
    const made = await createOnce({
      name,
      create: async () => {
        const { key, listed } = readKey((await authCall('POST /auth/api-keys', { body })).apiKey);
        if (listed !== null) change((keys) => [listed, ...keys.filter(({ id }) => id !== listed.id)]);
        if (key === null) throw new ApiError('', 'NO_KEY', 201);
        return { id: listed?.id ?? '', key };
      },
      list: async () => (await authCall('GET /auth/api-keys')).apiKeys.filter((key) => key.is_active),
      remove: revoke,
    }).catch((error: unknown) => {
      // It may be among the keys now.
      if (isUnanswered(error)) void refetch();
      throw error;
    });
    if (made.id !== '') fullKeys.set(made.id, made.key);
    return made;
  }

  return {
    /** Active ones only; null until they were fetched. */
    keys: data?.filter((key) => key.is_active) ?? null,
    error,
    refetch: () => void refetch(),
    /** Resolves with the full key. Rejects with code NO_KEY where the server's answer does not have it. */
    create,
    revoke,
  };
}

// An object with the key in it, or the key alone.
function readKey(answer: unknown): { key: string | null; listed: ApiKey | null } {
  const { key, ...rest } = typeof answer === 'string' ? { key: answer } : asRecord(answer);
  return {
    key: typeof key === 'string' && key !== '' ? key : null,
    listed:
      typeof rest['id'] === 'string'
        ? ({ is_active: true, scopes: DEFAULT_SCOPES, expires_at: null, ...rest } as unknown as ApiKey)
        : null,
  };
}
