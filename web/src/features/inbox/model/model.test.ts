import { beforeEach, describe, expect, test } from 'vitest';
import type { Task } from '#core/contract/index.ts';
import { aTask } from '../../../../test/tasks.ts';
import { QueueChanges } from './changes.ts';
import { groupTasks } from './groups.ts';
import { NO_FILTER, type Page } from './page.ts';
import type { Pending } from './pending.ts';
import { project } from './project.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
let changes: QueueChanges;

beforeEach(() => {
  changes = new QueueChanges();
});

function pageOf(tasks: Task[], more: Partial<Page['pagination']> = {}, asOf = changes.mark()): Page {
  const count = (test: (task: Task) => boolean) => tasks.filter(test).length;
  return {
    tasks,
    pagination: { limit: 50, offset: 0, total: tasks.length, returned: tasks.length, ...more },
    statistics: {
      total: more.total ?? tasks.length,
      high: count((task) => task.priority === 'high'),
      normal: count((task) => task.priority === 'normal'),
      low: count((task) => task.priority === 'low'),
      pinned: count((task) => task.pinned),
      snoozed: 0,
    },
    asOf,
  };
}

// Publishes what was applied without waiting for its batch.
function look(page: Page, filter = NO_FILTER, now = Date.now(), pending: readonly Pending[] = []) {
  changes.flush();
  return project(page, { changes: changes.getSnapshot(), pending }, filter, now);
}

const lookWith = (page: Page, ...pending: Pending[]) => look(page, NO_FILTER, Date.now(), pending);

const ids = (tasks: readonly Task[]) => tasks.map((task) => task.id);

describe('changes after a page was fetched', () => {
  test('a created task comes in at its place and is counted', () => {
    const old = aTask({ ageMs: HOUR });
    const page = pageOf([old]);
    const created = aTask({ priority: 'high' });
    changes.applyMessage({ type: 'task.created', task: created, version: 1 });
    const view = look(page);
    expect(ids(view.tasks)).toEqual([created.id, old.id]);
    expect(view.statistics).toMatchObject({ total: 2, high: 1, normal: 1 });
    expect(view.total).toBe(2);
  });

  test('an older version than the one held changes nothing', () => {
    const task = aTask({ version: 5, content: 'newest' });
    const page = pageOf([task]);
    changes.applyMessage({
      type: 'task.updated',
      task: { ...task, version: 4, content: 'older' },
      version: 4,
    });
    changes.applyMessage({ type: 'task.acknowledged', task: { ...task, version: 3 }, version: 3 });
    expect(look(page).tasks).toEqual([task]);
  });

  test('events that arrive in the wrong order end with the newest', () => {
    const task = aTask();
    const page = pageOf([task]);
    changes.applyMessage({ type: 'task.acknowledged', task: { ...task, version: 3 }, version: 3 });
    changes.applyMessage({ type: 'task.updated', task: { ...task, version: 2 }, version: 2 });
    expect(look(page).tasks).toEqual([]);
    changes.applyMessage({ type: 'task.restored', task: { ...task, version: 4 }, version: 4 });
    expect(ids(look(page).tasks)).toEqual([task.id]);
    expect(look(page).statistics.total).toBe(1);
  });

  test('a page that was asked for later is believed, one asked for earlier is not', () => {
    const task = aTask();
    const askedBefore = changes.mark();
    changes.applyMessage({ type: 'task.acknowledged', task: { ...task, version: 2 }, version: 2 });
    expect(look(pageOf([task], {}, askedBefore)).tasks).toEqual([]);
    const restored = { ...task, version: 3 };
    expect(look(pageOf([restored], {}, changes.mark())).tasks).toEqual([restored]);
  });

  test('a task that a later page does not have any more is not brought back by changes before it', () => {
    changes.applyMessage({ type: 'task.created', task: aTask(), version: 1 });
    expect(look(pageOf([], {}, changes.mark())).tasks).toEqual([]);
  });

  test('what lies beyond the fetched stretch is counted, not shown', () => {
    const shown = [aTask({ ageMs: MINUTE }), aTask({ ageMs: 2 * MINUTE })];
    const page = pageOf(shown, { total: 100 });
    changes.applyMessage({ type: 'task.restored', task: aTask({ ageMs: HOUR }), version: 3 });
    const view = look(page);
    expect(view.tasks).toHaveLength(2);
    expect(view.total).toBe(101);
  });

  test('what the filter leaves out is counted in the queue, not in the list', () => {
    const page = pageOf([aTask({ priority: 'high' })]);
    changes.applyMessage({ type: 'task.created', task: aTask({ priority: 'low' }), version: 1 });
    const view = look(page, { ...NO_FILTER, priority: 'high' });
    expect([view.tasks.length, view.total, view.statistics.total]).toEqual([1, 1, 2]);
  });

  test('totals are never lowered below 0', () => {
    const page = pageOf([]);
    changes.applyMessage({ type: 'task.acknowledged', task: aTask(), version: 2 });
    expect(look(page).statistics).toMatchObject({ total: 0, normal: 0 });
    expect(look(page).total).toBe(0);
  });
});

