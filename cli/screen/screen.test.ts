// What is drawn fits every terminal and cannot command it; what is typed and what is news end where they
// should.
import { stripVTControlCharacters } from 'node:util';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Task } from '#core/contract/index.ts';
import { widthOf } from '../client/rows.ts';
import { draw } from './draw.ts';
import { edit, editorOf, insert, textOf } from './editor.ts';
import { linkOf } from './link.ts';
import { rendered, wrap } from './lines.ts';
import { filtersOf } from './search.ts';
import { applyMessage, createState, extendSelection, putTask, rowsOf, targetsOf } from './state.ts';

const NOW = Date.parse('2026-11-24T08:00:00Z');

function task(fields: Partial<Task> = {}): Task {
  return {
    id: 'task_0W9xkzQm00a7Gd2kPq81Zs',
    content: 'disk full',
    priority: 'normal',
    source: 'api',
    createdAt: '2026-11-24T07:00:00.000Z',
    updatedAt: '2026-11-24T07:00:00.000Z',
    expiresAt: '2026-11-25T07:00:00.000Z',
    snoozedUntil: null,
    pinned: false,
    metadata: {},
    tags: [],
    version: 1,
    occurrences: 1,
    lastOccurredAt: '2026-11-24T07:00:00.000Z',
    ...fields,
  };
}

function stateWith(...tasks: Task[]) {
  const state = createState('https://inbox.example.com');
  for (const each of tasks) putTask(state, each, NOW);
  state.cursor = rowsOf(state)[0]?.id ?? null;
  return state;
}

describe('what is drawn', () => {
  const text = fc.oneof(
    fc.string({ unit: 'grapheme' }),
    fc.string({ unit: 'binary' }),
    fc.constantFrom('\u001b[2J', '\u009b31m', '看板看板看板', '👩‍👩‍👧', '\u202eabc', 'a\nb\tc\rd'),
  );

  it('has as many lines as the terminal, none too wide, and no control character but its own colours', () => {
    fc.assert(
      fc.property(
        fc.record({
          content: text,
          source: text,
          tags: fc.array(text, { maxLength: 3 }),
          body: text,
          typed: text,
        }),
        fc.record({ columns: fc.integer({ min: 1, max: 130 }), rows: fc.integer({ min: 1, max: 40 }) }),
        fc.constantFrom('list' as const, 'task' as const, 'keys' as const),
        ({ content, source, tags, body, typed }, size, view) => {
          const state = stateWith(
            task({ content, source, tags, metadata: { body, from: source }, occurrences: 3 }),
          );
          Object.assign(state, { view, notice: typed, search: typed });
          if (typed.length % 2 === 0)
            state.prompt = { kind: 'add', label: 'Add:', hints: [typed], editor: editorOf(typed) };
          const { lines, cursor } = draw(state, size, NOW);
          expect(lines.length).toBe(size.rows);
          expect(cursor === null || (cursor.row < size.rows && cursor.column < size.columns)).toBe(true);
          for (const line of lines) {
            const shown = stripVTControlCharacters(rendered(line, size.columns, process.stdout));
            expect(widthOf(shown)).toBeLessThanOrEqual(size.columns);
            // oxlint-disable-next-line no-control-regex -- none may be left
            expect(shown).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202a-\u202e]/);
          }
        },
      ),
    );
  });

  it('breaks text between words, and long words where the line ends', () => {
    expect(wrap('one two three', 7)).toEqual(['one two', 'three']);
    expect(wrap('abcdefghij kl', 4)).toEqual(['abcd', 'efgh', 'ij', 'kl']);
    expect(wrap('看板看板\n\nx', 4)).toEqual(['看板', '看板', '', 'x']);
  });
});

describe('a line that is typed', () => {
  it('is edited by whole characters', () => {
    const typed = ['Left', 'Backspace', 'Home', 'Delete'].reduce(
      (editor, key) => edit(editor, key) ?? editor,
      editorOf('aé👩‍👩‍👧b'),
    );
    expect(textOf(typed)).toBe('éb');
    expect(textOf(insert(typed, 'x\ny\u001b'))).toBe('x y\ufffdéb');
    expect(textOf(edit(editorOf('one two  '), 'Ctrl-W') ?? editorOf(''))).toBe('one ');
    expect(edit(typed, 'e')).toBeNull();
  });
});

describe('a search', () => {
  it.each([
    ['disk full', [['q', 'disk full']]],
    [
      '#nas disk #"on call"',
      [
        ['tag', 'nas'],
        ['tag', 'on call'],
        ['q', 'disk'],
      ],
    ],
    [
      'source:email priority:h',
      [
        ['source', 'email'],
        ['priority', 'high'],
      ],
    ],
    [
      'intake:"Prod alerts" priority:x',
      [
        ['intake', 'Prod alerts'],
        ['q', 'priority:x'],
      ],
    ],
    ['', []],
  ])('%j asks for %j', (typed, filters) => {
    expect(filtersOf(typed)).toEqual(filters);
  });
});

describe('the rows', () => {
  const [first, second, third] = ['3', '2', '1'].map((id) => task({ id }));

  it('take in news, but nothing older, and nothing that sleeps', () => {
    const state = stateWith(task({ version: 3, content: 'new' }));
    putTask(state, task({ version: 2, content: 'old' }), NOW);
    applyMessage(state, { type: 'task.acknowledged', task: task({ version: 2 }), version: 2 }, NOW);
    expect(rowsOf(state).map(({ content }) => content)).toEqual(['new']);
    const snoozedUntil = '2026-11-24T09:00:00.000Z';
    applyMessage(state, { type: 'task.updated', task: task({ version: 4, snoozedUntil }), version: 4 }, NOW);
    expect([rowsOf(state), state.total, state.cursor]).toEqual([[], 0, null]);
  });

  it('leave the cursor in its place when its row goes', () => {
    if (first === undefined || second === undefined || third === undefined) throw new Error('three tasks');
    const state = stateWith(first, second, third);
    state.cursor = second.id;
    applyMessage(state, { type: 'task.expired', task: second, version: 1 }, NOW);
    expect(state.cursor).toBe(third.id);
    applyMessage(state, { type: 'task.acknowledged', task: third, version: 1 }, NOW);
    expect(state.cursor).toBe(first.id);
  });

  it('are selected on the way, and let go on the way back', () => {
    if (first === undefined || second === undefined || third === undefined) throw new Error('three tasks');
    const state = stateWith(first, second, third);
    extendSelection(state, 1);
    extendSelection(state, 1);
    expect(targetsOf(state)).toEqual([first, second, third]);
    extendSelection(state, -1);
    expect(targetsOf(state)).toEqual([first, second]);
  });
});

it('a link is one of the web, without the punctuation around it', () => {
  expect(linkOf(task({ content: 'see (https://a.example/x_(y)).' }))).toBe('https://a.example/x_(y)');
  expect(linkOf(task({ metadata: { body: 'at http://b.example.' } }))).toBe('http://b.example/');
  expect(linkOf(task({ content: 'file:///etc/passwd javascript:alert(1)' }))).toBeNull();
});
