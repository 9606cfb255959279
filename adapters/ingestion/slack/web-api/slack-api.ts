// Calls of Slack's Web API, each with the token of its workspace. A fault is either an UnavailableError
// (worth another try) or a RefusedError (not).
import type { App, types } from '@slack/bolt';
import { LRUCache } from 'lru-cache';
import type { Clock } from '#core/ports/clock.ts';
import type { SlackRecords } from '../records/records.ts';
import { createConversations, type MessageMark } from './conversations.ts';
import { UnavailableError, RefusedError } from './outbox.ts';
import type { MessagePlace, SlackMessage } from '../payloads.ts';

/** A message to post; `text` is for notifications and screen readers. */
export interface Message {
  text: string;
  blocks: types.KnownBlock[];
}

type WebClient = App['client'];

const RESPOND_TIMEOUT_MS = 10_000;
const NAME_TTL_MS = 60 * 60_000;
const MAX_CACHED_NAMES = 5000;
/** Faults that pass: Slack's own, and those of a workspace that is moved. */
const TEMPORARY =
  'ratelimited rate_limited internal_error fatal_error service_unavailable request_timeout team_added_to_org org_login_required'.split(
    ' ',
  );
const NOT_INSTALLED =
  'the workspace has removed the app, or its token is not good any more: install it again';
/** What else people can do something about. */
const REASONS = new Map([
  ['not_in_channel', 'the app is not in the channel: invite it there, with /invite'],
  ['channel_not_found', 'there is no such channel, or it is private and the app was not invited'],
  ['is_archived', 'the channel is archived'],
  ['messages_tab_disabled', 'the Messages tab of the app is switched off, under App Home'],
  ['invalid_auth', NOT_INSTALLED],
  ['account_inactive', NOT_INSTALLED],
  ['token_revoked', NOT_INSTALLED],
  ['token_expired', NOT_INSTALLED],
]);

/** Bot tokens of workspaces. */
export type Tokens = Pick<SlackRecords, 'tokenOf' | 'noteToken'>;

export type SlackApi = ReturnType<typeof createSlackApi>;

export function createSlackApi(client: WebClient, records: Tokens, apiUrl: string, clock: Clock) {
  const apiOrigin = new URL(apiUrl).origin;
  const names = new LRUCache<string, { name: string; expiresAt: number }>({ max: MAX_CACHED_NAMES });

  async function call<T>(teamId: string, make: (token: string) => Promise<T>): Promise<T> {
    const token = await records.tokenOf(teamId);
    if (token === null) throw new RefusedError(`the app is not installed in the workspace ${teamId}`);
    try {
      const answer = await make(token);
      note(teamId, true);
      return answer;
    } catch (error) {
      const fault = faultOf(error);
      if (fault.message === NOT_INSTALLED) note(teamId, false);
      throw fault;
    }
  }

  /** Only for what Settings show: a store that does not answer fails no call. */
  function note(teamId: string, isGood: boolean): void {
    records.noteToken(teamId, isGood).catch(() => undefined);
  }

  return {
    async openView(teamId: string, triggerId: string, view: types.View): Promise<void> {
      await call(teamId, (token) => client.views.open({ token, trigger_id: triggerId, view }));
    },

    async publishHome(teamId: string, userId: string, view: types.HomeView): Promise<void> {
      await call(teamId, (token) => client.views.publish({ token, user_id: userId, view }));
    },

    /** Posts to a channel, or to a person by the id; answers where the message is. */
    async post(teamId: string, channel: string, message: Message & { metadata?: MessageMark }) {
      const posted = await call(teamId, (token) =>
        // oxlint-disable-next-line unicorn/require-post-message-target-origin -- no window here
        client.chat.postMessage({ token, channel, unfurl_links: false, ...message }),
      );
      return { channelId: posted.channel ?? channel, ts: posted.ts ?? '' };
    },

    async postEphemeral(teamId: string, channel: string, user: string, message: Message): Promise<void> {
      await call(teamId, (token) => client.chat.postEphemeral({ token, channel, user, ...message }));
    },

    async update(teamId: string, channel: string, ts: string, message: Message): Promise<void> {
      await call(teamId, (token) => client.chat.update({ token, channel, ts, ...message }));
    },

    /** The message at this place, in its thread or not; null when it cannot be seen. */
    async messageAt({ teamId, channelId: channel, ts }: MessagePlace): Promise<SlackMessage | null> {
      const inThread = await call(teamId, (token) =>
        client.conversations.replies({
          token,
          channel,
          ts,
          oldest: ts,
          latest: ts,
          inclusive: true,
          limit: 5,
        }),
      );
      const found = inThread.messages?.find((message) => message.ts === ts);
      return (found as SlackMessage | undefined) ?? null;
    },

    async permalinkOf({ teamId, channelId, ts }: MessagePlace): Promise<string | null> {
      const answer = await call(teamId, (token) =>
        client.chat.getPermalink({ token, channel: channelId, message_ts: ts }),
      );
      return answer.permalink ?? null;
    },

    /** A person's display name, cached for an hour. */
    async nameOf(teamId: string, userId: string): Promise<string> {
      const key = `${teamId}:${userId}`;
      const known = names.get(key);
      if (known !== undefined && clock.monotonic() < known.expiresAt) return known.name;
      const { user } = await call(teamId, (token) => client.users.info({ token, user: userId }));
      const name = [user?.profile?.display_name, user?.real_name, user?.name].find((each) => each) ?? userId;
      names.set(key, { name, expiresAt: clock.monotonic() + NAME_TTL_MS });
      return name;
    },

    ...createConversations(client, call),

    /** Answers through a `response_url`. */
    respond: (url: string, body: object): Promise<void> => respond(url, body, apiOrigin),
  };
}

