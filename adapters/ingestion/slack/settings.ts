// What the Slack adapter is told by its environment, and the names that it and Slack's app manifest have in common.

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

/** What the app asks for when it is installed; docs/adapters/slack.md says why each. */
export const SCOPES = [
  'commands',
  'chat:write',
  'reactions:read',
  'channels:history',
  'groups:history',
  'users:read',
] as const;

/** Slack wants an answer within three seconds; the rest is for the way. */
export const ANSWER_WITHIN_MS = 2400;
