// Webhooks out: addresses of an owner's own that are told what happens to tasks, and what was sent to them.
import { Type, type Static } from 'typebox';
import {
  errors,
  id,
  IsoTime,
  nonBlank,
  nullable,
  oneOf,
  refTo,
  routesTagged,
  shape,
  success,
} from './common.ts';
import { MAX_WEBHOOKS, MAX_TAG_CHARACTERS, MAX_WEBHOOK_URL_CHARACTERS } from './limits.ts';
import { Priority, Task } from './tasks.ts';

const route = routesTagged('Webhooks');

export const WebhookEvent = oneOf(['task.created', 'task.updated', 'task.acknowledged', 'task.expired']);
export type WebhookEvent = Static<typeof WebhookEvent>;

const events = Type.Array(WebhookEvent, {
  minItems: 1,
  maxItems: 4,
  description: 'Which events are told. A task that is restored, snoozed or woken by hand is `task.updated`.',
});

const filter = Type.Object(
  {
    priorities: Type.Optional(Type.Array(Priority, { maxItems: 3 })),
    intakes: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 100 }), {
        maxItems: 100,
        description: 'Ids of intakes that the task came through.',
      }),
    ),
    tags: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: MAX_TAG_CHARACTERS }), {
        maxItems: 20,
        description: 'The task has at least one of them.',
      }),
    ),
  },
  {
    additionalProperties: false,
    description: 'Which tasks: each list that is given must match. Without a list, all do.',
  },
);

const settings = {
  name: nonBlank('must not be empty', { maxLength: 100, examples: ['Our incident bot'] }),
  url: Type.String({
    minLength: 1,
    maxLength: MAX_WEBHOOK_URL_CHARACTERS,
    description: 'An https address outside; http only where the operator allows it.',
    examples: ['https://hooks.example.com/qinbox'],
  }),
  events,
  filter,
  paused: Type.Boolean({ description: 'While it is paused, it is told nothing of what happens.' }),
};

/** What a webhook is made of. */
export const SaveWebhook = Type.Object(
  { ...settings, filter: Type.Optional(filter), paused: Type.Optional(Type.Boolean()) },
  { $id: 'SaveWebhook', additionalProperties: false },
);
export type SaveWebhook = Static<typeof SaveWebhook>;

/** A webhook as its owner sees it; never its secret. */
export const Webhook = shape('Webhook', {
  id: Type.String(),
  ...settings,
  off: nullable(
    Type.Object({
      at: IsoTime,
      reason: Type.String({ description: 'Why, and what to do: a sentence for the owner.' }),
    }),
    { description: 'Set while Qinbox has switched it off. Saving the webhook switches it on again.' },
  ),
  failingSince: nullable(IsoTime, { description: 'Since when every delivery has failed.' }),
  lastDeliveredAt: nullable(IsoTime, { description: 'When it last took a delivery, to the hour.' }),
  previousSecretUntil: nullable(IsoTime, { description: 'Until when the former secret signs, too.' }),
  created_at: IsoTime,
  updated_at: IsoTime,
});
export type Webhook = Static<typeof Webhook>;

/** `whsec_` and base64 of 32 random bytes, as Standard Webhooks says. */
const secret = Type.String({
  description: 'Signs what is sent (`whsec_…`). It is shown this once.',
  examples: ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'],
});

/** One event on its way to one webhook. */
export const WebhookDelivery = shape('WebhookDelivery', {
  id: Type.String({ description: 'The `webhook-id`: the same however often it is sent.' }),
  event: Type.String({ examples: ['task.created'] }),
  taskId: nullable(Type.String()),
  at: IsoTime,
  status: oneOf(['waiting', 'delivered', 'failed'], {
    description: 'waiting: not sent yet, or to be tried again. failed: given up.',
  }),
  attempts: Type.Integer(),
  lastAttemptAt: nullable(IsoTime),
  nextAttemptAt: nullable(IsoTime, {
    description: 'Not before then. Null when it is over, or waits for an earlier event of the same task.',
  }),
  answer: nullable(
    Type.Object({
      status: nullable(Type.Integer({ description: 'HTTP status; null when there was no answer.' })),
      error: nullable(Type.String({ description: 'Why there was none, or what was wrong with it.' })),
      body: Type.String({ description: 'How the answer began. Text from outside: show it as text.' }),
      ms: Type.Integer({ description: 'How long it took.' }),
    }),
    { description: 'Of the last attempt.' },
  ),
});
export type WebhookDelivery = Static<typeof WebhookDelivery>;

