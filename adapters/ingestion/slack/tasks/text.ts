// Slack's markup as plain text and as a task. Pure; linear in the length of the text.
// https://docs.slack.dev/messaging/formatting-message-text
import { MAX_EXPIRY_MINUTES, MAX_TAGS, type Priority } from '#core/contract/index.ts';
import { isBlank } from '#core/domain/blank.ts';
import type { ParsedTask } from '#core/domain/delivery.ts';
import { filled } from '#core/domain/filled.ts';
import { MAX_MRKDWN_CHARACTERS, withoutMrkdwn, type SlackReferences } from '#core/text/slack-mrkdwn.ts';

/** Names of people by id, as far as they are known. */
export type Names = ReadonlyMap<string, string>;

/** How a task writes what a message refers to. */
export function referencesOf(names: Names): SlackReferences {
  return { person: (id) => `@${names.get(id) || id}`, link: labelled };
}

/** Slack's markup as plain text; `emoji` are known by their names as well. */
export function plainText(
  mrkdwn: string,
  names: Names = new Map(),
  emoji?: ReadonlyMap<string, string>,
): string {
  return withoutMrkdwn(mrkdwn, referencesOf(names), emoji)
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')
    .trim();
}

/** An address after its label, which is not said where it is the same. */
function labelled(address: string, label: string): string {
  return label === '' || label === address || address.endsWith(`//${label}`)
    ? address
    : `${label} (${address})`;
}

/** So many names are looked up for one task. */
export const MAX_PEOPLE = 10;

/** Ids of people who are mentioned without a name, each once, at most {@link MAX_PEOPLE}. */
export function peopleIn(mrkdwn: string): string[] {
  const found = [...mrkdwn.slice(0, MAX_MRKDWN_CHARACTERS).matchAll(/<@([UW][A-Z0-9]{1,30})>/g)].map(
    ([, id]) => id as string,
  );
  return [...new Set(found)].slice(0, MAX_PEOPLE);
}

/** The first link's address, or null. */
export function linkIn(mrkdwn: string): string | null {
  const url = /<(https?:\/\/[^<>|\s]{1,2000})[|>]/.exec(mrkdwn)?.[1];
  return url === undefined ? null : url.replaceAll('&amp;', '&');
}

const PRIORITIES: Readonly<Record<string, Priority>> = {
  high: 'high',
  urgent: 'high',
  normal: 'normal',
  low: 'low',
};
const UNIT_MINUTES: Readonly<Record<string, number>> = { m: 1, h: 60, d: 24 * 60, w: 7 * 24 * 60 };
/** Only at the end, where it is hardly part of a sentence. */
const EXPIRY = /(?:^|\s)in\s+(\d{1,5})\s*(m|min|mins|minutes?|h|hrs?|hours?|d|days?|w|weeks?)$/i;

/**
 * `text !high #tag in 2h` as a task: priority and tags are words anywhere, the expiry is at the end (1 minute
 * to 7 days; a longer one becomes 7 days). Null when no content is left.
 */
export function parseTaskText(mrkdwn: string, names: Names = new Map()): ParsedTask | null {
  // Before the markup is removed, so that the channel in `<#C1|ops>` is no tag.
  const words = mrkdwn.trim().split(/(\s+)/);
  const tags: string[] = [];
  let priority: Priority | undefined;
  const rest = words.filter((word) => {
    const flag = /^!([a-z]+)$/i.exec(word)?.[1]?.toLowerCase() ?? '';
    if (Object.hasOwn(PRIORITIES, flag)) {
      priority = PRIORITIES[flag];
      return false;
    }
    const tag = /^#(\p{L}[\p{L}\p{N}_/-]{0,49})$/u.exec(word)?.[1];
    if (tag === undefined) return true;
    // As the task will have them, because the confirmation shows these.
    if (!tags.includes(tag) && tags.length < MAX_TAGS) tags.push(tag);
    return false;
  });
  let text = rest
    .join('')
    .replace(/[ \t]{2,}/g, ' ')
    .trim();
  const [found, amount, unit] = EXPIRY.exec(text) ?? [];
  let expiryMinutes: number | undefined;
  if (found !== undefined && Number(amount) > 0) {
    expiryMinutes = Math.min(
      Number(amount) * (UNIT_MINUTES[(unit ?? 'm').charAt(0).toLowerCase()] ?? 1),
      MAX_EXPIRY_MINUTES,
    );
    text = text.slice(0, -found.length);
  }
  const content = plainText(text, names);
  if (isBlank(content)) return null;
  return { content, ...filled({ priority, tags, expiryMinutes, url: linkIn(mrkdwn) }) };
}

/**
 * Text for notifications, in which nothing is a mention or a link. Marks of Slack's markup have no escape:
 * what a message shows is rich text, see `views/rich-text.ts`.
 */
export function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
