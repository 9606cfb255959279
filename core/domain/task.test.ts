// A task's life: each rule of time and change, by example at its edge and by property over everything.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { GRACE_MS, MAX_EXPIRY_MINUTES, UNDO_WINDOW_MS, type Priority } from '../contract/index.ts';
import {
  acknowledgeTask,
  resolveTask,
  editTask,
  extendTask,
  higherPriority,
  isRestorable,
  suppressesRepeats,
  isVisible,
  suppressRepeat,
  newTask,
  pinTask,
  PURGE_DELAY_MS,
  purgeAt,
  repeatTask,
  RESOLVED_AT,
  restoreTask,
  setTask,
  snoozeTask,
  type Task,
} from './task.ts';
import { draft } from '#test/helpers/records.ts';

const MINUTE = 60_000;
const NOW = Date.UTC(2026, 10, 21, 9);

const priority = fc.constantFrom<Priority>('high', 'normal', 'low');
const moment = fc.integer({ min: NOW - 30 * 1440 * MINUTE, max: NOW + 30 * 1440 * MINUTE });
const minutes = fc.integer({ min: 1, max: MAX_EXPIRY_MINUTES });
const someDraft = fc
  .record({ content: fc.string({ minLength: 1 }), priority, expiryMinutes: minutes })
  .map((fields) => draft({ ...fields, dedupeKey: 'k' }));
/** Any task that could be in a store: pinned or not, long gone or not, acknowledged or not. */
const someTask: fc.Arbitrary<Task> = fc
  .record({
    from: someDraft,
    at: moment,
    pinned: fc.boolean(),
    acknowledgedAt: fc.option(moment),
    reopens: fc.boolean(),
    metadata: fc.constantFrom({}, { [RESOLVED_AT]: 'then' }),
    version: fc.nat(),
  })
  .map(({ from, at, ...fields }) => ({ ...newTask(from, 'task_1', 'user_1', at), ...fields }));

const made = (fields: Partial<Task> = {}): Task => ({
  ...newTask(draft({ content: 'a', expiryMinutes: 60, dedupeKey: 'k' }), 'task_1', 'user_1', NOW),
  ...fields,
});

/** Every way to change a task, at a moment. */
const CHANGES = {
  edit: (task: Task, now: number) => editTask(task, { content: 'b', priority: 'low', tags: ['x'] }, now),
  pin: (task: Task, now: number) => pinTask(task, true, now),
  unpin: (task: Task, now: number) => pinTask(task, false, now),
  extend: (task: Task, now: number) => extendTask(task, 5, now),
  set: (task: Task, now: number) => setTask(task, { content: 'b', pinned: false, tags: ['x'] }, now),
  snooze: (task: Task, now: number) => snoozeTask(task, now + 5 * MINUTE, now),
  wake: (task: Task, now: number) => snoozeTask(task, null, now),
  repeat: (task: Task, now: number) => repeatTask(task, draft({ content: 'b' }), now),
  mute: (task: Task, now: number) => suppressRepeat(task, draft({ content: 'b' }), now),
  close: resolveTask,
  acknowledge: acknowledgeTask,
  restore: restoreTask,
};

describe('a new task', () => {
  it('expires exactly its minutes after it was made', () => {
    fc.assert(
      fc.property(someDraft, moment, (from, now) => {
        const task = newTask(from, 'task_1', 'user_1', now);
        expect(task).toMatchObject({
          expiresAt: now + from.expiryMinutes * MINUTE,
          createdAt: now,
          updatedAt: now,
          lastOccurredAt: now,
          version: 1,
          occurrences: 1,
          pinned: false,
          acknowledgedAt: null,
        });
      }),
    );
  });

  it('has the defaults where the draft names nothing', () => {
    expect(draft({ content: 'a' })).toEqual({
      content: 'a',
      priority: 'normal',
      source: 'api',
      tags: [],
      metadata: {},
      expiryMinutes: 1440,
      dedupeKey: null,
      reopens: true,
    });
  });
});

describe('being seen', () => {
  it('never happens at or after expiresAt unless pinned, nor once acknowledged', () => {
    fc.assert(
      fc.property(someTask, moment, (task, now) => {
        const inTime = now < task.expiresAt;
        expect(isVisible(task, now)).toBe(task.acknowledgedAt === null && (task.pinned || inTime));
      }),
    );
  });

  it('ends with the last millisecond before expiresAt', () => {
    const task = made();
    expect(isVisible(task, task.expiresAt - 1)).toBe(true);
    expect(isVisible(task, task.expiresAt)).toBe(false);
    expect(isVisible({ ...task, pinned: true }, task.expiresAt + 1e12)).toBe(true);
  });
});

