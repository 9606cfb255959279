// Discord's webhooks, with the addresses that read Slack's and GitHub's payloads.
// https://docs.discord.com/developers/resources/webhook#execute-webhook
import { items, jsonIn, line, raw } from '../presets/read.ts';
import type { Delivered, Protocol } from './protocol.ts';

/** Discord's error codes; clients show the message. */
const FAULTS: Readonly<Record<number, [code: number, message: string]>> = {
  400: [50006, 'Cannot send an empty message'],
  401: [50027, 'Invalid Webhook Token'],
  404: [10015, 'Unknown Webhook'],
  413: [40005, 'Request entity too large'],
};
/** Discord's ids are numbers of 17 to 20 digits, written as texts. */
const snowflake = (hex: string) => (BigInt(`0x${hex.slice(0, 14)}`) + 10n ** 17n).toString();
const endOf = (path: string) => /\/(slack|github)$/.exec(path)?.[1] ?? '';

function message({ request, body, id, at }: Delivered): object {
  const payload = jsonIn(body.value, 'payload_json') ?? body.value;
  const webhook = request.params['id'] ?? '0';
  return {
    id: snowflake(id),
    type: 0,
    content: raw(payload, 'content'),
    channel_id: '0',
    author: { id: webhook, username: line(payload, 'username') || 'Qinbox', bot: true },
    attachments: [],
    embeds: items(payload, 'embeds'),
    mentions: [],
    mention_roles: [],
    mention_everyone: false,
    pinned: false,
    tts: false,
    flags: 0,
    components: [],
    timestamp: new Date(at).toISOString(),
    edited_timestamp: null,
    webhook_id: webhook,
  };
}

export const discordWebhook: Protocol = {
  id: 'discord',
  title: 'Discord webhook',
  routes: ['/api/webhooks/:id/:token', '/api/:version/webhooks/:id/:token'].flatMap((path) => [
    { methods: ['POST'], path },
    { methods: ['POST'], path: `${path}/slack` },
    { methods: ['POST'], path: `${path}/github` },
  ]),
  preset: ({ path }) => endOf(path) || 'discord',
  setting: ({ url, token }) => ({ address: `${url}/api/webhooks/0/${token}` }),
  token: ({ params }) => params['token'] ?? '',
  accepted(delivered) {
    const { path, query } = delivered.request;
    if (endOf(path) === 'slack') return { status: 200, body: 'ok' };
    return /^(?:true|1)$/i.test(query['wait'] ?? '')
      ? { status: 200, body: message(delivered) }
      : { status: 204 };
  },
  refused({ status, reason }) {
    const [code, text] = FAULTS[status] ?? [0, reason];
    return { status, body: { message: text, code } };
  },
};
