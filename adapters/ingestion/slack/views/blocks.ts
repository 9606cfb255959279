// Confirmations, lists and sentences as Block Kit. Pure. Senders' texts are rich or plain text: no mentions,
// no markup, and no links but the addresses in them.
import type { types } from '@slack/bolt';
import { DEFAULT_EXPIRY_MINUTES, type Priority } from '#core/contract/index.ts';
import { isSnoozed } from '#core/domain/snooze.ts';
import type { Task } from '#core/domain/task.ts';
import { filled } from '#core/domain/filled.ts';
import type { ParsedTask } from '#core/domain/delivery.ts';
import type { Message } from '../web-api/slack-api.ts';
import { escaped } from '../tasks/text.ts';
import { bold, line, quote, richText, time, withLinks, words, type Piece } from './rich-text.ts';

type Block = types.KnownBlock;
type Button = types.Button;
type Element = Button | types.StaticSelect;

export const MAX_SHOWN_CHARACTERS = 500;
export const MAX_TITLE_CHARACTERS = 120;
export const LIST_SIZE = 10;
const MAX_TAGS_CHARACTERS = 300;
const MARKS: Readonly<Record<Priority, string>> = { high: '▲ High', normal: '● Normal', low: '▽ Low' };

/** The parts of a task that are shown. Times in milliseconds. */
export interface Shown {
  id: string;
  content: string;
  priority: Priority;
  tags: readonly string[];
  expiresAt: number;
  /** Of a snoozed task; null for others. */
  wakesAt: number | null;
  state: 'live' | 'pinned' | 'snoozed' | 'acknowledged' | 'gone';
}

export function shownTask(task: Task, now: number): Shown {
  const { id, content, priority, tags, expiresAt, acknowledgedAt, pinned } = task;
  const wakesAt = isSnoozed(task, now) ? task.snoozedUntil : null;
  const awake = pinned ? 'pinned' : expiresAt <= now ? 'gone' : 'live';
  const state = acknowledgedAt !== null ? 'acknowledged' : wakesAt !== null ? 'snoozed' : awake;
  return { id, content, priority, tags, expiresAt, wakesAt, state };
}

/** A task that was just submitted and may not be stored yet. */
export function shownNew(id: string, task: ParsedTask, now: number): Shown {
  return {
    id,
    content: task.content,
    priority: task.priority ?? 'normal',
    tags: task.tags ?? [],
    expiresAt: now + (task.expiryMinutes ?? DEFAULT_EXPIRY_MINUTES) * 60_000,
    wakesAt: null,
    state: 'live',
  };
}

/** Slack makes no mentions, channels and links of plain words in it. */
const mrkdwn = (text: string): types.MrkdwnElement => ({ type: 'mrkdwn', text, verbatim: true });

export function section(text: string, accessory?: Button): Block {
  return {
    type: 'section',
    text: mrkdwn(text),
    ...(accessory === undefined ? {} : { accessory }),
  };
}
export const context = (text: string): Block => ({ type: 'context', elements: [mrkdwn(text)] });
export const plain = (text: string): types.PlainTextElement => ({ type: 'plain_text', text, emoji: true });
/** A sender's words, in which `:fire:` stays as it is. */
const plainWords = (text: string): types.PlainTextElement => ({ type: 'plain_text', text, emoji: false });
export const plainContext = (text: string): Block => ({ type: 'context', elements: [plainWords(text)] });
export function plainSection(text: string, accessory: Button): Block {
  return { type: 'section', text: plainWords(text), accessory };
}

/** A row of buttons; no row where there are none. */
export function actions(elements: Element[]): Block[] {
  return elements.length === 0 ? [] : [{ type: 'actions', elements }];
}

export function clipped(text: string, characters: number): string {
  const points = Array.from(text.slice(0, 2 * characters + 2));
  return points.length <= characters ? text : `${points.slice(0, characters - 1).join('')}…`;
}

/** What a line says of a task. */
function facts({ priority, tags, expiresAt, wakesAt, state }: Shown): Piece[] {
  const what = [MARKS[priority], ...shownTags(tags)].join(' · ');
  if (wakesAt !== null) return [words(`${what} · snoozed until `), time(wakesAt)];
  return state === 'pinned' ? [words(`${what} · pinned`)] : [words(`${what} · until `), time(expiresAt)];
}

/** As many tags as have room, and how many more there are. */
function shownTags(tags: readonly string[]): string[] {
  const shown: string[] = [];
  let room = MAX_TAGS_CHARACTERS;
  for (const tag of tags.map((one) => `#${one}`)) {
    room -= tag.length;
    if (room < 0) return [...shown, `+${tags.length - shown.length}`];
    shown.push(tag);
  }
  return shown;
}

/** A task among others: its text, cut, and a line of facts. */
export function entry(task: Shown, characters: number): Block {
  return richText(line(...withLinks(clipped(task.content, characters)), words('\n'), ...facts(task)));
}

export function button(label: string, action: string, value: string, style?: 'primary'): Button {
  return { type: 'button', text: plain(label), action_id: action, value, ...filled({ style }) };
}

