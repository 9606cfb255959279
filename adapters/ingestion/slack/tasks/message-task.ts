// A message of Slack as a task: its text, its author and its place.
import { isBlank } from '#core/domain/blank.ts';
import type { ParsedTask } from '#core/domain/delivery.ts';
import { filled } from '#core/domain/filled.ts';
import { withEmoji } from '#core/text/emoji.ts';
import {
  slackAttachment,
  slackBlocks,
  slackEmoji,
  slackFallback,
  type SlackReading,
} from '#core/text/slack-message.ts';
import { MAX_PEOPLE, peopleIn, plainText, referencesOf, type Names } from './text.ts';
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

/** What people write is in the text, whose blocks say the same. */
const WRITTEN = 'rich_text';
const UNNAMED = 'a file';

/** A message's words as `reading` has them: what Slack shows of it, else its files. */
function wordsOf(message: SlackMessage, reading: SlackReading): string {
  const { bot_id } = message;
  const [text, blocks, attachments] = [message.text ?? '', message.blocks ?? [], message.attachments ?? []];
  const isWritten = blocks.every((block) => (block as { type?: unknown } | null)?.type === WRITTEN);
  const shown = () => slackBlocks(blocks, reading).join('\n');
  const written = () => slackFallback(text, reading);
  const said = isWritten ? written() || shown() : shown() || written();
  // Beside what a person says they are previews of its links.
  const own = said === '' ? attachments : bot_id === undefined ? [] : attachments.filter(isNoPreview);
  const words = [said, ...own.map((one) => slackAttachment(one, reading))].filter((one) => one !== '');
  if (words.length > 0) return words.join('\n');
  const named = filesOf(message).map(({ title, name }) => title || name || UNNAMED);
  return named.length > 0 ? `Files: ${named.join(', ')}` : '';
}

/** Those that were not deleted. */
function filesOf({ files }: SlackMessage) {
  return (files ?? []).filter(({ mode }) => mode !== 'tombstone');
}

function isNoPreview(attachment: unknown): boolean {
  return (attachment as { original_url?: unknown } | null)?.original_url === undefined;
}

function contentOf(message: SlackMessage, names: Names): string {
  const emoji = slackEmoji(message.blocks ?? []);
  const words = wordsOf(message, {
    mrkdwn: (text) => plainText(text, names, emoji),
    plain: (text) => withEmoji(text, emoji),
    ...referencesOf(names),
  });
  return isBlank(words) ? 'A message without text' : words.trim();
}

/** Ids of the author and of the people whom a message mentions, whose names can be looked up. */
export function peopleOf(message: SlackMessage): string[] {
  const found = message.user === undefined ? [] : [message.user];
  const note = (...ids: string[]): string => {
    found.push(...ids);
    return '';
  };
  wordsOf(message, {
    mrkdwn: (text) => note(...peopleIn(text)),
    plain: () => '',
    person: (id) => note(id),
    link: () => '',
  });
  return [...new Set(found)].slice(0, MAX_PEOPLE);
}

/** The key under which repeats of a message are one task. */
export function dedupeKeyOf({ teamId, channelId, ts }: MessagePlace): string {
  return `slack:${teamId}:${channelId}:${ts}`;
}

/** The whole message as a task. */
export function taskOfMessage(message: SlackMessage, where: Whereabouts, names: Names): ParsedTask {
  const author = message.user === undefined ? message.username : (names.get(message.user) ?? message.user);
  const files = filesOf(message).map(({ name, title }) => name || title || UNNAMED);
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
