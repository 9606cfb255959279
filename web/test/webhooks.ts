// The webhooks of the fake server.
import type { SaveWebhook, Webhook, WebhookDelivery } from '#core/contract/index.ts';
import type { Call, Reply } from './call.ts';

const AT = '2026-11-20T08:05:00.000Z';

export function aWebhook(fields: Partial<Webhook> = {}): Webhook {
  return {
    id: 'wh_1',
    name: 'Incident bot',
    url: 'https://hooks.example.com/qinbox',
    events: ['task.created', 'task.acknowledged'],
    filter: {},
    paused: false,
    off: null,
    failingSince: null,
    lastDeliveredAt: null,
    previousSecretUntil: null,
    created_at: AT,
    updated_at: AT,
    ...fields,
  };
}

export function aWebhookDelivery(fields: Partial<WebhookDelivery> = {}): WebhookDelivery {
  return {
    id: 'msg_1',
    event: 'task.created',
    taskId: 'task_1',
    at: AT,
    status: 'delivered',
    attempts: 1,
    lastAttemptAt: AT,
    nextAttemptAt: null,
    answer: { status: 200, error: null, body: 'ok', ms: 12 },
    ...fields,
  };
}

export class FakeWebhooks {
  list: Webhook[] = [];
  deliveries: WebhookDelivery[] = [];
  #made = 0;

  answer({ method, path, body }: Call): Reply {
    const [, , id = '', part] = path.split('/');
    if (part === 'deliveries' && method === 'GET')
      return ok({ deliveries: structuredClone(this.deliveries) });
    if (part === 'deliveries' || part === 'test') {
      const event = part === 'test' ? 'webhook.test' : 'task.created';
      const delivery = aWebhookDelivery({ id: `msg_new${++this.#made}`, event });
      this.deliveries.unshift(delivery);
      return made({ delivery });
    }
    const before = this.list.find((webhook) => webhook.id === id);
    if (part === 'secret') return ok({ webhook: before, secret: `whsec_new${++this.#made}` });
    if (method === 'GET') return ok({ webhooks: structuredClone(this.list) });
    if (method === 'DELETE') {
      this.list = this.list.filter((webhook) => webhook.id !== id);
      return ok({});
    }
    const webhook = aWebhook({ ...before, ...(body as unknown as SaveWebhook), off: null });
    if (before === undefined) {
      this.list.push({ ...webhook, id: `wh_${++this.#made}` });
      return made({ webhook: this.list.at(-1), secret: `whsec_first${this.#made}` });
    }
    this.list = this.list.map((each) => (each.id === id ? webhook : each));
    return ok({ webhook });
  }
}

function ok(fields: object): Reply {
  return { status: 200, body: { success: true, ...fields } };
}

function made(fields: object): Reply {
  return { status: 201, body: { success: true, ...fields } };
}
