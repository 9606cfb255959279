// Webhooks out, their deliveries and what they are sent, as the API shows them.
import type { Webhook, WebhookDelivery, WebhookPayload as PayloadBody } from '#core/contract/index.ts';
import type { WebhookPayload, WebhookRecord } from '#core/domain/webhook.ts';
import { BEHIND, type Work } from '#core/domain/work.ts';
import type { WebhookAnswer } from '#core/services/webhooks/delivery.ts';
import { presentTask } from './tasks.ts';
import { isoTime, isoTimeOrNull } from './time.ts';

export function presentWebhook(webhook: WebhookRecord, now: number): Webhook {
  const { id, name, url, paused, off, previous } = webhook;
  return {
    id,
    name,
    url,
    paused,
    events: [...webhook.events],
    filter: {
      priorities: [...webhook.filter.priorities],
      intakes: [...webhook.filter.intakes],
      tags: [...webhook.filter.tags],
    },
    off: off === null ? null : { at: isoTime(off.at), reason: off.reason },
    failingSince: isoTimeOrNull(webhook.failingSince),
    lastDeliveredAt: isoTimeOrNull(webhook.lastDeliveredAt),
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
    lastAttemptAt: isoTimeOrNull(work.lastAttemptAt),
    nextAttemptAt: work.dueAt === BEHIND ? null : isoTimeOrNull(work.dueAt),
    answer: work.result === null ? null : (JSON.parse(work.result) as WebhookAnswer),
  };
}

/** The body of a message. */
export function presentWebhookPayload({ type, at, task, escalation }: WebhookPayload): PayloadBody {
  return {
    type,
    timestamp: isoTime(at),
    data: presentTask(task),
    ...(escalation === undefined ? {} : { escalation }),
  };
}