/** For how long a task can be snoozed. Slack does not say which time it is where the person is. */
const NAPS: readonly [label: string, minutes: number][] = [
  ['1 hour', 60],
  ['3 hours', 180],
  ['1 day', 1440],
  ['3 days', 4320],
  ['1 week', 10_080],
];

function snoozeMenu(action: string, id: string): types.StaticSelect {
  return {
    type: 'static_select',
    action_id: action,
    placeholder: plain('Snooze'),
    options: NAPS.map(([label, minutes]) => ({ text: plain(label), value: `${minutes} ${id}` })),
  };
}

export function buttonsFor({ id, state }: Shown, where: 'confirm' | 'home'): Element[] {
  if (state === 'gone') return [];
  if (state === 'acknowledged') return [button('Undo', `${where}.undo`, id)];
  const acknowledge = button('Acknowledge', `${where}.acknowledge`, id, 'primary');
  if (state === 'snoozed') return [acknowledge, button('Wake', `${where}.wake`, id)];
  return [
    acknowledge,
    state === 'pinned' ? button('Unpin', `${where}.unpin`, id) : button('Pin', `${where}.pin`, id),
    snoozeMenu(`${where}.snooze`, id),
  ];
}

const HEADS: Readonly<Record<Shown['state'], string>> = {
  live: 'In your inbox',
  pinned: 'Pinned in your inbox',
  snoozed: 'Snoozed',
  acknowledged: 'Acknowledged',
  gone: 'No longer in your inbox',
};

/** The confirmation of a task in its present state, with a note below. */
export function confirmation(task: Shown, note?: string): Message {
  const buttons = buttonsFor(task, 'confirm');
  const head = HEADS[task.state];
  return {
    text: `${head}: ${escaped(clipped(task.content, MAX_TITLE_CHARACTERS))}`,
    blocks: [
      richText(
        line(bold(head)),
        quote(...withLinks(clipped(task.content, MAX_SHOWN_CHARACTERS))),
        line(...facts(task)),
      ),
      ...(note === undefined ? [] : [context(note)]),
      ...actions(buttons),
    ],
  };
}

/** A sentence in Slack's markup; texts of senders in it must be escaped. */
export function saying(mrkdwn: string, ...buttons: Button[]): Message {
  return {
    text: mrkdwn,
    blocks: [section(mrkdwn), ...actions(buttons)],
  };
}

export const GONE = saying('This task is no longer in your inbox. It was acknowledged or its time is up.');
export const LATE = saying('Qinbox is slow right now. What became of this follows here in a moment.');
export const FAILED = saying(
  'Qinbox could not do this right now, and nothing was changed. Try again in a moment.',
);

export const FORM_FAILED = saying(
  'The form could not be opened. Type the task itself: `/task buy milk #home`',
);

export const DISABLED = saying(
  'The account of this inbox has been disabled. Ask the person who runs Qinbox.',
);

/** Where people get their code. */
export function linkPage(publicUrl: string): string {
  return `${publicUrl}/admin/slack`;
}

export function openButton(label: string, url: string): Button {
  return { type: 'button', text: plain(label), action_id: 'open.page', url, style: 'primary' };
}

/** For somebody who is not linked yet. */
export function unlinked(publicUrl: string): Message {
  return saying(
    'I do not know yet which inbox is yours. Get a code in the Settings of Qinbox, then type `/task link CODE` here. It takes a moment and is needed once.',
    openButton('Get a code', linkPage(publicUrl)),
  );
}

export function help(command: string, reaction: string): Message {
  const name = escaped(command);
  return saying(
    [
      '*What needs attention today lands in your inbox*',
      `\`${name} buy milk !high #home in 2h\`  adds a task; \`!high\` \`!low\`, \`#tags\` and \`in 45 min | 2h | 3d\` at the end are optional`,
      `\`${name}\`  opens a form`,
      `\`${name} list\`  shows what is in your inbox`,
      `\`${name} link CODE\`  links you with your inbox; \`${name} unlink\` ends that`,
      `On a message: More actions → Add to inbox, or react with :${reaction}: to add it and with :white_check_mark: when it is done`,
    ].join('\n'),
  );
}

export type Page = ReturnType<typeof shownPage>;

export function shownPage({ tasks, total }: { tasks: readonly Task[]; total: number }, now: number) {
  return { tasks: tasks.map((task) => shownTask(task, now)), total };
}

export function counted(total: number): string {
  return total === 1 ? '1 task' : `${total} tasks`;
}

export function list({ tasks, total }: Page, publicUrl: string): Message {
  if (tasks.length === 0) return saying('Your inbox is empty. Well done.');
  const shown = tasks.slice(0, LIST_SIZE);
  return {
    text: `${counted(total)} in your inbox`,
    blocks: [
      section(`*${counted(total)} in your inbox*`),
      ...shown.flatMap((task) => [
        entry({ ...task, content: task.content.replaceAll('\n', ' ') }, MAX_TITLE_CHARACTERS),
        ...actions([button('Acknowledge', 'list.acknowledge', task.id)]),
      ]),
      ...(total > shown.length ? [context(`and ${total - shown.length} more`)] : []),
      ...actions([openButton('Open the inbox', `${publicUrl}/inbox`)]),
    ],
  };
}
