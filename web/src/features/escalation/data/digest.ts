// The signed-in person's digest: as the server has it, and its changes.
import type { Digest } from '#core/contract/index.ts';
import type { Answer } from '../../../lib/api/calls.ts';
import { queries, useQuery } from '../../../lib/queries.ts';
import { api } from '../../../lib/services.ts';
import { useSession } from '../../../lib/session/use-session.ts';
import { useSaveAtOnce } from '../../../lib/use-save-at-once.ts';

type Stored = Pick<Answer<'GET /digest'>, 'digest' | 'mail'>;

function useKey() {
  const { user } = useSession();
  return ['digest', user?.id ?? 'nobody'];
}

/** Fails at once without a network, so that the page says so. */
export function useDigest() {
  return useQuery<Stored>({
    queryKey: useKey(),
    queryFn: async ({ signal }) => {
      const { digest, mail } = await api('GET /digest', { signal });
      return { digest, mail };
    },
    networkMode: 'always',
  });
}

/** Null switches it off. */
export function useSaveDigest() {
  const queryKey = useKey();
  return useSaveAtOnce<Digest | null>({
    read: () => queries.getQueryData<Stored>(queryKey)?.digest,
    show: (digest) => {
      queries.setQueryData(queryKey, (stored: Stored | undefined) => stored && { ...stored, digest });
      // What is on its way is not shown before it is confirmed by a fetch that began earlier.
      void queries.cancelQueries({ queryKey });
    },
    send: async (digest) => (await api('PUT /digest', { body: { digest } })).digest,
  });
}
