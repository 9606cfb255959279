// The inbox in the terminal as lines, for a size of the terminal. Every line fits; colours only repeat what
// marks say.
import type { Priority, Task } from '#core/contract/index.ts';
import { printable } from '../client/printable.ts';
import { ageText, MARK, COLOUR, widthOf } from '../client/rows.ts';
import { durationText } from '../client/when.ts';
import { SCREEN_COMMANDS } from './commands.ts';
import { clip, gray, plain, spread, wrap, type Line, type Piece } from './lines.ts';
import { activeTask, rowsOf, type ScreenState } from './state.ts';
import { textOf } from './editor.ts';

export interface Size {
  columns: number;
  rows: number;
}

export interface Drawn {
  lines: Line[];
  /** Where text is typed; null while nothing is. */
  cursor: { row: number; column: number } | null;
}

const HINTS = 'e ack · p pin · h snooze · c add · / search · z undo · ? keys · q quit';
const TASK_HINTS = 'Esc back · j k next · e ack · p pin · h snooze · o link · ? keys';
const KEYS_HINTS = 'Space more · Esc back · q quit';
/** Below so many columns a row says no age. */
const MIN_AGE_COLUMNS = 30;

/** Changes `state.top` so that what is active is seen. */
export function draw(state: ScreenState, { columns, rows }: Size, now: number): Drawn {
  const prompt = state.prompt === null ? null : promptLines(state, columns);
  const hints = (state.prompt?.hints ?? []).map((hint): Line => [gray(hint)]);
  const foot: Line[] = [...hints, prompt?.line ?? footLine(state, now)].slice(-Math.max(1, rows - 2));
  const height = Math.max(0, rows - 1 - foot.length);
  const body = bodyOf(state, { columns, rows: height }, now).slice(0, height);
  const blank = Array.from({ length: Math.max(0, height - body.length) }, () => plain(''));
  const lines = [headLine(state, columns), ...body, ...blank, ...foot].slice(-rows);
  return {
    lines: lines.map((line) => clip(line, columns)),
    cursor: prompt === null ? null : { row: lines.length - 1, column: Math.min(prompt.column, columns - 1) },
  };
}

function bodyOf(state: ScreenState, size: Size, now: number): Line[] {
  if (state.view === 'keys') return scrolled(state, keyLines(size.columns), size);
  const task = activeTask(state);
  if (state.view === 'task' && task !== null)
    return scrolled(state, taskLines(task, size.columns, now), size);
  return listLines(state, size, now);
}

function scrolled(state: ScreenState, lines: readonly Line[], { rows }: Size): Line[] {
  state.top = Math.max(0, Math.min(state.top, lines.length - rows));
  return lines.slice(state.top, state.top + rows);
}

