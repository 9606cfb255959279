// The saved views of the person who is signed in, the same on every device.
import type { SaveView, View } from '#core/contract/index.ts';
import { unlessGone } from '../../../lib/api/api-error.ts';
import { queries, useQuery } from '../../../lib/queries.ts';
import { api } from '../../../lib/services.ts';
import { useSession } from '../../../lib/session/use-session.ts';

export const VIEW_KEYS = ['4', '5', '6', '7', '8', '9'] as const;

const NONE: readonly View[] = [];

export type SavedViews = ReturnType<typeof useViews>;

export function useViews() {
  const { authenticated, loading, method, user } = useSession();
  const queryKey = ['views', method, user?.id];
  const { data } = useQuery({
    queryKey,
    queryFn: async ({ signal }) => (await api('GET /views', { signal })).views,
    enabled: authenticated && !loading,
    // Another device may have saved one.
    refetchOnWindowFocus: true,
    staleTime: 60_000,
  });
  const changed = () => queries.invalidateQueries({ queryKey });
  return {
    all: data ?? NONE,
    /** Guests have none. */
    canSave: authenticated,
    /** Saves a new view, or the one with this id. Rejects with the server's reason. */
    save: async (view: SaveView, id: string | null): Promise<void> => {
      if (id === null) await api('POST /views', { body: view });
      else await api('PUT /views/:id', { params: { id }, body: view });
      await changed();
    },
    remove: async (id: string): Promise<void> => {
      await unlessGone(api('DELETE /views/:id', { params: { id } }));
      await changed();
    },
  };
}