describe('what is done here', () => {
  test('shows at once and is taken back when it fails', () => {
    const task = aTask();
    const page = pageOf([task]);
    expect(lookWith(page, { kind: 'acknowledge', id: task.id, task }).tasks).toEqual([]);
    expect(look(page).tasks).toEqual([task]);
  });

  test('of one without a row, it leaves the counts at once, and only once', () => {
    const high = aTask({ priority: 'high' });
    const page = {
      ...pageOf([high], { total: 1 }),
      statistics: { ...pageOf([high]).statistics, total: 2, normal: 1 },
    };
    const hidden = aTask({ priority: 'normal' });
    const filter = { ...NO_FILTER, priority: 'high' as const };
    const done: Pending = { kind: 'acknowledge', id: hidden.id, task: hidden };
    const once = { total: 1, high: 1, normal: 0 };
    const filtered = look(page, filter, Date.now(), [done]);
    expect([filtered.total, filtered.statistics]).toEqual([1, expect.objectContaining(once)]);
    changes.applyMessage({ type: 'task.acknowledged', task: hidden, version: 2 });
    expect(look(page, filter, Date.now(), [done]).statistics).toMatchObject(once);
    // A page that has all rows but this one does not count it.
    expect(lookWith(pageOf([high]), done).statistics).toMatchObject({ total: 1, high: 1, normal: 0 });
    // It lies beyond the rows of an incomplete one.
    const beyond = aTask({ ageMs: 5 * HOUR });
    const view = lookWith(pageOf([high], { total: 3 }), { kind: 'acknowledge', id: beyond.id, task: beyond });
    expect([view.total, view.statistics.total]).toEqual([2, 2]);
  });

  test('pinning moves the row to the top at once', () => {
    const [first, second] = [aTask({ ageMs: MINUTE }), aTask({ ageMs: HOUR })];
    const page = pageOf([first, second]);
    const view = lookWith(page, { kind: 'change', id: second.id, change: { pinned: true } });
    expect(ids(view.tasks)).toEqual([second.id, first.id]);
    expect(view.statistics.pinned).toBe(1);
  });
});

describe('a new item that waits', () => {
  const created = aTask({ id: 'waiting_1', content: 'mine', source: 'web', version: 0 });
  const waiting = (sentBefore: boolean): Pending => ({
    kind: 'create',
    id: created.id,
    task: created,
    sentBefore,
  });

  test('is in its place and counted, and can be changed and acknowledged like any other', () => {
    const old = aTask({ ageMs: HOUR });
    const view = lookWith(pageOf([old]), waiting(false), {
      kind: 'change',
      id: created.id,
      change: { pinned: true },
    });
    expect(ids(view.tasks)).toEqual([created.id, old.id]);
    expect(view.statistics).toMatchObject({ total: 2, pinned: 1 });
    expect(
      ids(
        lookWith(pageOf([old]), waiting(false), { kind: 'acknowledge', id: created.id, task: created }).tasks,
      ),
    ).toEqual([old.id]);
  });

  test('whose answer was lost is not shown beside the task that it has become', () => {
    const made = aTask({ content: 'mine', source: 'web', ageMs: 0 });
    expect(ids(lookWith(pageOf([made]), waiting(true)).tasks)).toEqual([made.id]);
    expect(lookWith(pageOf([made]), waiting(false)).tasks).toHaveLength(2);
    const older = aTask({ content: 'mine', source: 'web', ageMs: HOUR });
    expect(lookWith(pageOf([older]), waiting(true)).tasks).toHaveLength(2);
  });
});

