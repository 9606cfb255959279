// The adapter's configuration, and the names that it shares with the manifest of the Slack app.

export interface SlackConfig {
  signingSecret: string | null;
  /** For one workspace. Others install the app. */
  botToken: string | null;
  /** Switches to Socket Mode. */
  appToken: string | null;
  apiUrl: string;
  clientId: string | null;
  clientSecret: string | null;
  /** Of the emoji that adds a message. */
  reaction: string;
}

/** The emoji that acknowledges a message's task. */
export const DONE_REACTION = 'white_check_mark';

/** Callback ids of shortcuts and forms, as the app's manifest names them. */
export const CALLBACKS = { addMessage: 'add_to_inbox', newTask: 'new_task', form: 'task_form' } as const;

/** Scopes of an installation; docs/adapters/slack.md says why each. */
export const SCOPES =
  'commands chat:write reactions:read channels:history groups:history im:history im:write users:read'.split(
    ' ',
  );

const API_TIMEOUT_MS = 10_000;

/** How Slack's Web API is called. Who calls it tries again, not the client. */
export function clientOptionsFor({ apiUrl }: Pick<SlackConfig, 'apiUrl'>) {
  return {
    slackApiUrl: apiUrl.replace(/\/*$/, '/'),
    timeout: API_TIMEOUT_MS,
    retryConfig: { retries: 0 },
    rejectRateLimitedCalls: true,
    allowAbsoluteUrls: false,
  };
}

/** Slack waits three seconds for an answer; the rest is for the network. */
export const ANSWER_WITHIN_MS = 2400;
