// The API keys of a person, for settings and profile: the list, and masks of keys. Full keys are cached by
// this page only, until the person signs out.
import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { ApiKey } from '#core/contract/index.ts';
import { ApiError } from './api/api-error.ts';
import { createSessionCache } from './session-cache.ts';
import { authCall } from './session/auth-calls.ts';
import { useSession } from './session/use-session.ts';

const DOT = '•';
const HEAD = 8;
const TAIL = 4;
/** A key this short would be half shown by its ends. */
const FULLY_MASKED = 12;
const DEFAULT_PREFIX = 'qi_';

/** The first 8 characters, dots, the last 4; of 12 characters or fewer only dots. */
export function maskKey(key: string): string {
  if (key.length <= FULLY_MASKED) return DOT.repeat(key.length);
  return `${key.slice(0, HEAD)}${DOT.repeat(8)}${key.slice(-TAIL)}`;
}

/** The mask of a key that this page does not know. */
export function maskOf({ prefix, last4 }: Pick<ApiKey, 'prefix' | 'last4'>): string {
  return `${prefix === '' ? DEFAULT_PREFIX : prefix}${DOT.repeat(8)}${last4}`;
}

/** The prefix and dots; "qi_" and dots where there is none. */
export function prefixOf({ prefix }: Pick<ApiKey, 'prefix'>): string {
  return `${prefix === '' ? DEFAULT_PREFIX : prefix}${DOT.repeat(8)}`;
}

const fullKeys = createSessionCache<string>();

/** The whole key, if it was made in this page. */
export function knownKey(id: string): string | null {
  return fullKeys.get(id) ?? null;
}

export interface ApiKeyList {
  /** Active ones only; null until they were fetched. */
  keys: readonly ApiKey[] | null;
  error: unknown;
  refetch: () => void;
  /** Resolves with the full key. Rejects with code NO_KEY where the server's answer does not have it. */
  create: (name: string, description?: string) => Promise<{ id: string; key: string }>;
  revoke: (id: string) => Promise<void>;
}

/** Fetched each time a screen with it opens, and only for a token session: a key cannot list keys. */
export function useApiKeys(): ApiKeyList {
  const { method, user } = useSession();
  const queries = useQueryClient();
  const queryKey = ['api-keys', method, user?.id];
  const { data, error, refetch } = useQuery({
    queryKey,
    queryFn: async ({ signal }) => (await authCall('GET /auth/api-keys', { signal })).apiKeys,
    enabled: method === 'jwt',
    refetchOnWindowFocus: false,
  });
  const change = (make: (keys: readonly ApiKey[]) => readonly ApiKey[]) =>
    queries.setQueryData(queryKey, (keys: readonly ApiKey[] | undefined) => make(keys ?? []));

  return {
    keys: data?.filter((key) => key.is_active) ?? null,
    error,
    refetch: () => void refetch(),
    create: async (name, description) => {
      const { apiKey } = await authCall('POST /auth/api-keys', {
        body: { name, scopes: ['read', 'write'], ...(description === undefined ? {} : { description }) },
      });
      const made = readKey(apiKey);
      if (made.listed !== null) {
        const { listed } = made;
        change((keys) => [listed, ...keys.filter(({ id }) => id !== listed.id)]);
      }
      if (made.key === null) throw new ApiError('', 'NO_KEY', 201);
      const id = made.listed?.id ?? '';
      if (id !== '') fullKeys.set(id, made.key);
      return { id, key: made.key };
    },
    revoke: async (id) => {
      await authCall('DELETE /auth/api-keys/:id', { params: { id } });
      fullKeys.delete(id);
      change((keys) => keys.filter((key) => key.id !== id));
    },
  };
}

// An object with the key in it, or the key alone.
function readKey(answer: unknown): { key: string | null; listed: ApiKey | null } {
  if (typeof answer === 'string') return { key: answer === '' ? null : answer, listed: null };
  if (typeof answer !== 'object' || answer === null) return { key: null, listed: null };
  const { key, ...rest } = answer as Partial<ApiKey> & { key?: unknown };
  return {
    key: typeof key === 'string' && key !== '' ? key : null,
    listed: typeof rest.id === 'string' ? ({ is_active: true, ...rest } as ApiKey) : null,
  };
}
