// Builds the services of webhooks out, and starts sending where this process does.
import { WEBHOOK_WORK } from '#core/domain/webhook.ts';
import type { Accounts } from '#core/services/accounts.ts';
import { createGrace } from '#core/services/grace.ts';
import type { Submissions } from '#core/services/submissions.ts';
import { createWebhookDelivery } from '#core/services/webhooks/delivery.ts';
import { createWebhookSecrets } from '#core/services/webhooks/secrets.ts';
import { createWebhooks } from '#core/services/webhooks/webhooks.ts';
import { createReadAddress } from '#core/services/outgoing-address.ts';
import { startWorkRelay } from '#core/services/work/relay.ts';
import { startWorkRunner, type WorkHandler } from '#core/services/work/runner.ts';
import { presentWebhookPayload } from '../present/webhooks.ts';
import type { Context } from './context.ts';

/** How often to look for work that is due: a file is asked at less cost than a server. */
const WORK_INTERVAL_MS = { embedded: 100, production: 200 };

export function createWebhookServices(
  { storage, bus, outgoing, clock, config, encryption, nextId, metrics, background, onError }: Context,
  { accounts, submissions }: { accounts: Accounts; submissions: Submissions },
) {
  const isEmbedded = config.production === null;
  const { webhooks, work } = storage;
  const common = { webhooks, work, clock, secrets: createWebhookSecrets(encryption) };
  const observe = metrics.meter.counter(
    'webhook_attempts_total',
    'Attempts to send to webhooks, by what came of them.',
    'outcome',
  );
  return {
    webhooks: createWebhooks({
      ...common,
      nextId,
      readAddress: createReadAddress({ mayReach: outgoing.mayReach, allowHttp: config.webhookHttp }),
    }),
    /** Begins to tell all processes what this one has stored, and to do what is due, where this one works. */
    start(others: Readonly<Record<string, WorkHandler>>) {
      if (!background) return undefined;
      const relay = startWorkRelay({ storage, bus, onError });
      if (!isEmbedded && !config.roles.includes('worker')) return relay;
      const graceMs = createGrace(clock);
      const delivery = createWebhookDelivery({
        ...common,
        graceMs,
        outgoing,
        submissions,
        mayUse: (ownerId) => accounts.mayBeUsed(ownerId),
        present: presentWebhookPayload,
        observe,
        onError,
      });
      const runner = startWorkRunner({
        store: work,
        clock,
        graceMs,
        handlers: { ...others, [WEBHOOK_WORK]: delivery },
        intervalMs: isEmbedded ? WORK_INTERVAL_MS.embedded : WORK_INTERVAL_MS.production,
        onError,
      });
      metrics.meter.gauge('webhook_attempts', 'Attempts at work that is due outside under way.', () =>
        runner.underWay(),
      );
      const unsubscribe = bus.subscribe((event) => {
        if (event.kind === 'work') runner.wake(event.lanes);
      });
      return {
        async stop() {
          unsubscribe();
          await Promise.all([runner.stop(), relay.stop()]);
        },
      };
    },
  };
}
