// An API key for the first command of somebody new. It may only create tasks, for it ends up in scripts and
// cron jobs. This page alone knows it in full, until the person signs out.
import { ApiError, problemOf } from '../../../lib/api/api-error.ts';
import { useApiKeys } from '../../../lib/api-keys.ts';
import { asRecord } from '../../../lib/json.ts';
import { createSessionCache } from '../../../lib/session-cache.ts';
import { authCall } from '../../../lib/session/auth-calls.ts';
import { useSession } from '../../../lib/session/use-session.ts';
import { useAction } from '../../../lib/use-action.ts';

const NAME = 'First key';

/** By the id of the person. */
const madeKeys = createSessionCache<string>();

export function useFirstKey() {
  const { method, user } = useSession();
  const { refetch } = useApiKeys();
  const { busy, problem, setProblem, run } = useAction();
  const owner = user?.id ?? '';

  async function create(): Promise<void> {
    const { apiKey } = await authCall('POST /auth/api-keys', { body: { name: NAME, scopes: ['ingest'] } });
    // It was created, whether or not the answer has it.
    refetch();
    const key: unknown = typeof apiKey === 'string' ? apiKey : asRecord(apiKey)['key'];
    if (typeof key !== 'string' || key === '')
      throw new ApiError('API key created but key value not returned', 'NO_KEY', 201);
    madeKeys.set(owner, key);
  }

  return {
    /** In full, if it was made in this page. */
    key: madeKeys.get(owner) ?? null,
    /** A key cannot make keys, and a guest has none. */
    canMake: method === 'jwt',
    busy,
    problem,
    dismissProblem: () => setProblem(null),
    /** Resolves with whether there is a key now. */
    make: () => run(create, (error) => problemOf(error, 'Failed to create API key')),
  };
}
