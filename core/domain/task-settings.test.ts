// Changes of many tasks: what they may say, and what they make of a task.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { draft } from '#test/helpers/records.ts';
import { GRACE_MS } from '../contract/index.ts';
import { readTime } from './read-time.ts';
import { toSettings } from './task-settings.ts';
import { isVisible, newTask, pinTask, setTask, type Task, type TaskSettings } from './task.ts';

const HOUR = 60 * 60_000;
const NOW = Date.UTC(2026, 10, 21, 9);
const iso = (ms: number) => new Date(ms).toISOString();
const made = newTask(draft({ content: 'a', tags: ['x'], expiryMinutes: 60 }), 'task_1', 'user_1', NOW);

const settings: fc.Arbitrary<TaskSettings> = fc.record(
  {
    content: fc.constantFrom('a', 'b'),
    priority: fc.constantFrom('high' as const, 'normal' as const),
    tags: fc.constantFrom(['x'], ['x', 'y'], []),
    pinned: fc.boolean(),
    expiresAt: fc.integer({ min: NOW + 1, max: NOW + 168 * HOUR }),
    snoozedUntil: fc.option(fc.integer({ min: NOW + 301 * HOUR, max: NOW + 400 * HOUR })),
  },
  { requiredKeys: [] },
);

describe('settings of a task', () => {
  it('are made in one version, and a second time change nothing, however late it is', () => {
    fc.assert(
      fc.property(settings, fc.boolean(), fc.integer({ min: 0, max: 300 * HOUR }), (wanted, pinned, wait) => {
        const before: Task = { ...made, pinned };
        const now = NOW + wait;
        const after = setTask(before, wanted, now);
        expect(after === null).toBe(!isVisible(before, now));
        if (after === null) return;
        expect(after).toMatchObject({ ...wanted, expiresAt: after.expiresAt });
        expect(after.version).toBe(after === before ? 1 : 2);
        expect(isVisible(after, now)).toBe(true);
        expect(setTask(after, { ...wanted, expiresAt: after.expiresAt }, now)).toBe(after);
      }),
    );
  });

  it('give one more hour where the time is up as a task is unpinned, or passed on the way, exactly', () => {
    const pinned = pinTask(made, true, NOW) as Task;
    const late = NOW + 5 * HOUR;
    expect(setTask(pinned, { pinned: false }, late)?.expiresAt).toBe(late + GRACE_MS);
    expect(setTask(pinned, { pinned: false, expiresAt: late + 7 }, late)?.expiresAt).toBe(late + 7);
    expect(setTask(made, { expiresAt: NOW + 5 }, NOW + 5)?.expiresAt).toBe(NOW + 5 + GRACE_MS);
    expect(setTask(pinned, { content: 'b' }, late)?.expiresAt).toBe(made.expiresAt);
    expect(setTask(pinned, { pinned: true }, late)).toBe(pinned);
  });
});

describe('a change of many tasks', () => {
  it('is read in its order, trimmed, with ends in milliseconds', () => {
    const checked = toSettings(
      [
        { id: 'b', content: ' B ', tags: ['x', ' x'] },
        { id: 'a', expiresAt: iso(NOW + 1) },
      ],
      NOW,
    );
    expect(checked.ok && [...checked.value]).toEqual([
      ['b', { content: 'B', tags: ['x'] }],
      ['a', { expiresAt: NOW + 1 }],
    ]);
  });

  it('names every field at fault, at most 50, and ends at their edges', () => {
    const items = [
      { id: 'a', expiresAt: iso(NOW) },
      { id: 'a', content: '' },
      { id: 'b' },
      { id: 'c', expiresAt: iso(NOW + 168 * HOUR) },
      { id: 'd', expiresAt: iso(NOW + 168 * HOUR + 1) },
    ];
    const checked = toSettings(items, NOW);
    expect(checked.ok ? [] : checked.details.map(({ field }) => field)).toEqual([
      'tasks/0/expiresAt',
      'tasks/1/id',
      'tasks/1/content',
      'tasks/2',
      'tasks/4/expiresAt',
    ]);
    const many = toSettings(
      Array.from({ length: 200 }, (_, index) => ({ id: `${index}` })),
      NOW,
    );
    expect(many.ok ? 0 : many.details.length).toBe(50);
  });

  it('reads times in every form of RFC 3339', () => {
    expect(readTime('2026-11-21t10:00:00+01:00')).toBe(NOW);
    expect(readTime('2026-11-21T08:59:60Z')).toBe(NOW - 1000);
    expect(readTime('2026-11-21 14:45:00+05:45')).toBe(NOW);
    expect(readTime('2026-11-21T09:00Z')).toBe(NOW);
    expect(readTime('2028-02-29T00:00:00.000Z')).toBe(Date.UTC(2028, 1, 29));
    expect(readTime('2026-11-22')).toBe(Date.UTC(2026, 10, 22));
    expect(readTime('soon')).toBeNull();
  });

  it.each([
    // By whose clock?
    '2026-11-21T09:00:00',
    '2026-11-21 09:00',
    'Nov 21 2026 09:00',
    '11/21/2026',
    '1',
    // There is no such day.
    '2026-11-31T09:00:00Z',
    '2027-02-29',
    '2026-00-10T09:00:00Z',
    '2026-11-21T25:00:00Z',
  ])('reads %j as no time', (text) => {
    expect(readTime(text)).toBeNull();
  });
});
