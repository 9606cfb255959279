// What people see in Slack: confirmations, lists, forms and the Home tab as Block Kit. Pure. What comes from outside is escaped, so
// that it calls nobody and links nowhere by itself.
import type { types } from '@slack/bolt';
import { DEFAULT_EXPIRY_MINUTES, type Priority } from '#core/contract/index.ts';
import type { Task } from '#core/domain/task.ts';
import type { ReadTask } from '#core/ports/adapter.ts';
import type { Message } from './slack-api.ts';
import { CALLBACKS } from './settings.ts';
import { escaped } from './text.ts';

type Block = types.KnownBlock;
type Button = types.Button;

const MAX_SHOWN_CHARACTERS = 500;
const MAX_TITLE_CHARACTERS = 120;
export const HOME_PAGE_SIZE = 10;
const LIST_SIZE = 10;
const MARKS: Readonly<Record<Priority, string>> = { high: '▲ High', normal: '● Normal', low: '▽ Low' };

/** What of a task is shown. Times in milliseconds. */
export interface Shown {
  id: string;
  content: string;
  priority: Priority;
  tags: readonly string[];
  expiresAt: number;
  state: 'live' | 'pinned' | 'acknowledged' | 'gone';
}

export function shownTask(task: Task, now: number): Shown {
  const { id, content, priority, tags, expiresAt, acknowledgedAt, pinned } = task;
  const state =
    acknowledgedAt !== null ? 'acknowledged' : pinned ? 'pinned' : expiresAt <= now ? 'gone' : 'live';
  return { id, content, priority, tags, expiresAt, state };
}

/** A task that was just handed over, before anybody has stored it perhaps. */
export function shownNew(id: string, task: ReadTask, now: number): Shown {
  return {
    id,
    content: task.content,
    priority: task.priority ?? 'normal',
    tags: task.tags ?? [],
    expiresAt: now + (task.expiryMinutes ?? DEFAULT_EXPIRY_MINUTES) * 60_000,
    state: 'live',
  };
}

const section = (text: string): Block => ({ type: 'section', text: { type: 'mrkdwn', text } });
const context = (text: string): Block => ({ type: 'context', elements: [{ type: 'mrkdwn', text }] });
const plain = (text: string): types.PlainTextElement => ({ type: 'plain_text', text, emoji: true });

function clipped(text: string, characters: number): string {
  const points = Array.from(text.slice(0, 2 * characters + 2));
  return points.length <= characters ? text : `${points.slice(0, characters - 1).join('')}…`;
}

function quoted(content: string): string {
  return clipped(content, MAX_SHOWN_CHARACTERS)
    .split('\n')
    .map((line) => `>${escaped(line)}`)
    .join('\n');
}

function facts({ priority, tags, expiresAt, state }: Shown): string {
  const iso = new Date(expiresAt).toISOString();
  const until = `until <!date^${Math.floor(expiresAt / 1000)}^{date_short_pretty} {time}|${iso}>`;
  return [
    MARKS[priority],
    ...tags.map((tag) => escaped(`#${tag}`)),
    state === 'pinned' ? 'pinned' : until,
  ].join(' · ');
}

function button(label: string, action: string, value: string, style?: 'primary'): Button {
  return {
    type: 'button',
    text: plain(label),
    action_id: action,
    value,
    ...(style === undefined ? {} : { style }),
  };
}

function buttonsFor({ id, state }: Shown, where: 'confirm' | 'home'): Button[] {
  switch (state) {
    case 'live':
      return [
        button('Acknowledge', `${where}.acknowledge`, id, 'primary'),
        button('Pin', `${where}.pin`, id),
      ];
    case 'pinned':
      return [
        button('Acknowledge', `${where}.acknowledge`, id, 'primary'),
        button('Unpin', `${where}.unpin`, id),
      ];
    case 'acknowledged':
      return [button('Undo', `${where}.undo`, id)];
    case 'gone':
      return [];
  }
}

