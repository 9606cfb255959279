// The whole program with Slack's stand-in, for the tests of one file: requests over real HTTP, through Bolt.
import { afterAll, beforeAll, beforeEach, expect, vi } from 'vitest';
import type { AddressInfo } from 'node:net';
import type { Task } from '#core/contract/index.ts';
import { buildFixture, type Fixture } from '../helpers/app.ts';
import { commandFields, createSender, press, SIGNING_SECRET, TEAM, type Sender } from './sender.ts';
import { BOT_TOKEN, CLIENT, startStandIn, type StandIn } from './stand-in.ts';

export type Json = Record<string, unknown>;

export let slack: StandIn;
export let app: Fixture;
export let origin: string;
export let send: Sender;

/** Starts the program before the tests of a file, and stops it after them. */
export function useSlackProgram(env: Record<string, string> = {}): void {
  beforeAll(async () => {
    slack = await startStandIn();
    app = await buildFixture({
      SLACK_SIGNING_SECRET: SIGNING_SECRET,
      SLACK_BOT_TOKEN: BOT_TOKEN,
      SLACK_CLIENT_ID: CLIENT.id,
      SLACK_CLIENT_SECRET: CLIENT.secret,
      SLACK_API_URL: slack.apiUrl,
      PUBLIC_URL: 'https://q.example.com',
      ...env,
    });
    await app.app.listen({ port: 0, host: '127.0.0.1' });
    origin = `http://127.0.0.1:${(app.app.server.address() as AddressInfo).port}`;
    send = createSender(origin, () => app.clock.now());
  });
  afterAll(async () => {
    await app.close();
    await slack.close();
  });
  beforeEach(() => {
    slack.calls.length = 0;
    slack.wellAgain();
    slack.people.clear();
    vi.restoreAllMocks();
  });
}

export let people = 0;

/** Somebody in Slack, linked with an owner of their own unless told otherwise. */
export async function person({ linked = true } = {}) {
  const at = ++people;
  const email = `slack${at}@example.com`;
  const user = `U${String(at).padStart(8, '0')}`;
  const { accessToken: token } = await app.session(email);
  const key = await app.key(email);
  const fields = { user_id: user, user_name: `person${at}` };
  const as = { user: { id: user, username: `person${at}`, team_id: TEAM } };
  const me = {
    email,
    user,
    token,
    as,
    command: (text: string, more: Record<string, string> = {}) =>
      send.form(commandFields(text, { ...fields, response_url: slack.responseUrl(), ...more })),
    press: (action: Parameters<typeof press>[0], more: Json = {}) =>
      send.interact(press(action, { ...as, ...more })),
    tasks: async () => (await app.call('GET', '/tasks', { key })).body['tasks'] as Task[],
    acknowledge: (id: string) => app.call('DELETE', `/tasks/${id}`, { key }),
    code: async () => (await app.call('POST', '/slack/code', { token })).body['code'] as string,
    status: async () =>
      (await app.call('GET', '/slack', { token })).body['slack'] as {
        configured: boolean;
        mode: string;
        installUrl: string;
        accounts: { id: string; team: string; user: string; fault: string | null }[];
        channels: unknown;
      },
  };
  if (linked) expect((await me.command(`link ${await me.code()}`)).text).toContain('You are linked');
  return me;
}

/** Action ids of the buttons in a message, in their order. */
export function buttonsIn(message: unknown): string[] {
  return [...JSON.stringify(message).matchAll(/"action_id":"([^"]+)"/g)].map(([, id]) => id as string);
}
/** Texts of a message or view, and what shows them: `mrkdwn`, `plain_text`, or `text` of rich text. */
export function textsIn(shown: unknown): { type: string; text: string }[] {
  if (typeof shown !== 'object' || shown === null) return [];
  const { type, text } = shown as { type?: string; text?: unknown };
  const own = type !== undefined && typeof text === 'string' ? [{ type, text }] : [];
  return [...own, ...Object.values(shown).flatMap(textsIn)];
}
export function valueIn(message: unknown): string {
  return /"value":"(task_[^"]+)"/.exec(JSON.stringify(message))?.[1] ?? '';
}
export const ephemeral = () => ({
  container: { type: 'message', message_ts: '1.2', channel_id: 'C0GENERAL', is_ephemeral: true },
  channel: { id: 'C0GENERAL', name: 'general' },
  response_url: slack.responseUrl(),
});
