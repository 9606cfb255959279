// A message of Slack as a task: its text, its author and its place.
import type { ParsedTask } from '#core/domain/delivery.ts';
import { filled } from '#core/domain/filled.ts';
import { plainText, type Names } from './text.ts';
import type { MessagePlace, SlackMessage } from '../payloads.ts';

/** The place of a message, as far as it is known. */
export interface Whereabouts extends MessagePlace {
  channelName: string | null;
  permalink: string | null;
}

/** The address of a message, without asking Slack, which needs no domain to find the workspace. */
export function linkTo({ channelId, ts }: MessagePlace, domain: string | null, threadTs?: string): string {
  const host = domain !== null && /^[a-z0-9-]+$/.test(domain) ? `${domain}.slack.com` : 'slack.com';
  const inThread =
    threadTs === undefined || threadTs === ts
      ? ''
      : `?thread_ts=${encodeURIComponent(threadTs)}&cid=${channelId}`;
  return `https://${host}/archives/${channelId}/p${ts.replace('.', '')}${inThread}`;
}

/** A message as plain text; its attachments or files where it has no text. */
function contentOf({ text = '', attachments = [], files = [] }: SlackMessage, names: Names): string {
  const said = plainText(text, names);
  if (said !== '') return said;
  const attached = attachments
    .map(({ title = '', text: inner = '', fallback = '' }) =>
      [title, inner === '' ? fallback : inner]
        .filter((part) => part !== '')
        .map((part) => plainText(part, names))
        .join('\n'),
    )
    .filter((part) => part !== '');
  if (attached.length > 0) return attached.join('\n');
  const named = files.map(({ title, name }) => title ?? name ?? 'a file');
  return named.length > 0 ? `Files: ${named.join(', ')}` : 'A message without text';
}

/** The author as a mention, whose name can be looked up; empty for an app. */
export function mentionOf({ user }: SlackMessage): string {
  return user === undefined ? '' : `<@${user}>`;
}

/** The key under which repeats of a message are one task. */
export function dedupeKeyOf({ teamId, channelId, ts }: MessagePlace): string {
  return `slack:${teamId}:${channelId}:${ts}`;
}

/** The whole message as a task. */
export function taskOfMessage(message: SlackMessage, where: Whereabouts, names: Names): ParsedTask {
  const author = message.user === undefined ? message.username : (names.get(message.user) ?? message.user);
  const files = (message.files ?? []).map(({ name, title }) => name ?? title ?? 'a file');
  const { permalink, channelName, channelId, teamId } = where;
  const { ts, thread_ts: thread } = message;
  return {
    content: contentOf(message, names),
    dedupeKey: dedupeKeyOf(where),
    ...filled({ url: permalink }),
    metadata: filled({
      author,
      channel: channelName ?? channelId,
      permalink,
      thread:
        thread === undefined || thread === ts ? null : linkTo({ ...where, ts: thread }, domainIn(permalink)),
      team: teamId,
      ts,
      thread_ts: thread,
      files,
    }),
  };
}

function domainIn(permalink: string | null): string | null {
  return /^https:\/\/([a-z0-9-]+)\.slack\.com\//.exec(permalink ?? '')?.[1] ?? null;
}