/** What is sent to a webhook; the receiver's side of the contract. */
export const WebhookPayload = shape('WebhookPayload', {
  type: Type.String({ description: 'An event, `task.escalated`, or `webhook.test`.' }),
  timestamp: IsoTime,
  data: refTo(Task),
  escalation: Type.Optional(
    Type.Object(
      {
        id: Type.String(),
        name: Type.String(),
        step: Type.Integer({ description: 'The number of the step, from 1.' }),
        afterMinutes: Type.Integer(),
      },
      { description: 'With `task.escalated`: which step of which escalation it is.' },
    ),
  ),
});
export type WebhookPayload = Static<typeof WebhookPayload>;

const one = Type.Object({ success, webhook: refTo(Webhook) });
const withSecret = Type.Object({ success, webhook: refTo(Webhook), secret });
const delivery = Type.Object({ success, delivery: refTo(WebhookDelivery) });

export const webhookRoutes = {
  list: route('GET', '/webhooks', 'write', {
    answersMuch: true,
    operationId: 'listWebhooks',
    summary: 'List the own webhooks, oldest first',
    response: { 200: Type.Object({ success, webhooks: Type.Array(refTo(Webhook)) }) },
  }),
  create: route('POST', '/webhooks', 'session', {
    operationId: 'createWebhook',
    summary: 'Have an address told what happens to tasks',
    description: `At most ${MAX_WEBHOOKS}. The secret is shown in this answer alone. See docs/webhooks.md for what is sent.`,
    body: SaveWebhook,
    response: { 201: withSecret, ...errors(400, 409, 413, 415) },
  }),
  get: route('GET', '/webhooks/:id', 'write', {
    operationId: 'getWebhook',
    summary: 'Get a webhook',
    params: id,
    response: { 200: one, ...errors(400, 404) },
  }),
  save: route('PUT', '/webhooks/:id', 'session', {
    operationId: 'saveWebhook',
    summary: 'Change a webhook; switches on one that was switched off',
    description: 'What waits for it is sent to the new address.',
    params: id,
    body: SaveWebhook,
    response: { 200: one, ...errors(400, 404, 413, 415) },
  }),
  remove: route('DELETE', '/webhooks/:id', 'session', {
    operationId: 'deleteWebhook',
    summary: 'Delete a webhook with all that waits for it',
    params: id,
    response: { 200: Type.Object({ success }), ...errors(400, 404) },
  }),
  rotate: route('POST', '/webhooks/:id/secret', 'session', {
    operationId: 'rotateWebhookSecret',
    summary: 'Give a webhook a new secret; the former one signs too for 24 hours',
    params: id,
    response: { 200: withSecret, ...errors(400, 404) },
  }),
  test: route('POST', '/webhooks/:id/test', 'session', {
    operationId: 'testWebhook',
    summary: 'Send a sample task as `webhook.test`',
    description: 'Sent in the background, like every event: look at the deliveries for what came of it.',
    params: id,
    response: { 201: delivery, ...errors(400, 404, 409) },
  }),
  deliveries: route('GET', '/webhooks/:id/deliveries', 'read-write', {
    answersMuch: true,
    operationId: 'listWebhookDeliveries',
    summary: 'List the last 100 deliveries to a webhook, of 24 hours, the newest first',
    params: id,
    response: {
      200: Type.Object({ success, deliveries: Type.Array(refTo(WebhookDelivery)) }),
      ...errors(400, 404),
    },
  }),
  replay: route('POST', '/webhooks/:id/deliveries/:deliveryId/replay', 'session', {
    operationId: 'replayWebhookDelivery',
    summary: 'Send a delivery again now, under the same `webhook-id`',
    params: Type.Object({ ...id.properties, deliveryId: id.properties.id }),
    response: { 201: delivery, ...errors(400, 404, 409) },
  }),
};