const HEADS: Readonly<Record<Shown['state'], string>> = {
  live: 'In your inbox',
  pinned: 'Pinned in your inbox',
  acknowledged: 'Acknowledged',
  gone: 'No longer in your inbox',
};

/** The confirmation of a task, as it stands. `note` is said beneath it. */
export function confirmation(task: Shown, note?: string): Message {
  const buttons = buttonsFor(task, 'confirm');
  const head = HEADS[task.state];
  return {
    text: `${head}: ${escaped(clipped(task.content, MAX_TITLE_CHARACTERS))}`,
    blocks: [
      section(`*${head}*\n${quoted(task.content)}`),
      context(facts(task)),
      ...(note === undefined ? [] : [context(note)]),
      ...(buttons.length === 0 ? [] : [{ type: 'actions', elements: buttons } satisfies Block]),
    ],
  };
}

/** A sentence. `mrkdwn` is ours, with what comes from outside escaped. */
export function saying(mrkdwn: string, ...buttons: Button[]): Message {
  return {
    text: mrkdwn,
    blocks: [
      section(mrkdwn),
      ...(buttons.length === 0 ? [] : [{ type: 'actions', elements: buttons } satisfies Block]),
    ],
  };
}

export const GONE = saying('This task is no longer in your inbox. It was acknowledged or its time is up.');
export const LATE = saying('Qinbox is slow right now. What became of this follows here in a moment.');
export const FAILED = saying(
  'Qinbox could not keep this right now, and nothing was changed. Try again in a moment.',
);

/** Where people get their code. */
export function linkPage(publicUrl: string): string {
  return `${publicUrl}/admin#slack`;
}

