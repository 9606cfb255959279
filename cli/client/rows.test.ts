import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Task } from '#core/contract/index.ts';
import { ageText, fit, paintNothing, shortIds, taskLine, taskRows, widthOf } from './rows.ts';

const NOW = Date.UTC(2026, 10, 21, 9);
const at = (msAgo: number) => new Date(NOW - msAgo).toISOString();

function task(fields: Partial<Task> = {}): Task {
  return {
    id: 'task_0W9xkzQm00a7Gd2kPq81Zs',
    content: 'backup failed',
    priority: 'normal',
    source: 'api',
    createdAt: at(0),
    updatedAt: at(0),
    expiresAt: at(-1000),
    snoozedUntil: null,
    pinned: false,
    metadata: {},
    tags: [],
    version: 1,
    occurrences: 1,
    lastOccurredAt: at(0),
    ...fields,
  };
}

describe('a task in a pipe', () => {
  it('is one whole line that cannot command a terminal', () => {
    const line = taskLine(
      task({ content: '\u001b[31mred\u202E \u009b2J\nmore', tags: ['a\u0007', 'b'], pinned: true }),
    );
    expect(line).toBe('● task_0W9xkzQm00a7Gd2kPq81Zs (pinned) \uFFFD[31mred\uFFFD \uFFFD2J #a\uFFFD #b');
  });
});

describe('tasks on a terminal', () => {
  it('are rows with short ids, a count of repeats and an age', () => {
    const tasks = [
      task({ priority: 'high', occurrences: 3, tags: ['nas'], lastOccurredAt: at(3 * 60_000) }),
      task({ id: 'task_0W9xkzQm00a7Gd2kPq81Zt', content: 'x'.repeat(50), lastOccurredAt: at(0) }),
    ];
    expect(taskRows(tasks, 40, NOW, paintNothing)).toEqual([
      `▲ Pq81Zs ${'backup failed ×3 #nas'.padEnd(27)}  3m`,
      `● Pq81Zt ${'x'.repeat(26)}… now`,
    ]);
  });

  it('fit the width, whatever is in them', () => {
    const contents = fc.array(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 80 }), { minLength: 1 });
    fc.assert(
      fc.property(contents, fc.integer({ min: 10, max: 200 }), (all, columns) => {
        const rows = taskRows(
          all.map((content) => task({ content })),
          columns,
          NOW,
          paintNothing,
        );
        expect(rows.map(widthOf).every((width) => width <= columns)).toBe(true);
      }),
    );
  });

  it('are without an age where there is little room', () => {
    expect(taskRows([task({ content: 'backup failed on nas-2' })], 20, NOW, paintNothing)).toEqual([
      '● Pq81Zs backup fai…',
    ]);
  });

  it('have colours only around the mark, the id and the age', () => {
    const [row] = taskRows([task({ content: 'x' })], 40, NOW, (colour, text) => `<${colour}:${text}>`);
    expect(row).toMatch(/^<blue:●> <gray:Pq81Zs> x +<gray:now>$/);
  });
});

describe('short ids', () => {
  it('are as long as it takes to tell them apart', () => {
    expect(shortIds(['task_aaaaaaaa1', 'task_baaaaaaa1'])).toEqual(['aaaaaaaa1', 'baaaaaaa1']);
    expect(shortIds([])).toEqual([]);
  });
});

describe('widths', () => {
  it.each([
    ['abc', 3],
    ['日本', 4],
    ['👩‍👩‍👧', 2],
    ['e\u0301', 1],
    ['✔️', 2],
  ])('%j takes %i columns', (text, columns) => {
    expect(widthOf(text)).toBe(columns);
  });

  it('are not exceeded by a clipped text', () => {
    expect([fit('日本語', 4), fit('abc', 3), fit('abcd', 3)]).toEqual(['日…', 'abc', 'ab…']);
  });
});

it('an age has one unit', () => {
  expect([0, 59_999, 60_000, 3_600_000, 90_000_000, -5].map(ageText)).toEqual([
    'now',
    'now',
    '1m',
    '1h',
    '1d',
    'now',
  ]);
});