describe('every change', () => {
  it('refuses a task that cannot be seen, except those for acknowledged ones', () => {
    const isPossible: Record<string, (task: Task, now: number) => boolean> = {
      restore: isRestorable,
      mute: suppressesRepeats,
      close: (task, now) =>
        task.lastOccurredAt <= now && (isVisible(task, now) || suppressesRepeats(task, now)),
    };
    fc.assert(
      fc.property(someTask, moment, (task, now) => {
        for (const [name, change] of Object.entries(CHANGES))
          expect(change(task, now) !== null, name).toBe((isPossible[name] ?? isVisible)(task, now));
      }),
    );
  });

  it('raises the version by one, never sets the time of update back, and leaves the original alone', () => {
    fc.assert(
      fc.property(someTask, moment, (task, now) => {
        const before = structuredClone(task);
        for (const change of Object.values(CHANGES)) {
          const after = change(task, now);
          if (after === null || after === task) continue;
          expect(after.version).toBe(task.version + 1);
          expect(after.updatedAt).toBe(Math.max(task.updatedAt, now));
          expect(after).toMatchObject({ id: task.id, ownerId: task.ownerId, createdAt: task.createdAt });
        }
        expect(task).toEqual(before);
      }),
    );
  });

  it('leaves a task that can be seen at that moment, except those that hide it', () => {
    const hiding = ['acknowledge', 'close', 'mute'];
    fc.assert(
      fc.property(someTask, moment, (task, now) => {
        for (const [name, change] of Object.entries(CHANGES)) {
          const after = change(task, now);
          if (after !== null) expect(isVisible(after, now)).toBe(!hiding.includes(name));
        }
      }),
    );
  });
});

describe('editing', () => {
  it('changes what is named and nothing else, never expiresAt', () => {
    const task = made({ tags: ['x'] });
    expect(editTask(task, { content: 'b' }, NOW + 1)).toEqual({
      ...task,
      content: 'b',
      updatedAt: NOW + 1,
      version: 2,
    });
    expect(editTask(task, { tags: [] }, NOW)).toMatchObject({ tags: [], content: 'a' });
    fc.assert(
      fc.property(someTask, priority, moment, (any, to, now) => {
        const after = editTask(any, { priority: to }, now);
        if (after !== null) expect(after).toMatchObject({ expiresAt: any.expiresAt, priority: to });
      }),
    );
  });
});

describe('pinning', () => {
  it('keeps the task for ever, and unpinning gives an overdue one exactly one hour', () => {
    fc.assert(
      fc.property(minutes, moment, (wait, at) => {
        const task = newTask(draft({ content: 'a', expiryMinutes: 60 }), 'task_1', 'user_1', at);
        const pinned = pinTask(task, true, at) as Task;
        const now = at + wait * MINUTE;
        expect(isVisible(pinned, now)).toBe(true);
        const unpinned = pinTask(pinned, false, now) as Task;
        expect(unpinned.expiresAt).toBe(wait < 60 ? task.expiresAt : now + GRACE_MS);
      }),
    );
  });

  it('changes nothing when it is so already', () => {
    const task = made();
    expect(pinTask(task, false, NOW)).toBe(task);
    const pinned = made({ pinned: true });
    expect(pinTask(pinned, true, NOW)).toBe(pinned);
  });
});

describe('extending from the end that was seen', () => {
  it('adds the minutes once, however often it is sent, and never shortens what another has extended', () => {
    fc.assert(
      fc.property(minutes, fc.integer({ min: 0, max: 600 }), (more, elsewhere) => {
        const task = made();
        const once = extendTask(task, more, NOW, task.expiresAt) as Task;
        const latest = NOW + MAX_EXPIRY_MINUTES * MINUTE;
        expect(once.expiresAt).toBe(Math.min(task.expiresAt + more * MINUTE, latest));
        expect(extendTask(once, more, NOW, task.expiresAt)).toBe(once);
        const other = { ...task, expiresAt: task.expiresAt + elsewhere * MINUTE };
        const both = extendTask(other, more, NOW, task.expiresAt) as Task;
        expect(both.expiresAt).toBe(Math.max(other.expiresAt, once.expiresAt));
      }),
    );
  });
});

