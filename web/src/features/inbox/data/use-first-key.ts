// An API key for the first command of somebody new. It may only create tasks, for it ends up in scripts and
// cron jobs. This page alone knows it in full, until the person signs out.
import { ApiError, problemOf } from '../../../lib/api/api-error.ts';
import { useApiKeys } from '../../../lib/api-keys.ts';
import { createSessionCache } from '../../../lib/session-cache.ts';
import { useSession } from '../../../lib/session/use-session.ts';
import { useAction } from '../../../lib/use-action.ts';

const NAME = 'First key';

/** By the id of the person. */
const madeKeys = createSessionCache<string>();

export function useFirstKey() {
  const { method, user } = useSession();
  const { create } = useApiKeys();
  const { busy, problem, setProblem, run } = useAction();
  const owner = user?.id ?? '';

  const make = async () => void madeKeys.set(owner, (await create(NAME, { scopes: ['ingest'] })).key);

  return {
    /** In full, if it was made in this page. */
    key: madeKeys.get(owner) ?? null,
    /** A key cannot make keys, and a guest has none. */
    canMake: method === 'jwt',
    busy,
    problem,
    dismissProblem: () => setProblem(null),
    /** Resolves with whether there is a key now. */
    make: () =>
      run(make, (error) =>
        error instanceof ApiError && error.code === 'NO_KEY'
          ? { message: 'API key created but key value not returned' }
          : problemOf(error, 'Failed to create API key'),
      ),
  };
}
