// The form for a new task and the Home tab, as Block Kit. Pure; see blocks.ts.
import type { types } from '@slack/bolt';
import { DEFAULT_EXPIRY_MINUTES, type Priority } from '#core/contract/index.ts';
import { filled } from '#core/domain/filled.ts';
import {
  actions,
  button,
  buttonsFor,
  clipped,
  context,
  counted,
  entry,
  MAX_SHOWN_CHARACTERS,
  MAX_TITLE_CHARACTERS,
  openButton,
  plain,
  plainSection,
  section,
  unlinked,
  type Page,
  type Shown,
} from './blocks.ts';
import { CALLBACKS } from '../settings.ts';
import type { Message } from '../web-api/slack-api.ts';

type Block = types.KnownBlock;

export const HOME_PAGE_SIZE = 10;

const option = (label: string, value: string): types.PlainTextOption => ({ text: plain(label), value });
const PRIORITY_OPTIONS = [option('▲ High', 'high'), option('● Normal', 'normal'), option('▽ Low', 'low')];
const EXPIRY_OPTIONS = [
  option('1 hour', '60'),
  option('4 hours', '240'),
  option('24 hours', String(DEFAULT_EXPIRY_MINUTES)),
  option('3 days', '4320'),
  option('7 days', '10080'),
];

function select(action: string, options: types.PlainTextOption[], chosen: string): types.StaticSelect {
  const initial = options.find(({ value }) => value === chosen) ?? options[0];
  return { type: 'static_select', action_id: action, options, ...filled({ initial_option: initial }) };
}

function choice(id: string, label: string, options: types.PlainTextOption[], chosen: string): Block {
  const element = select('value', options, chosen);
  return { type: 'input', block_id: id, optional: true, label: plain(label), element };
}

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
      choice('priority', 'Priority', PRIORITY_OPTIONS, 'normal'),
      {
        type: 'input',
        block_id: 'tags',
        optional: true,
        label: plain('Tags'),
        hint: plain('Separated by commas'),
        element: { type: 'plain_text_input', action_id: 'value', max_length: 500 },
      },
      choice('expiry', 'Gone after', EXPIRY_OPTIONS, String(DEFAULT_EXPIRY_MINUTES)),
    ],
  };
}

/** A message where only a dialog can be shown. */
export function notice({ blocks }: Message): types.ModalView {
  return { type: 'modal', title: plain('Qinbox'), close: plain('Close'), blocks };
}

/** What the Home tab shows; Slack returns it with each press. */
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

/** The Home tab with a page of the queue; `done` was acknowledged just now and can be restored. */
export function home(page: Page, state: HomeState, publicUrl: string, done?: Shown): types.HomeView {
  const { offset, priority } = state;
  const { tasks, total } = page;
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
          select('home.filter', FILTER_OPTIONS, priority),
          button('Refresh', 'home.refresh', 'refresh'),
          button('New task', 'home.new', 'new'),
          openButton('Open the inbox', `${publicUrl}/inbox`),
        ],
      },
      ...(done === undefined
        ? []
        : [
            plainSection(
              `Acknowledged: ${clipped(done.content, MAX_TITLE_CHARACTERS)}`,
              button('Undo', 'home.undo', done.id),
            ),
          ]),
      { type: 'divider' },
      ...(tasks.length === 0
        ? [section(priority === 'all' ? 'Your inbox is empty. Well done.' : 'Nothing of this priority.')]
        : tasks.flatMap((task): Block[] => [
            entry(task, MAX_SHOWN_CHARACTERS),
            ...actions(buttonsFor(task, 'home')),
          ])),
      ...(tasks.length === 0
        ? []
        : [context(`${offset + 1} to ${offset + tasks.length} of ${counted(total)}`)]),
      ...actions(pages),
    ],
  };
}

/** The Home tab where the queue cannot be shown; it is tried again by a button. */
export function failedHome(state: HomeState, { blocks }: Message): types.HomeView {
  return {
    type: 'home',
    private_metadata: JSON.stringify(state),
    blocks: [...blocks, ...actions([button('Refresh', 'home.refresh', 'refresh')])],
  };
}

export function unlinkedHome(publicUrl: string): types.HomeView {
  return { type: 'home', blocks: unlinked(publicUrl).blocks };
}
