// Calls on webhooks out and their deliveries.
import type { FastifyInstance } from 'fastify';
import { webhookRoutes } from '#core/contract/index.ts';
import type { WebhookRecord } from '#core/domain/webhook.ts';
import { session, signedIn } from '../plugins/caller.ts';
import { presentWebhook, presentWebhookDelivery } from '../present/webhooks.ts';
import { addRoute, ok } from '../route.ts';
import type { Parts } from '../services/services.ts';

type Deps = Pick<Parts, 'accounts' | 'clock' | 'webhooks'>;

/** Adds every `/webhooks` call. */
export function addWebhookRoutes(app: FastifyInstance, { accounts, clock, webhooks }: Deps): void {
  const present = (webhook: WebhookRecord) => presentWebhook(webhook, clock.now());

  addRoute(app, webhookRoutes.list, async (request) =>
    ok({ webhooks: (await webhooks.list(signedIn(request).ownerId)).map(present) }),
  );

  addRoute(app, webhookRoutes.create, async (request) => {
    const { ownerId, sessionId } = session(request);
    const { webhook, secret } = await accounts.whileSignedIn(
      sessionId,
      () => webhooks.create(ownerId, request.body),
      ({ webhook: { id } }) => webhooks.remove(ownerId, id),
    );
    return ok({ webhook: present(webhook), secret });
  });

  addRoute(app, webhookRoutes.get, async (request) =>
    ok({ webhook: present(await webhooks.get(signedIn(request).ownerId, request.params.id)) }),
  );

  addRoute(app, webhookRoutes.save, async (request) => {
    const { ownerId } = session(request);
    return ok({ webhook: present(await webhooks.save(ownerId, request.params.id, request.body)) });
  });

  addRoute(app, webhookRoutes.remove, async (request) => {
    await webhooks.remove(session(request).ownerId, request.params.id);
    return ok();
  });

  addRoute(app, webhookRoutes.rotate, async (request) => {
    const { webhook, secret } = await webhooks.rotate(session(request).ownerId, request.params.id);
    return ok({ webhook: present(webhook), secret });
  });

  addRoute(app, webhookRoutes.test, async (request) => {
    const sent = await webhooks.test(session(request).ownerId, request.params.id);
    return ok({ delivery: presentWebhookDelivery(sent) });
  });

  addRoute(app, webhookRoutes.deliveries, async (request) => {
    const deliveries = await webhooks.deliveries(signedIn(request).ownerId, request.params.id);
    return ok({ deliveries: deliveries.map(presentWebhookDelivery) });
  });

  addRoute(app, webhookRoutes.replay, async (request) => {
    const { id, deliveryId } = request.params;
    const again = await webhooks.replay(session(request).ownerId, id, deliveryId);
    return ok({ delivery: presentWebhookDelivery(again) });
  });
}
