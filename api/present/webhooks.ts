// Webhooks out, their deliveries and what they are sent, as the API shows them.
import type { Webhook, WebhookDelivery, WebhookPayload as PayloadBody } from '#core/contract/index.ts';
import type { WebhookPayload, WebhookRecord } from '#core/domain/webhook.ts';
import { BEHIND, type Work } from '#core/domain/work.ts';
import type { WebhookAnswer } from '#core/services/webhook-delivery.ts';
import { presentTask } from './tasks.ts';
import { isoTime } from './time.ts';

const timeOrNull = (ms: number | null): string | null => (ms === null ? null : isoTime(ms));

export function presentWebhook(webhook: WebhookRecord, now: number): Webhook {
  const { id, name, url, paused, off, previous } = webhook;
  return {
    ...{ id, name, url, paused },
    events: [...webhook.events],
    filter: {
      priorities: [...webhook.filter.priorities],
      intakes: [...webhook.filter.intakes],
      tags: [...webhook.filter.tags],
    },
    off: off === null ? null : { at: isoTime(off.at), reason: off.reason },
    failingSince: timeOrNull(webhook.failingSince),
    lastDeliveredAt: timeOrNull(webhook.lastDeliveredAt),
    previousSecretUntil: previous !== null && now < previous.until ? isoTime(previous.until) : null,
    created_at: isoTime(webhook.createdAt),
    updated_at: isoTime(webhook.updatedAt),
  };
}

const STATUSES = { waiting: 'waiting', done: 'delivered', failed: 'failed' } as const;

export function presentWebhookDelivery(work: Work): WebhookDelivery {
  const { type, task } = JSON.parse(work.payload) as WebhookPayload;
  return {
    id: work.id,
    event: type,
    taskId: type === 'webhook.test' ? null : task.id,
    at: isoTime(work.createdAt),
    status: STATUSES[work.status],
    attempts: work.attempts,
    lastAttemptAt: timeOrNull(work.lastAttemptAt),
    nextAttemptAt: work.dueAt === BEHIND ? null : timeOrNull(work.dueAt),
    answer: work.result === null ? null : (JSON.parse(work.result) as WebhookAnswer),
  };
}

/** The body of a message. */
export function presentWebhookPayload({ type, at, task }: WebhookPayload): PayloadBody {
  return { type, timestamp: isoTime(at), data: presentTask(task) };
}
