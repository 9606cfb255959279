// The person's intakes, in one cache for all that show or look for them.
import { useQuery } from './queries.ts';
import { api } from './services.ts';
import { useSession } from './session/use-session.ts';

/** The query of the list; `owner` is the id of the person. */
export function intakeListKey(owner: string) {
  return ['intakes', owner, 'list'];
}

interface Options {
  enabled?: boolean;
  /** How long a fetched list will do, in milliseconds. */
  staleTime?: number;
}

/** All of them, the latest first. */
export function useIntakeList({ enabled = true, staleTime = 0 }: Options = {}) {
  const { user } = useSession();
  return useQuery({
    queryKey: intakeListKey(user?.id ?? 'nobody'),
    queryFn: async ({ signal }) => (await api('GET /intakes', { signal })).intakes,
    enabled,
    staleTime,
  });
}
