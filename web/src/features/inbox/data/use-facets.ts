// What the search field completes: the tags, sources and intakes of the queue.
import type { Facets, Task } from '#core/contract/index.ts';
import { useQuery } from '../../../lib/queries.ts';
import { api } from '../../../lib/services.ts';
import { countValues } from '../model/counts.ts';
import { useSession } from '../../../lib/session/use-session.ts';

const FRESH_MS = 20_000;

/** Asked for while `wanted`. Of the demo, and until the server has answered, from the listed tasks alone. */
export function useFacets(wanted: boolean, tasks: readonly Task[]): Facets {
  const { authenticated, method, user } = useSession();
  const { data } = useQuery({
    queryKey: ['facets', method, user?.id],
    queryFn: async ({ signal }) => (await api('GET /tasks/facets', { signal })).facets,
    enabled: wanted && authenticated,
    staleTime: FRESH_MS,
  });
  return data ?? (wanted ? facetsOf(tasks) : NONE);
}

const NONE: Facets = { sources: [], tags: [], intakes: [] };

function facetsOf(tasks: readonly Task[]): Facets {
  const intakes = new Map(
    tasks.flatMap(({ intake }) => (intake === undefined ? [] : [[intake.id, intake.name]])),
  );
  return {
    sources: countValues(tasks.map(({ source }) => source)),
    tags: countValues(tasks.flatMap(({ tags }) => tags)),
    intakes: countValues(tasks.flatMap(({ intake }) => intake?.id ?? [])).map(({ value, count }) => ({
      id: value,
      name: intakes.get(value) ?? value,
      count,
    })),
  };
}
