// Slack's incoming webhooks, and those of Mattermost and Rocket.Chat, which answer alike.
// https://docs.slack.dev/messaging/sending-messages-using-incoming-webhooks
import { isBlank } from '#core/domain/blank.ts';
import { field, isObject, items, jsonIn, raw } from '../presets/read.ts';
import type { Protocol } from './protocol.ts';

const text = (status: number, body: string) => ({ status, body });

/** What Slack calls each fault; clients show it. */
const WORDS: Readonly<Record<number, string>> = {
  400: 'invalid_payload',
  401: 'invalid_token',
  404: 'no_service',
  413: 'invalid_payload',
  415: 'invalid_payload',
  503: 'service_unavailable',
};

export const slackWebhook: Protocol = {
  id: 'slack',
  title: 'Slack incoming webhook',
  routes: [
    { methods: ['POST'], path: '/services/:team/:channel/:token' },
    // Rocket.Chat: an id and the token.
    { methods: ['POST'], path: '/hooks/:id/:token' },
  ],
  preset: 'slack',
  setting: ({ url, token }) => ({ address: `${url}/services/T0/B0/${token}` }),
  token: ({ params }) => params['token'] ?? '',
  check({ value }) {
    const message = jsonIn(value, 'payload') ?? value;
    if (!isObject(message)) return 'invalid_payload';
    const has = (name: string) => items(message, name).length > 0;
    const says = !isBlank(raw(message, 'text')) || has('blocks') || has('attachments');
    return says || field(message, 'text') === 0 ? null : 'no_text';
  },
  accepted: () => text(200, 'ok'),
  refused: ({ status, reason }) =>
    text(status, /^[a-z_]+$/.test(reason) ? reason : (WORDS[status] ?? 'rollup_error')),
};