function headLine(state: ScreenState, columns: number): Line {
  const { url, tasks, total, search, priority, selected, connection } = state;
  const count = (of: Priority) => [...tasks.values()].filter((task) => task.priority === of).length;
  const filters = [search, priority === null ? '' : `priority:${priority}`].filter((text) => text !== '');
  const counts = (['high', 'normal', 'low'] as const).flatMap((of): Piece[] => [
    { text: `${MARK[of]} `, style: COLOUR[of] },
    { text: `${count(of)}  ` },
  ]);
  const more: Piece[] = [
    ...(tasks.size < total ? [{ text: `of ${total}  ` }] : []),
    ...(selected.size > 0 ? [{ text: `${selected.size} selected  `, style: 'bold' as const }] : []),
  ];
  const status: Piece =
    connection === 'live'
      ? { text: 'live', style: 'green' }
      : { text: connection === 'connecting' ? 'connecting' : 'not connected', style: 'yellow' };
  const host = url.replace(/^https?:\/\//, '');
  const title: Piece[] = [
    { text: 'Qinbox', style: 'bold' },
    ...(filters.length > 0 ? [{ text: ` / ${filters.join(' ')}` }] : [gray(` ${host}`)]),
  ];
  return spread(title, [{ text: ' ' }, ...counts, ...more, status], columns);
}

function footLine(state: ScreenState, now: number): Line {
  if (state.notice !== null) return [{ text: state.notice, style: 'bold' }];
  if (typeof state.connection === 'object') {
    const seconds = Math.max(1, Math.ceil((state.connection.againAt - now) / 1000));
    return [{ text: `The connection is lost; trying again in ${seconds} s.`, style: 'yellow' }];
  }
  return [gray({ list: HINTS, task: TASK_HINTS, keys: KEYS_HINTS }[state.view])];
}

function promptLines({ prompt }: ScreenState, columns: number): { line: Line; column: number } {
  const label = `${prompt?.label ?? ''} `;
  const typed = prompt === null ? '' : textOf(prompt.editor);
  const beforeWidth = widthOf(prompt?.editor.before.join('') ?? '');
  const room = Math.max(1, columns - widthOf(label) - 1);
  // What is left of the window is not seen.
  const hidden = Math.max(0, beforeWidth - room);
  const text = hidden === 0 ? typed : fromColumn(typed, hidden);
  return {
    line: [{ text: label, style: 'bold' }, { text }],
    column: widthOf(label) + Math.min(beforeWidth, room),
  };
}

const segmenter = new Intl.Segmenter();

function fromColumn(text: string, column: number): string {
  let at = 0;
  for (const { segment, index } of segmenter.segment(text)) {
    if (at >= column) return text.slice(index);
    at += widthOf(segment);
  }
  return '';
}

function listLines(state: ScreenState, size: Size, now: number): Line[] {
  const rows = rowsOf(state);
  if (rows.length === 0) return ['', ...emptyText(state)].map(plain);
  const active = rows.findIndex(({ id }) => id === state.cursor);
  const last = Math.max(0, rows.length - size.rows);
  state.top = Math.max(Math.min(state.top, active, last), active - size.rows + 1, 0);
  return rows.slice(state.top, state.top + size.rows).map((task) => rowLine(task, state, size.columns, now));
}

function emptyText({ search, priority }: ScreenState): string[] {
  if (search !== '' || priority !== null) return ['  No task is like that. Esc shows all.'];
  return ['  Queue is empty. c adds a task.'];
}

function rowLine(task: Task, state: ScreenState, columns: number, now: number): Line {
  const isActive = task.id === state.cursor;
  const isSelected = state.selected.has(task.id);
  const age = ageText(now - Date.parse(task.lastOccurredAt)).padStart(3);
  const tags = task.tags.map((tag) => gray(` #${tag}`));
  const left: Piece[] = [
    { text: isActive ? '› ' : '  ', style: 'bold' },
    { text: isSelected ? '✓ ' : '  ', style: 'bold' },
    { text: `${MARK[task.priority]} `, style: COLOUR[task.priority] },
    ...(task.pinned ? [gray('(pinned) ')] : []),
    { text: task.content.split('\n')[0] ?? '', ...(isActive ? { style: 'bold' as const } : {}) },
    ...(task.occurrences > 1 ? [gray(` ×${task.occurrences}`)] : []),
    ...tags,
  ];
  if (columns < MIN_AGE_COLUMNS) return left;
  const text = clip(left, columns - age.length - 1);
  return spread(text, [gray(age)], columns);
}

function taskLines(task: Task, columns: number, now: number): Line[] {
  const width = Math.max(1, columns - 2);
  const indented = (text: string, style?: Piece['style']): Line[] =>
    wrap(text, width).map((line) => [{ text: `  ${line}`, ...(style === undefined ? {} : { style }) }]);
  const [title = '', ...rest] = task.content.split('\n');
  const { from, body } = task.metadata;
  const facts: (readonly [string, string])[] = [
    ['Priority', `${MARK[task.priority]} ${task.priority}`],
    ['Source', task.intake === undefined ? task.source : `${task.source}, ${task.intake.name}`],
    ...(typeof from === 'string' ? [['From', from] as const] : []),
    ...(task.tags.length > 0 ? [['Tags', task.tags.map((tag) => `#${tag}`).join(' ')] as const] : []),
    ['Made', agoText(task.createdAt, now)],
    ...(task.occurrences > 1
      ? [['Repeated', `×${task.occurrences}, last ${agoText(task.lastOccurredAt, now)}`] as const]
      : []),
    ['Ends', task.pinned ? 'never, it is pinned' : `in ${durationText(Date.parse(task.expiresAt) - now)}`],
    ['Id', task.id],
  ];
  return [
    plain(''),
    ...indented(title, 'bold'),
    ...(rest.length > 0 ? indented(rest.join('\n')) : []),
    ...(typeof body === 'string' && body.trim() !== '' ? [plain(''), ...indented(body)] : []),
    plain(''),
    ...facts.flatMap(([name, value]): Line[] => {
      const [first = '', ...others] = wrap(value, Math.max(1, width - 10));
      return [
        [gray(`  ${name.padEnd(10)}`), { text: first }],
        ...others.map((line) => plain(`${' '.repeat(12)}${line}`)),
      ];
    }),
  ];
}

function agoText(time: string, now: number): string {
  const age = ageText(now - Date.parse(time));
  return age === 'now' ? 'just now' : `${age} ago`;
}

function keyLines(columns: number): Line[] {
  const groups = [...new Set(SCREEN_COMMANDS.map(({ group }) => group))].map((group): Line[] => [
    [{ text: `  ${group}`, style: 'bold' }],
    ...SCREEN_COMMANDS.filter((command) => command.group === group).map(({ keys, text }): Line => {
      return [{ text: `  ${keys.join(' ').padEnd(16)}` }, { text: printable(text) }];
    }),
  ]);
  const [move = [], act = [], select = [], screen = []] = groups;
  const one = [...move, plain(''), ...act, plain(''), ...select, plain(''), ...screen];
  if (columns < 100) return [plain(''), ...one];
  const left = [...move, plain(''), ...screen];
  const right = [...act, plain(''), ...select];
  const half = Math.floor(columns / 2);
  return Array.from({ length: Math.max(left.length, right.length) + 1 }, (_, index) => {
    const start = clip(left[index - 1] ?? plain(''), half);
    const width = start.reduce((sum, { text }) => sum + widthOf(text), 0);
    return [...start, { text: ' '.repeat(half - width) }, ...(right[index - 1] ?? [])];
  });
}