describe('acknowledging and restoring', () => {
  it('can be undone for 10 minutes, to the last millisecond and not after', () => {
    const done = acknowledgeTask(made({ tags: ['x'] }), NOW) as Task;
    expect(done).toMatchObject({ acknowledgedAt: NOW });
    const last = NOW + UNDO_WINDOW_MS - 1;
    expect(restoreTask(done, last)).toEqual({
      ...done,
      acknowledgedAt: null,
      updatedAt: last,
      version: 3,
    });
    expect(restoreTask(done, last + 1)).toBeNull();
  });

  it('happens once; what is not acknowledged cannot be restored', () => {
    const done = acknowledgeTask(made(), NOW) as Task;
    expect(acknowledgeTask(done, NOW)).toBeNull();
    expect(restoreTask(made(), NOW)).toBeNull();
  });

  it('gives a task whose time ran out meanwhile one more hour, and a pinned one its pin back', () => {
    fc.assert(
      fc.property(someTask, fc.integer({ min: 0, max: UNDO_WINDOW_MS - 1 }), (any, wait) => {
        const live = { ...any, acknowledgedAt: null };
        const at = live.expiresAt - 1;
        const done = acknowledgeTask(live, at) as Task;
        const back = restoreTask(done, at + wait) as Task;
        expect(back.pinned).toBe(live.pinned);
        const overdue = wait >= 1 && !live.pinned;
        expect(back.expiresAt).toBe(overdue ? at + wait + GRACE_MS : live.expiresAt);
      }),
    );
  });
});

describe('extending', () => {
  it('adds the minutes, and never reaches beyond 7 days from now', () => {
    const task = made();
    expect(extendTask(task, 1440, NOW)?.expiresAt).toBe(task.expiresAt + 1440 * MINUTE);
    fc.assert(
      fc.property(someTask, minutes, moment, (any, more, now) => {
        const after = extendTask(any, more, now);
        if (after === null) return;
        expect(after.expiresAt).toBeLessThanOrEqual(now + MAX_EXPIRY_MINUTES * MINUTE);
        expect(after.expiresAt).toBeGreaterThan(now);
      }),
    );
  });

  it('never takes time away from a task made within the limit', () => {
    fc.assert(
      fc.property(someDraft, minutes, moment, fc.nat(), (from, more, at, wait) => {
        const task = newTask(from, 'task_1', 'user_1', at);
        const after = extendTask(task, more, at + wait);
        if (after !== null) expect(after.expiresAt).toBeGreaterThanOrEqual(task.expiresAt);
      }),
    );
  });

  it('counts from now for a pinned task that is overdue', () => {
    const task = made({ pinned: true });
    const now = task.expiresAt + 1440 * MINUTE;
    expect(extendTask(task, 5, now)?.expiresAt).toBe(now + 5 * MINUTE);
  });
});

describe('repeating', () => {
  it('never undoes a pin, never lowers the priority, never shortens the time, and counts', () => {
    fc.assert(
      fc.property(someTask, someDraft, moment, (task, again, now) => {
        const after = repeatTask(task, again, now);
        if (after === null) return;
        expect(after.pinned).toBe(task.pinned);
        expect(after.priority).toBe(higherPriority(task.priority, again.priority));
        expect(higherPriority(after.priority, task.priority)).toBe(after.priority);
        expect(after.expiresAt).toBe(Math.max(task.expiresAt, now + again.expiryMinutes * MINUTE));
        expect(after.occurrences).toBe(task.occurrences + 1);
        expect(after.lastOccurredAt).toBe(Math.max(now, task.lastOccurredAt));
        expect(after).toMatchObject({ content: task.content, tags: task.tags, metadata: {} });
      }),
    );
  });

  it('takes the intake of the repeat, silenced or not, and keeps its own where that has none', () => {
    const mine = { id: 'int_1', name: 'NAS', deliveryId: 'dlv_1' };
    const other = { ...mine, deliveryId: 'dlv_2' };
    const from = made({ intake: mine });
    const silent = made({ intake: mine, acknowledgedAt: NOW, reopens: false });
    for (const [rule, task] of [
      [repeatTask, from],
      [suppressRepeat, silent],
    ] as const) {
      expect(rule(task, draft({ content: 'b', intake: other }), NOW + 1)?.intake).toEqual(other);
      expect(rule(task, draft({ content: 'b' }), NOW + 1)?.intake).toEqual(mine);
    }
  });

  it('pins the task where the repeat is pinned', () => {
    const again = draft({ content: 'b', pinned: true });
    expect(repeatTask(made(), again, NOW)).toMatchObject({ pinned: true, version: 2 });
    expect(repeatTask(made({ pinned: true }), draft({ content: 'b' }), NOW)?.pinned).toBe(true);
    expect(repeatTask(made(), { ...again, replaces: true }, NOW)?.pinned).toBe(true);
  });

  it('says what the repeat says where that replaces the task, and keeps its pin, time and count', () => {
    fc.assert(
      fc.property(someTask, someDraft, moment, (task, again, now) => {
        const [plain, after] = [again, { ...again, replaces: true }].map((each) =>
          repeatTask(task, { ...each, tags: ['x'], metadata: { url: 'https://a.example/' } }, now),
        );
        if (plain === null || plain === undefined) {
          expect(after).toBe(plain);
          return;
        }
        const { content, priority } = again;
        expect(after).toEqual({
          ...plain,
          content,
          priority,
          tags: ['x'],
          metadata: { url: 'https://a.example/' },
        });
      }),
    );
  });

  it('orders priorities high, normal, low', () => {
    expect(higherPriority('low', 'normal')).toBe('normal');
    expect(higherPriority('normal', 'high')).toBe('high');
    expect(higherPriority('high', 'low')).toBe('high');
  });
});

