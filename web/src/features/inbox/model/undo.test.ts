import { describe, expect, test } from 'vitest';
import type { Task } from '#core/contract/index.ts';
import { aTask } from '../../../../test/tasks.ts';
import type { TaskChange } from '../../../lib/outbox/entry.ts';
import { changing, removing, restoring, reverting, type Now } from './undo.ts';

const now = (...tasks: Task[]): Now => ({
  time: Date.now(),
  listed: (id) => tasks.find((task) => task.id === id),
  newest: (task) => task,
  created: (task) => task,
});

const [a, b] = [aTask({ tags: ['x'], priority: 'low' }), aTask({ tags: [], pinned: true })];
const changes: TaskChange[] = [
  { task: a, to: { priority: 'high', tags: ['x', 'y'] } },
  { task: b, to: { priority: 'high' } },
];
const [a2, b2]: [Task, Task] = [
  { ...a, priority: 'high', tags: ['x', 'y'] },
  { ...b, priority: 'high' },
];

describe('taking a change back', () => {
  test('gives every task its own former values, in one operation', () => {
    expect(reverting(changes)(now(a2, b2))).toEqual({
      kind: 'change',
      changes: [
        { task: a2, to: { priority: 'low', tags: ['x'] } },
        { task: b2, to: { priority: 'normal' } },
      ],
    });
  });

  test('leaves what somebody has changed since', () => {
    expect(reverting(changes)(now({ ...a2, priority: 'normal' }, { ...b2, priority: 'low' }))).toEqual({
      kind: 'change',
      changes: [{ task: { ...a2, priority: 'normal' }, to: { tags: ['x'] } }],
    });
    expect(reverting(changes)(now(a, b))).toBeNull();
  });

  test('reaches tasks that the filter has left out since', () => {
    expect(reverting(changes)(now(b2))).toMatchObject({
      changes: [{ to: { priority: 'low', tags: ['x'] } }, { to: { priority: 'normal' } }],
    });
  });

  test('leaves out a task that has left the queue', () => {
    const without = (...gone: Task[]) => ({
      ...now(b2),
      newest: (task: Task) => (gone.some(({ id }) => id === task.id) ? null : task),
    });
    expect(reverting(changes)(without(a))).toEqual({
      kind: 'change',
      changes: [{ task: b2, to: { priority: 'normal' } }],
    });
    expect(reverting(changes.slice(0, 1))(without(a))).toBeNull();
    expect(removing(a)(without(a))).toBeNull();
  });

  test("goes by the server's clock, however wrong that of the browser is", () => {
    const [soon, late] = [3_600_000, 7_200_000].map((ms) => new Date(Date.now() + ms).toISOString());
    const asleep = { ...a, snoozedUntil: soon ?? null };
    const woken = { ...asleep, snoozedUntil: null };
    const wake = reverting([{ task: asleep, to: { snoozedUntil: null } }]);
    expect(wake(now(woken))).toMatchObject({ changes: [{ to: { snoozedUntil: soon } }] });
    const hoursOn = { ...now(woken), time: Date.now() + 5_400_000 };
    expect(wake(hoursOn)).toMatchObject({ changes: [{ to: { snoozedUntil: null } }] });
    const short = { ...a, expiresAt: soon ?? '' };
    const keep = reverting([{ task: short, to: { expiresAt: late ?? '' } }]);
    expect(keep(now({ ...a, expiresAt: late ?? '' }))).toMatchObject({
      changes: [{ to: { expiresAt: soon } }],
    });
    expect(keep({ ...now({ ...a, expiresAt: late ?? '' }), time: Date.parse(late ?? '') })).toBeNull();
  });

  test('of an end is exact, although the server counts from its own clock', () => {
    const wanted = new Date(Date.parse(a.expiresAt) + 86_400_000).toISOString();
    const late = new Date(Date.parse(wanted) + 900).toISOString();
    const inverse = reverting([{ task: a, to: { expiresAt: wanted } }]);
    expect(inverse(now({ ...a, expiresAt: late }))).toMatchObject({
      changes: [{ to: { expiresAt: a.expiresAt } }],
    });
    expect(inverse(now({ ...a, expiresAt: new Date(Date.parse(wanted) + 60_000).toISOString() }))).toBeNull();
  });
});

test('acknowledged tasks come back, without those that are there again', () => {
  expect(restoring([a, b])(now(b))).toEqual({ kind: 'restore', tasks: [a] });
  expect(restoring([a, b])(now(a, b))).toBeNull();
});

test('what was added is acknowledged, as it is now', () => {
  expect(removing(a)(now(a2))).toEqual({ kind: 'acknowledge', tasks: [a2] });
});

test('one pin is sent by its own call, everything else together', () => {
  expect(changing([{ task: a, to: { pinned: true } }])).toEqual({ kind: 'pin', task: a, pinned: true });
  expect(changing([{ task: a, to: { pinned: true, priority: 'low' } }]).kind).toBe('change');
  expect(changing([a, b].map((task) => ({ task, to: { pinned: true } }))).kind).toBe('change');
});
