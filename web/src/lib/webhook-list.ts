// The person's webhooks out, in one cache for all that show or choose them.
import { useQuery } from './queries.ts';
import { api } from './services.ts';
import { useSession } from './session/use-session.ts';

/** The query of the list; `owner` is the id of the person. */
export function webhookListKey(owner: string) {
  return ['webhooks', owner, 'list'];
}

/** Oldest first. */
export function useWebhookList() {
  const { user } = useSession();
  return useQuery({
    queryKey: webhookListKey(user?.id ?? 'nobody'),
    queryFn: async ({ signal }) => (await api('GET /webhooks', { signal })).webhooks,
  });
}