/** Whether Slack takes this token; throws UnavailableError where it does not say. */
export async function takesToken(client: WebClient, token: string): Promise<boolean> {
  try {
    await client.auth.test({ token });
    return true;
  } catch (error) {
    const fault = faultOf(error);
    if (fault.message === NOT_INSTALLED) return false;
    throw fault;
  }
}

async function respond(url: string, body: object, apiOrigin: string): Promise<void> {
  if (!isOfSlack(url, apiOrigin)) throw new RefusedError('the response_url is not of Slack');
  const response = await fetch(url, {
    method: 'POST',
    redirect: 'error',
    headers: { 'content-type': 'application/json; charset=utf-8' },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(RESPOND_TIMEOUT_MS),
  }).catch((error: unknown) => {
    throw new UnavailableError(`the response_url does not answer (${(error as Error).name})`);
  });
  await response.body?.cancel();
  if (response.ok) return;
  const why = `the response_url answered ${response.status}`;
  const asked = Number(response.headers.get('retry-after') ?? 'x');
  if (response.status === 429 || response.status >= 500)
    throw new UnavailableError(why, Number.isFinite(asked) ? asked * 1000 : null);
  throw new RefusedError(why);
}

// The messages of @slack/web-api's errors name the method and Slack's own code, never the token.
function faultOf(error: unknown): Error {
  const { code, message, retryAfter, data, statusCode } = error as {
    code?: string;
    message: string;
    retryAfter?: number;
    statusCode?: number;
    data?: { error?: string; needed?: string };
  };
  switch (code) {
    case 'slack_webapi_rate_limited_error':
      return new UnavailableError(message, (retryAfter ?? 1) * 1000);
    case 'slack_webapi_request_error':
      return new UnavailableError(message);
    case 'slack_webapi_http_error':
      return statusCode !== undefined && statusCode < 500 && statusCode !== 408
        ? new RefusedError(message)
        : new UnavailableError(message);
    case 'slack_webapi_platform_error':
      return platformFault(data?.error ?? '', data?.needed ?? '');
    default:
      // A 429 without the time to wait, for one.
      return new UnavailableError(message);
  }
}

function platformFault(code: string, needed: string): Error {
  // Something between has answered, in HTML.
  if (!/^\w+$/.test(code)) return new UnavailableError('the answer is not one of Slack’s API');
  if (TEMPORARY.includes(code)) return new UnavailableError(`an error of Slack: ${code}`);
  const why = code === 'missing_scope' ? `the app lacks the scope ${needed}` : REASONS.get(code);
  return new RefusedError(why ?? `an error of Slack: ${code}`);
}

function isOfSlack(url: string, apiOrigin: string): boolean {
  const { protocol, hostname, origin } = URL.canParse(url) ? new URL(url) : new URL('about:blank');
  return origin === apiOrigin || (protocol === 'https:' && /(^|\.)slack(-gov)?\.com$/.test(hostname));
}
