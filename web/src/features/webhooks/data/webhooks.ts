// The signed-in person's webhooks and what was sent to them: fetched once, updated by the answers to changes.
import type { SaveWebhook, Webhook, WebhookDelivery } from '#core/contract/index.ts';
import { unlessGone } from '../../../lib/api/api-error.ts';
import { useCreateOnce } from '../../../lib/create-once.ts';
import { queries, useQuery } from '../../../lib/queries.ts';
import { api } from '../../../lib/services.ts';
import { useSession } from '../../../lib/session/use-session.ts';
import { webhookListKey } from '../../../lib/webhook-list.ts';

/** How often the deliveries are fetched while one waits for its first attempt, and how often at the most. */
const LOOK_MS = 1000;
const LOOKS = 20;
/** How often those of a webhook had been fetched when something was sent on this screen. */
const looksBefore = new Map<string, number>();

/** A webhook with its new secret, which is answered once. */
export interface NewSecret {
  webhook: Webhook;
  secret: string;
}

function useKeys() {
  const { user } = useSession();
  const owner = user?.id ?? 'nobody';
  return {
    list: webhookListKey(owner),
    deliveries: (id: string) => ['webhooks', owner, 'deliveries', id],
  };
}

/** The newest first. */
export function useDeliveries(id: string) {
  const { deliveries } = useKeys();
  return useQuery({
    queryKey: deliveries(id),
    queryFn: async ({ signal }) =>
      (await api('GET /webhooks/:id/deliveries', { params: { id }, signal })).deliveries,
    refetchInterval: ({ state }) =>
      state.dataUpdateCount - (looksBefore.get(id) ?? 0) < LOOKS && (state.data ?? []).some(isOnItsWay)
        ? LOOK_MS
        : false,
  });
}

const isOnItsWay = ({ status, lastAttemptAt }: WebhookDelivery): boolean =>
  status === 'waiting' && lastAttemptAt === null;

export function useWebhookCalls() {
  const keys = useKeys();
  const createOnce = useCreateOnce();

  function show(webhook: Webhook): void {
    queries.setQueryData(keys.list, (list: readonly Webhook[] | undefined) => {
      if (list === undefined) return undefined;
      const isKnown = list.some(({ id }) => id === webhook.id);
      return isKnown ? list.map((each) => (each.id === webhook.id ? webhook : each)) : [...list, webhook];
    });
  }
  function shown({ webhook, secret }: NewSecret): NewSecret {
    show(webhook);
    return { webhook, secret };
  }
  async function seeDeliveries(id: string): Promise<void> {
    const queryKey = keys.deliveries(id);
    looksBefore.set(id, queries.getQueryState(queryKey)?.dataUpdateCount ?? 0);
    await queries.invalidateQueries({ queryKey });
  }

  async function remove(id: string): Promise<void> {
    await unlessGone(api('DELETE /webhooks/:id', { params: { id } }));
    queries.setQueryData(keys.list, (list: readonly Webhook[] | undefined) =>
      list?.filter((each) => each.id !== id),
    );
  }

  return {
    create: async (body: SaveWebhook): Promise<NewSecret> =>
      shown(
        await createOnce({
          name: body.name,
          create: () => api('POST /webhooks', { body }),
          list: async () => (await api('GET /webhooks')).webhooks,
          remove,
        }),
      ),
    save: async (id: string, body: SaveWebhook): Promise<void> =>
      show((await api('PUT /webhooks/:id', { params: { id }, body })).webhook),
    rotate: async (id: string): Promise<NewSecret> =>
      shown(await api('POST /webhooks/:id/secret', { params: { id } })),
    remove,
    /** Fetches how they stand. */
    refresh: () => queries.invalidateQueries({ queryKey: keys.list }),
    test: async (id: string): Promise<void> => {
      await api('POST /webhooks/:id/test', { params: { id } });
      await seeDeliveries(id);
    },
    replay: async (id: string, deliveryId: string): Promise<void> => {
      await api('POST /webhooks/:id/deliveries/:deliveryId/replay', { params: { id, deliveryId } });
      await seeDeliveries(id);
    },
  };
}
