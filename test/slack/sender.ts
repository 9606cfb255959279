// Sends what Slack sends, signed as Slack signs it, to a program that listens.
import { randomUUID } from 'node:crypto';
import { sign } from '#adapters/ingestion/slack/receive/signature.ts';

export const SIGNING_SECRET = 'canary-signing-secret';
export const TEAM = 'T0ACME';

type Json = Record<string, unknown>;

export interface Reply {
  status: number;
  body: Json;
  text: string;
}

export type Sender = ReturnType<typeof createSender>;

/** Fields of a slash command as Slack fills them. */
export function commandFields(text: string, fields: Record<string, string> = {}): Record<string, string> {
  return {
    command: '/task',
    text,
    team_id: TEAM,
    team_domain: 'acme',
    user_id: 'U0ANN',
    user_name: 'ann',
    channel_id: 'C0GENERAL',
    channel_name: 'general',
    trigger_id: randomUUID(),
    response_url: 'http://127.0.0.1:9/none',
    api_app_id: 'A1',
    is_enterprise_install: 'false',
    ...fields,
  };
}

export function createSender(origin: string, now: () => number) {
  async function post(
    body: string,
    contentType: string,
    headers: Record<string, string> = {},
  ): Promise<Reply> {
    const timestamp = String(Math.floor(now() / 1000));
    const response = await fetch(`${origin}/slack/events`, {
      method: 'POST',
      headers: {
        'content-type': contentType,
        'x-slack-request-timestamp': timestamp,
        'x-slack-signature': sign(SIGNING_SECRET, timestamp, Buffer.from(body)),
        ...headers,
      },
      body,
    });
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.includes('json') === true && text !== '';
    return { status: response.status, body: isJson ? (JSON.parse(text) as Json) : {}, text };
  }

  return {
    post,
    form: (fields: Record<string, string>, headers?: Record<string, string>) =>
      post(new URLSearchParams(fields).toString(), 'application/x-www-form-urlencoded', headers),
    interact: (payload: Json) =>
      post(
        new URLSearchParams({ payload: JSON.stringify(payload) }).toString(),
        'application/x-www-form-urlencoded',
      ),
    event: (event: Json, about: Json = {}, headers?: Record<string, string>) =>
      post(
        JSON.stringify({
          type: 'event_callback',
          team_id: TEAM,
          api_app_id: 'A1',
          event_id: `Ev${randomUUID()}`,
          event_time: Math.floor(now() / 1000),
          authorizations: [
            { team_id: TEAM, enterprise_id: null, user_id: 'UBOT', is_enterprise_install: false },
          ],
          event,
          ...about,
        }),
        'application/json',
        headers,
      ),
  };
}

/** A press of a button, in a message or in the Home tab. */
export function press(
  action: { action_id: string; value?: string; selected_option?: Json },
  fields: Json = {},
): Json {
  return {
    type: 'block_actions',
    team: { id: TEAM, domain: 'acme' },
    user: { id: 'U0ANN', username: 'ann', team_id: TEAM },
    trigger_id: randomUUID(),
    actions: [{ type: 'button', block_id: 'b', action_ts: '1.1', ...action }],
    ...fields,
  };
}

/** A message as "Add to inbox" carries it. */
export function messageShortcut(message: Json, fields: Json = {}): Json {
  return {
    type: 'message_action',
    callback_id: 'add_to_inbox',
    action_ts: '1700000001.000100',
    trigger_id: randomUUID(),
    team: { id: TEAM, domain: 'acme' },
    user: { id: 'U0ANN', name: 'ann', team_id: TEAM },
    channel: { id: 'C0GENERAL', name: 'general' },
    message_ts: message['ts'],
    message: { type: 'message', ...message },
    ...fields,
  };
}

/** A form sent off. */
export function submission(viewId: string, privateMetadata: string, values: Record<string, Json>): Json {
  return {
    type: 'view_submission',
    team: { id: TEAM, domain: 'acme' },
    user: { id: 'U0ANN', username: 'ann', team_id: TEAM },
    trigger_id: randomUUID(),
    view: {
      id: viewId,
      type: 'modal',
      callback_id: 'task_form',
      private_metadata: privateMetadata,
      state: {
        values: Object.fromEntries(Object.entries(values).map(([block, value]) => [block, { value }])),
      },
    },
  };
}