describe('expiry', () => {
  test('a task is gone exactly at expiresAt, a pinned one stays', () => {
    const task = aTask({ ageMs: 23 * HOUR });
    const pinned = aTask({ ageMs: 30 * HOUR, pinned: true });
    const page = pageOf([pinned, task]);
    const end = Date.parse(task.expiresAt);
    expect(look(page, NO_FILTER, end - 1).nextEnd).toBe(end);
    expect(ids(look(page, NO_FILTER, end - 1).tasks)).toEqual([pinned.id, task.id]);
    expect(ids(look(page, NO_FILTER, end).tasks)).toEqual([pinned.id]);
    expect(look(page, NO_FILTER, end).statistics.total).toBe(1);
  });
});

describe('snoozing', () => {
  const until = Date.now() + HOUR;
  const asleepUntil = new Date(until).toISOString();
  const SNOOZED = { ...NO_FILTER, snoozed: true };

  test('a task that is snoozed here leaves the list and its counts, and is back at its time exactly', () => {
    const [high, other] = [aTask({ priority: 'high' }), aTask()];
    const page = pageOf([high, other]);
    const pending: Pending[] = [{ kind: 'change', id: high.id, change: { snoozedUntil: asleepUntil } }];
    const before = look(page, NO_FILTER, until - 1, pending);
    expect(ids(before.tasks)).toEqual([other.id]);
    expect(before.statistics).toMatchObject({ total: 1, high: 0, snoozed: 1 });
    expect([before.total, before.nextEnd]).toEqual([1, until]);
    const after = look(page, NO_FILTER, until, pending);
    expect(ids(after.tasks)).toEqual([high.id, other.id]);
    expect(after.statistics).toMatchObject({ total: 2, high: 1, snoozed: 0 });
  });

  test('the list of those that sleep has the first to wake first, and one leaves it as it wakes', () => {
    const later = aTask({ pinned: true, snoozedUntil: new Date(until + HOUR).toISOString() });
    const soon = aTask({ snoozedUntil: asleepUntil });
    const page = pageOf([soon, later]);
    const fetched = {
      ...page,
      snoozed: true,
      statistics: { ...page.statistics, total: 5, normal: 5, pinned: 0, snoozed: 2 },
    };
    const before = look(fetched, SNOOZED, until - 1);
    expect(ids(before.tasks)).toEqual([soon.id, later.id]);
    expect(before.nextEnd).toBe(until);
    const after = look(fetched, SNOOZED, until);
    expect(ids(after.tasks)).toEqual([later.id]);
    expect(after.statistics).toMatchObject({ total: 6, normal: 6, snoozed: 1 });
    expect(after.total).toBe(1);
  });

  test('a page of the other list, shown until this one is fetched, does not change the counts', () => {
    const page = pageOf([aTask(), aTask({ snoozedUntil: new Date(until - 3 * HOUR).toISOString() })]);
    const view = look(page, SNOOZED, until - 1);
    expect(view.tasks).toEqual([]);
    expect(view.statistics).toMatchObject({ total: 2, normal: 2, snoozed: 0 });
  });

  test('one that is woken here leaves the list of those that sleep, and is counted among the others', () => {
    const soon = aTask({ snoozedUntil: asleepUntil });
    const page = {
      ...pageOf([soon]),
      snoozed: true,
      statistics: { total: 0, high: 0, normal: 0, low: 0, pinned: 0, snoozed: 1 },
    };
    const view = look(page, SNOOZED, until - 1, [
      { kind: 'change', id: soon.id, change: { snoozedUntil: null } },
    ]);
    expect(view.tasks).toEqual([]);
    expect(view.statistics).toMatchObject({ total: 1, normal: 1, snoozed: 0 });
  });
});

test('the list is grouped Pinned, New, Active, Aging, Last hour, and empty groups have no heading', () => {
  const tasks = [
    aTask({ pinned: true, ageMs: 30 * HOUR }),
    aTask({ ageMs: MINUTE }),
    aTask({ ageMs: 5 * HOUR }),
    aTask({ ageMs: 23.5 * HOUR }),
  ];
  const options = { order: 'newest', complete: true, now: Date.now() } as const;
  const headings = groupTasks(tasks, options).flatMap((item) => (item.kind === 'heading' ? [item.key] : []));
  expect(headings).toEqual(['pinned', 'new', 'active', 'last-hour']);
});