describe('being over, and being quiet', () => {
  const done = (fields: Partial<Task> = {}) => made({ acknowledgedAt: NOW, reopens: false, ...fields });
  const again = draft({ content: 'b', priority: 'high', expiryMinutes: 120, dedupeKey: 'k' });
  const UP = NOW + 60 * MINUTE;

  it('is quiet when a person acknowledged it, its intake does not reopen, and its time is not up', () => {
    expect(suppressesRepeats(done(), NOW)).toBe(true);
    expect(suppressesRepeats(done({ pinned: true }), UP - 1)).toBe(true);
    for (const task of [
      made({ reopens: false }),
      done({ reopens: true }),
      done({ dedupeKey: null }),
      done({ metadata: { [RESOLVED_AT]: 'then' } }),
    ])
      expect(suppressesRepeats(task, NOW)).toBe(false);
    expect(suppressesRepeats(done(), UP)).toBe(false);
  });

  it('counts a repeat in silence, for longer, and nothing else', () => {
    const task = done();
    expect(suppressRepeat(task, again, NOW + MINUTE)).toEqual({
      ...task,
      occurrences: 2,
      version: 2,
      updatedAt: NOW + MINUTE,
      lastOccurredAt: NOW + MINUTE,
      expiresAt: NOW + 121 * MINUTE,
    });
    expect(suppressRepeat(task, again, UP)).toBeNull();
    expect(suppressRepeat(made({ reopens: false }), again, NOW)).toBeNull();
  });

  it('leaves the queue when its sender calls it over, pinned or not, and can be restored', () => {
    for (const pinned of [false, true]) {
      const closed = resolveTask(made({ pinned, reopens: false, metadata: { host: 'a' } }), NOW + 1) as Task;
      expect(closed).toMatchObject({
        pinned,
        acknowledgedAt: NOW + 1,
        metadata: { host: 'a', [RESOLVED_AT]: new Date(NOW + 1).toISOString() },
      });
      // The sender's word and not a person's: the next report is news.
      expect(suppressesRepeats(closed, NOW + 1)).toBe(false);
      const restored = restoreTask(closed, NOW + 2) as Task;
      expect(repeatTask(restored, again, NOW + 3)?.metadata).toEqual({ host: 'a' });
    }
  });

  it('is quiet no longer once its sender calls it over', () => {
    const closed = resolveTask(done(), NOW + 1) as Task;
    expect(closed.acknowledgedAt).toBe(NOW);
    expect(suppressesRepeats(closed, NOW + 1)).toBe(false);
    expect(purgeAt(closed)).toBe(NOW + UNDO_WINDOW_MS);
  });

  it('stays when it was reported after that word, or is out of sight already', () => {
    for (const task of [
      made({ lastOccurredAt: NOW + 2 }),
      done({ lastOccurredAt: NOW + 2 }),
      repeatTask(made({ lastOccurredAt: NOW + 2 }), again, NOW) as Task,
      done({ reopens: true }),
      made({ expiresAt: NOW }),
    ])
      expect(resolveTask(task, NOW + 1)).toBeNull();
  });

  it('is kept for as long as it is quiet', () => {
    expect(purgeAt(done())).toBe(UP);
    expect(purgeAt(done({ expiresAt: NOW + MINUTE }))).toBe(NOW + UNDO_WINDOW_MS);
    fc.assert(
      fc.property(someTask, moment, (task, now) => {
        const at = purgeAt(task);
        if (at !== null && now >= at) expect(suppressesRepeats(task, now)).toBe(false);
      }),
    );
  });
});

describe('being removed for good', () => {
  it('comes after the time to restore, or 10 minutes after expiry, and never while pinned', () => {
    expect(purgeAt(made())).toBe(NOW + 60 * MINUTE + PURGE_DELAY_MS);
    expect(purgeAt(made({ pinned: true }))).toBeNull();
    expect(purgeAt(made({ acknowledgedAt: NOW, pinned: true }))).toBe(NOW + UNDO_WINDOW_MS);
    fc.assert(
      fc.property(someTask, moment, (task, now) => {
        const at = purgeAt(task);
        if (at !== null && now >= at) {
          expect(isVisible(task, now)).toBe(false);
          expect(isRestorable(task, now)).toBe(false);
        }
      }),
    );
  });
});
