// What is said in pushes: declarative Web Push (the format of WebKit, with the number of RFC 8030), which a
// browser shows by itself or our service worker reads; and what closes notifications again.
import { hash } from 'node:crypto';
import type { PushRules, Statistics } from '../contract/index.ts';
import { clip, clipFirstLine, titled } from '../text/clean-text.ts';
import type { Task } from './task.ts';

const WEB_PUSH = 8030;
const MAX_TITLE_CHARACTERS = 120;
const MAX_BODY_CHARACTERS = 500;
/** Bytes of UTF-8 that a message may have: what every push service takes (RFC 8030, 7.2), encrypted. */
const MAX_BYTES = 3900;
/** The most contents in a summary. */
const MAX_SUMMARY_LINES = 3;
/** The most ids in one message. */
export const MAX_CLOSED_TASKS = 80;

interface Action {
  action: string;
  title: string;
  navigate: string;
}

interface Notification {
  title: string;
  body?: string;
  /** Opens when it is clicked. */
  navigate: string;
  /** A notification replaces the one with the same tag. */
  tag: string;
  silent?: true;
  actions?: Action[];
  data: { kind: 'task'; id: string; token: string } | { kind: 'summary' | 'notice' | 'test' };
}

/** Where and what all messages to one device say. */
export interface MessageContext {
  /** The address of the inbox, without a slash at the end. */
  publicUrl: string;
  /** The number on the app's icon. */
  badge: number;
}

/** How many listed tasks have a priority that is pushed. */
export function badgeOf(statistics: Statistics, { priorities }: PushRules): number {
  return priorities.reduce((sum, priority) => sum + statistics[priority], 0);
}

/**
 * The notification of a task. `token`: lets its buttons act without a page. `isSilent`: it makes no sound.
 */
export function taskMessage(
  task: Task,
  { token, isSilent }: { token: string; isSilent: boolean },
  context: MessageContext,
): string {
  const { id, content, occurrences, intake, source } = task;
  const lines = content.split('\n').map((line) => line.trim());
  const { title, below } = titled(lines, MAX_TITLE_CHARACTERS);
  const from = intake?.name ?? source;
  const times = occurrences > 1 ? ` · ${occurrences} times` : '';
  const text = clip(below.filter((line) => line !== '').join('\n'), MAX_BODY_CHARACTERS);
  const address = `${context.publicUrl}/inbox?task=${encodeURIComponent(id)}`;
  return message(
    {
      title,
      body: `${text === '' ? '' : `${text}\n`}${from}${times}`,
      navigate: address,
      tag: `task:${id}`,
      ...(isSilent ? { silent: true } : {}),
      actions: [
        { action: 'acknowledge', title: 'Acknowledge', navigate: `${address}&do=acknowledge` },
        { action: 'pin', title: 'Pin', navigate: `${address}&do=pin` },
      ],
      data: { kind: 'task', id, token },
    },
    context,
  );
}

/** One notification for several tasks; with their first lines, unless they are withheld. */
export function summaryMessage(
  { count, contents, isSilent }: { count: number; contents: readonly string[]; isSilent: boolean },
  context: MessageContext,
): string {
  const lines = contents
    .slice(0, MAX_SUMMARY_LINES)
    .map((content) => clipFirstLine(content, MAX_TITLE_CHARACTERS));
  return message(
    {
      title: count === 1 ? '1 new task' : `${count} new tasks`,
      ...(lines.length === 0 ? {} : { body: lines.join('\n') }),
      navigate: `${context.publicUrl}/inbox`,
      tag: 'summary',
      ...(isSilent ? { silent: true } : {}),
      data: { kind: 'summary' },
    },
    context,
  );
}

/** A notification that is about no task. */
export function noticeMessage(
  { title, body, tag }: { title: string; body: string; tag: string },
  context: MessageContext,
): string {
  return message(
    {
      title: clip(title, MAX_TITLE_CHARACTERS),
      ...(body === '' ? {} : { body: clip(body, MAX_BODY_CHARACTERS) }),
      navigate: `${context.publicUrl}/inbox`,
      tag,
      data: { kind: 'notice' },
    },
    context,
  );
}

export function testMessage(context: MessageContext): string {
  return message(
    {
      title: 'Pushes reach this device',
      body: 'This is a test that you asked for.',
      navigate: `${context.publicUrl}/inbox`,
      tag: 'test',
      data: { kind: 'test' },
    },
    context,
  );
}

/** Closes the notifications of tasks; `isSummary`: also the one for several. */
export function closeMessage(
  ids: readonly string[],
  isSummary: boolean,
  { badge }: Pick<MessageContext, 'badge'>,
): string {
  return JSON.stringify({ kind: 'close', ids, ...(isSummary ? { summary: true } : {}), app_badge: badge });
}

function message(notification: Notification, { badge }: MessageContext): string {
  let shown = notification;
  for (;;) {
    const text = JSON.stringify({ web_push: WEB_PUSH, notification: shown, app_badge: badge });
    const { body = '' } = shown;
    if (Buffer.byteLength(text) <= MAX_BYTES || body === '') return text;
    shown = { ...shown, body: clip(body, Math.floor(body.length / 2)) };
  }
}

/** The topic of a notification: 32 characters. A message that waits is replaced by the next of its topic. */
export function topicOf(tag: string): string {
  return hash('sha256', tag, 'base64url').slice(0, 32);
}
