// The calls of Slack's Web API that are made here, each with the token of the workspace it is for. What goes wrong is either Away
// (worth another try) or Refused (not).
import type { App, types } from '@slack/bolt';
import type { Clock } from '#core/ports/clock.ts';
import type { Memory } from './memory.ts';
import { Away, Refused } from './outbox.ts';
import type { MessagePlace, SlackMessage } from './who.ts';

/** One that is posted here; `text` is what notifications and screen readers get. */
export interface Message {
  text: string;
  blocks: types.KnownBlock[];
}

type WebClient = App['client'];

const RESPOND_TIMEOUT_MS = 10_000;
const NAME_TTL_MS = 60 * 60_000;
const MAX_NAMES = 5000;
/** Of Slack's own making, and over soon. */
const PASSING = new Set([
  'ratelimited',
  'internal_error',
  'fatal_error',
  'service_unavailable',
  'request_timeout',
]);

export type SlackApi = ReturnType<typeof createSlackApi>;

export function createSlackApi(client: WebClient, memory: Memory, apiUrl: string, clock: Clock) {
  const apiOrigin = new URL(apiUrl).origin;
  const names = new Map<string, { name: string; until: number }>();

  async function call<T>(teamId: string, make: (token: string) => Promise<T>): Promise<T> {
    const token = await memory.tokenOf(teamId);
    if (token === null) throw new Refused(`the app is not installed in the workspace ${teamId}`);
    return make(token).catch((error: unknown) => {
      throw faultOf(error);
    });
  }

  return {
    async openView(teamId: string, triggerId: string, view: types.View): Promise<void> {
      await call(teamId, (token) => client.views.open({ token, trigger_id: triggerId, view }));
    },

    async publishHome(teamId: string, userId: string, view: types.HomeView): Promise<void> {
      await call(teamId, (token) => client.views.publish({ token, user_id: userId, view }));
    },

    /** Writes to a channel, or to a person by the id; answers where the message stands. */
    async post(
      teamId: string,
      channel: string,
      message: Message,
    ): Promise<{ channelId: string; ts: string }> {
      const posted = await call(teamId, (token) =>
        // oxlint-disable-next-line unicorn/require-post-message-target-origin -- Slack's method, not the window's
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

    /** What people call somebody; asked once an hour. */
    async nameOf(teamId: string, userId: string): Promise<string> {
      const key = `${teamId}:${userId}`;
      const known = names.get(key);
      if (known !== undefined && clock.monotonic() < known.until) return known.name;
      const { user } = await call(teamId, (token) => client.users.info({ token, user: userId }));
      const name = [user?.profile?.display_name, user?.real_name, user?.name].find((each) => each) ?? userId;
      if (names.size >= MAX_NAMES) names.clear();
      names.set(key, { name, until: clock.monotonic() + NAME_TTL_MS });
      return name;
    },

    /** Answers through a `response_url`. */
    async respond(url: string, body: object): Promise<void> {
      if (!isOfSlack(url, apiOrigin)) throw new Refused('the response_url is not of Slack');
      const response = await fetch(url, {
        method: 'POST',
        redirect: 'error',
        headers: { 'content-type': 'application/json; charset=utf-8' },
        body: JSON.stringify(body),
        signal: AbortSignal.timeout(RESPOND_TIMEOUT_MS),
      }).catch((error: unknown) => {
        throw new Away(`the response_url does not answer (${(error as Error).name})`);
      });
      await response.body?.cancel();
      if (response.ok) return;
      const asked = Number(response.headers.get('retry-after') ?? 'x');
      if (response.status === 429 || response.status >= 500)
        throw new Away(
          `the response_url answered ${response.status}`,
          Number.isFinite(asked) ? asked * 1000 : null,
        );
      throw new Refused(`the response_url answered ${response.status}`);
    },
  };
}

// By the codes of @slack/web-api's errors; their messages name the method and Slack's own code, never the token.
function faultOf(error: unknown): Error {
  const { code, message, retryAfter, data, statusCode } = error as {
    code?: string;
    message: string;
    retryAfter?: number;
    statusCode?: number;
    data?: { error?: string };
  };
  switch (code) {
    case 'slack_webapi_rate_limited_error':
      return new Away(message, (retryAfter ?? 1) * 1000);
    case 'slack_webapi_request_error':
      return new Away(message);
    case 'slack_webapi_http_error':
      return statusCode !== undefined && statusCode < 500 ? new Refused(message) : new Away(message);
    case 'slack_webapi_platform_error':
      return PASSING.has(data?.error ?? '') ? new Away(message) : new Refused(message);
    default:
      return error as Error;
  }
}

function isOfSlack(url: string, apiOrigin: string): boolean {
  const { protocol, hostname, origin } = URL.canParse(url) ? new URL(url) : new URL('about:blank');
  return origin === apiOrigin || (protocol === 'https:' && /(^|\.)slack(-gov)?\.com$/.test(hostname));
}
