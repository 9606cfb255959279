// The parts of Slack's payloads that are read here.

/** A person in a workspace. */
export interface Person {
  teamId: string;
  userId: string;
}

/** A message, as shortcuts and `conversations.*` give it. */
export interface SlackMessage {
  ts: string;
  text?: string | null;
  user?: string;
  username?: string;
  /** Of the app that posted it. */
  bot_id?: string;
  thread_ts?: string;
  blocks?: readonly unknown[] | null;
  attachments?: readonly unknown[] | null;
  /** A file that was deleted is a `tombstone`, without a name. */
  files?: readonly { name?: string | null; title?: string | null; mode?: string }[] | null;
}

/** Where a message is. */
export interface MessagePlace {
  teamId: string;
  channelId: string;
  ts: string;
}

/** A thing with an id and, where Slack gives one, a name. */
export interface Named {
  id: string;
  name?: string;
}

/** By whom and where something was done. */
interface Interaction {
  user: Named & { username?: string; team_id?: string };
  team: { id: string; domain?: string } | null;
}

/** `block_actions` of our own messages and of the Home tab. */
export interface ButtonPress extends Interaction {
  trigger_id: string;
  response_url?: string;
  channel?: Named;
  container?: { type?: string; message_ts?: string; channel_id?: string; is_ephemeral?: boolean };
  view?: { id: string; private_metadata?: string };
  actions: readonly {
    action_id: string;
    action_ts?: string;
    value?: string;
    selected_option?: { value: string } | null;
  }[];
}

/** A shortcut, global or of a message. */
export interface ShortcutUse extends Interaction {
  trigger_id: string;
  action_ts: string;
  response_url?: string;
  channel?: Named;
  message?: SlackMessage;
}

/** A form sent off. */
export interface FormSubmission extends Interaction {
  view: {
    id: string;
    private_metadata?: string;
    /** By block and action. */
    state: { values: Readonly<Record<string, Readonly<Record<string, FormValue>>>> };
  };
}

interface FormValue {
  value?: string | null;
  selected_option?: { value: string } | null;
}

/** A slash command. */
export interface Command {
  text: string;
  command: string;
  team_id: string;
  team_domain?: string;
  user_id: string;
  user_name?: string;
  channel_id: string;
  channel_name?: string;
  trigger_id: string;
  response_url: string;
}

/** The person behind a payload. */
export function personOf({ team, user }: Interaction): Person {
  return { teamId: team?.id ?? user.team_id ?? '', userId: user.id };
}