function openButton(label: string, url: string): Button {
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

export interface Page {
  tasks: readonly Shown[];
  total: number;
}

function counted(total: number): string {
  return total === 1 ? '1 task' : `${total} tasks`;
}

export function list({ tasks, total }: Page, publicUrl: string): Message {
  if (tasks.length === 0) return saying('Your inbox is empty. Well done.');
  const shown = tasks.slice(0, LIST_SIZE);
  return {
    text: `${counted(total)} in your inbox`,
    blocks: [
      section(`*${counted(total)} in your inbox*`),
      ...shown.map((task): Block => ({
        type: 'section',
        text: {
          type: 'mrkdwn',
          text: `${escaped(clipped(task.content.replaceAll('\n', ' '), MAX_TITLE_CHARACTERS))}\n${facts(task)}`,
        },
        accessory: button('Acknowledge', 'list.acknowledge', task.id),
      })),
      ...(total > shown.length ? [context(`and ${total - shown.length} more`)] : []),
      { type: 'actions', elements: [openButton('Open the inbox', `${publicUrl}/inbox`)] },
    ],
  };
}
export { LIST_SIZE };

const option = (label: string, value: string): types.PlainTextOption => ({ text: plain(label), value });
const PRIORITY_OPTIONS = [option('▲ High', 'high'), option('● Normal', 'normal'), option('▽ Low', 'low')];
const EXPIRY_OPTIONS = [
  option('1 hour', '60'),
  option('4 hours', '240'),
  option('24 hours', String(DEFAULT_EXPIRY_MINUTES)),
  option('3 days', '4320'),
  option('7 days', '10080'),
];

/** The form for a new task. `state` comes back with it, at most 3000 characters. */
export function form(state: string): types.ModalView {
  return {
    type: 'modal',
    callback_id: CALLBACKS.form,
    private_metadata: state,
    title: plain('New task'),
    submit: plain('Add'),
    close: plain('Cancel'),
    blocks: [
      {
        type: 'input',
        block_id: 'content',
        label: plain('What needs attention?'),
        element: {
          type: 'plain_text_input',
          action_id: 'value',
          multiline: true,
          max_length: 3000,
          focus_on_load: true,
        },
      },
      {
        type: 'input',
        block_id: 'priority',
        optional: true,
        label: plain('Priority'),
        element: {
          type: 'static_select',
          action_id: 'value',
          options: PRIORITY_OPTIONS,
          initial_option: option('● Normal', 'normal'),
        },
      },
      {
        type: 'input',
        block_id: 'tags',
        optional: true,
        label: plain('Tags'),
        hint: plain('Separated by commas'),
        element: { type: 'plain_text_input', action_id: 'value', max_length: 500 },
      },
      {
        type: 'input',
        block_id: 'expiry',
        optional: true,
        label: plain('Gone after'),
        element: {
          type: 'static_select',
          action_id: 'value',
          options: EXPIRY_OPTIONS,
          initial_option: option('24 hours', String(DEFAULT_EXPIRY_MINUTES)),
        },
      },
    ],
  };
}

/** A message where only a dialog can be shown. */
export function notice({ blocks }: Message): types.ModalView {
  return { type: 'modal', title: plain('Qinbox'), close: plain('Close'), blocks };
}

/** What the Home tab shows, and keeps between two presses. */
export interface HomeState {
  priority: Priority | 'all';
  offset: number;
}

export const FIRST_PAGE: HomeState = { priority: 'all', offset: 0 };

export function readHomeState(text: string | undefined): HomeState {
  try {
    const { priority, offset } = JSON.parse(text ?? '{}') as Partial<HomeState>;
    return {
      priority: priority === 'high' || priority === 'normal' || priority === 'low' ? priority : 'all',
      offset: Number.isSafeInteger(offset) ? Math.max(0, offset as number) : 0,
    };
  } catch {
    return FIRST_PAGE;
  }
}

const FILTER_OPTIONS = [option('All priorities', 'all'), ...PRIORITY_OPTIONS];

/** The Home tab with a page of the queue; `done` was acknowledged just now and can be taken back. */
export function home(page: Page, state: HomeState, publicUrl: string, done?: Shown): types.HomeView {
  const { offset, priority } = state;
  const { tasks, total } = page;
  const chosen = FILTER_OPTIONS.find(({ value }) => value === priority) ?? FILTER_OPTIONS[0];
  const pages = [
    ...(offset > 0 ? [button('Newer', 'home.newer', String(Math.max(0, offset - HOME_PAGE_SIZE)))] : []),
    ...(offset + tasks.length < total
      ? [button('Older', 'home.older', String(offset + HOME_PAGE_SIZE))]
      : []),
  ];
  return {
    type: 'home',
    private_metadata: JSON.stringify(state),
    blocks: [
      { type: 'header', text: plain('Today') },
      {
        type: 'actions',
        elements: [
          {
            type: 'static_select',
            action_id: 'home.filter',
            options: FILTER_OPTIONS,
            ...(chosen === undefined ? {} : { initial_option: chosen }),
          },
          button('Refresh', 'home.refresh', 'refresh'),
          button('New task', 'home.new', 'new'),
          openButton('Open the inbox', `${publicUrl}/inbox`),
        ],
      },
      ...(done === undefined
        ? []
        : [
            {
              type: 'section',
              text: {
                type: 'mrkdwn',
                text: `Acknowledged: ${escaped(clipped(done.content, MAX_TITLE_CHARACTERS))}`,
              },
              accessory: button('Undo', 'home.undo', done.id),
            } satisfies Block,
          ]),
      { type: 'divider' },
      ...(tasks.length === 0
        ? [section(priority === 'all' ? 'Your inbox is empty. Well done.' : 'Nothing of this priority.')]
        : tasks.flatMap((task): Block[] => [
            section(`${escaped(clipped(task.content, MAX_SHOWN_CHARACTERS))}\n${facts(task)}`),
            { type: 'actions', elements: buttonsFor(task, 'home') },
          ])),
      ...(tasks.length === 0
        ? []
        : [context(`${offset + 1} to ${offset + tasks.length} of ${counted(total)}`)]),
      ...(pages.length === 0 ? [] : [{ type: 'actions', elements: pages } satisfies Block]),
    ],
  };
}

export function unlinkedHome(publicUrl: string): types.HomeView {
  return { type: 'home', blocks: unlinked(publicUrl).blocks };
}
