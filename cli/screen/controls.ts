// What keys do in the inbox in the terminal.
import type { Priority } from '#core/contract/index.ts';
import type { Changes } from './changes.ts';
import { commandOf, type ScreenCommandId } from './commands.ts';
import { edit, insert, textOf } from './editor.ts';
import type { KeyListener } from './keys.ts';
import { linkOf, openLink } from './link.ts';
import { promptFor, tagsOf, waking } from './prompts.ts';
import {
  activeTask,
  changeRows,
  extendSelection,
  move,
  moveTo,
  rowsOf,
  toggleSelection,
  type Prompt,
  type ScreenState,
} from './state.ts';
import type { Surface } from './surface.ts';
import type { Work } from './work.ts';

interface Parts {
  state: ScreenState;
  work: Work;
  changes: Changes;
  load: () => Promise<void>;
  redraw: () => void;
  surface: Surface;
  quit: () => void;
}

export function createControls(parts: Parts): KeyListener {
  const { state } = parts;
  const commands = { ...moves(parts), ...actions(parts) } satisfies Record<ScreenCommandId, () => void>;

  function typed(prompt: Prompt, name: string, text: string): void {
    if (name === 'Esc' || name === 'Ctrl-C') state.prompt = null;
    else if (name === 'Enter') {
      state.prompt = null;
      answer(parts, prompt.kind, textOf(prompt.editor));
    } else prompt.editor = edit(prompt.editor, name) ?? insert(prompt.editor, text);
  }

  return {
    key(name, text) {
      state.notice = null;
      if (state.prompt !== null) typed(state.prompt, name, text);
      else {
        const command = commandOf(name);
        if (command !== undefined) commands[command]();
      }
      parts.redraw();
    },
    pasted(text) {
      // Pasted letters must not act as keys.
      if (state.prompt === null) state.notice = 'Press c before you paste a new item, or / to search for it.';
      else state.prompt.editor = insert(state.prompt.editor, text);
      parts.redraw();
    },
  };
}

/** What changes nothing but the screen. */
function moves({ state, load, work, surface, quit }: Parts) {
  const pageRows = () => Math.max(1, surface.size().rows - 2);

  const filter = (priority: Priority | null) => () => {
    changeRows(state, () => (state.priority = priority));
    state.top = 0;
  };

  function show(view: 'task' | 'keys'): void {
    if (view === 'task' && activeTask(state) === null) return;
    state.view = view;
    state.top = 0;
  }

  function page(by: 1 | -1): void {
    if (state.view === 'list') move(state, by * pageRows());
    else state.top = Math.max(0, state.top + by * pageRows());
  }

  function leave(): void {
    if (state.view !== 'list') {
      state.view = 'list';
      state.top = 0;
    } else if (state.selected.size > 0) state.selected.clear();
    else {
      filter(null)();
      if (state.search !== '') search(state, work, load, '');
    }
  }

  const allIds = () => rowsOf(state).map(({ id }) => id);
  return {
    open: () => show('task'),
    'keyboard-shortcuts': () => show('keys'),
    select: () => toggleSelection(state, state.cursor === null ? [] : [state.cursor]),
    'select-all': () => (state.selected = new Set(allIds())),
    'invert-selection': () => toggleSelection(state, allIds()),
    'clear-selection': leave,
    'high-priority-only': filter('high'),
    'normal-priority-only': filter('normal'),
    'low-priority-only': filter('low'),
    'all-priorities': filter(null),
    next: () => move(state, 1),
    previous: () => move(state, -1),
    'extend-next': () => extendSelection(state, 1),
    'extend-previous': () => extendSelection(state, -1),
    first: () => moveTo(state, 0),
    last: () => moveTo(state, Number.MAX_SAFE_INTEGER),
    'page-down': () => page(1),
    'page-up': () => page(-1),
    redraw: () => surface.clear(),
    suspend: () => surface.suspend(),
    quit,
  };
}

/** What acts on tasks, or asks the server. */
function actions({ state, work, changes, load }: Parts) {
  const ask = (kind: Prompt['kind']) => () => (state.prompt = promptFor(kind, state));

  function follow(): void {
    const task = activeTask(state);
    const link = task === null ? null : linkOf(task);
    if (link === null) state.notice = 'It has no link.';
    else
      work.start(async () => {
        const isOpened = await openLink(link);
        state.notice = isOpened ? `Opened ${link}` : link;
      });
  }

  return {
    acknowledge: () => work.act((targets) => changes.acknowledge(targets)),
    pin: () => work.act((targets) => changes.pin(targets)),
    snooze: ask('snooze'),
    tags: ask('tags'),
    'add-item': ask('add'),
    search: ask('search'),
    undo: () => work.startLast(() => changes.undo()),
    refresh: () => work.start(load),
    'open-link': follow,
  };
}

function answer({ state, work, changes, load }: Parts, kind: Prompt['kind'], text: string): void {
  if (kind === 'add') work.start(() => changes.add(text));
  else if (kind === 'search') search(state, work, load, text);
  else if (kind === 'snooze') work.act(async (targets) => changes.snooze(targets, await waking(text)));
  else work.act((targets) => changes.tag(targets, (task) => tagsOf(text, task, targets.length)));
}

function search(state: ScreenState, work: Work, load: () => Promise<void>, text: string): void {
  state.search = text.trim();
  state.selected.clear();
  state.top = 0;
  work.start(load);
}
