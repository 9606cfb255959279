// The state of Slack for the signed-in person: fetched once, updated by the answers to changes.
import type { SlackStatus } from '#adapters/ingestion/slack/contract.ts';
import { unlessGone } from '../../../lib/api/api-error.ts';
import { queries, useQuery } from '../../../lib/queries.ts';
import { api } from '../../../lib/services.ts';
import { useSession } from '../../../lib/session/use-session.ts';

function useKey() {
  const { user } = useSession();
  return ['slack', user?.id ?? 'nobody'];
}

/** `everyMs`: polls, while somebody is linking an account. Only a token session may ask. */
export function useSlackStatus(everyMs?: number) {
  const { method } = useSession();
  return useQuery({
    queryKey: useKey(),
    queryFn: async ({ signal }) => (await api('GET /slack', { signal })).slack,
    enabled: method === 'jwt',
    ...(everyMs === undefined ? {} : { refetchInterval: everyMs }),
  });
}

export function useSlackChanges() {
  const queryKey = useKey();
  const change = (make: (status: SlackStatus) => SlackStatus) =>
    queries.setQueryData(queryKey, (status: SlackStatus | undefined) => status && make(status));

  return {
    newCode: async () => {
      const { code, expiresAt } = await api('POST /slack/code');
      return { code, expiresAt: Date.parse(expiresAt) };
    },
    unlink: async (id: string) => {
      await unlessGone(api('DELETE /slack/accounts/:id', { params: { id } }));
      change((status) => ({ ...status, accounts: status.accounts.filter((account) => account.id !== id) }));
    },
    tie: async (body: { channel: string; name?: string; owner: string }) => {
      const { channel } = await api('POST /slack/channels', { body });
      change((status) => ({
        ...status,
        channels: [...(status.channels ?? []).filter(({ id }) => id !== channel.id), channel],
      }));
    },
    untie: async (id: string) => {
      await unlessGone(api('DELETE /slack/channels/:id', { params: { id } }));
      change((status) => ({
        ...status,
        channels: status.channels?.filter((channel) => channel.id !== id) ?? null,
      }));
    },
  };
}
