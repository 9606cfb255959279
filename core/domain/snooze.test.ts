// Snoozing: when a task is hidden, and that its time stands still meanwhile, over everything that can happen.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { draft } from '#test/helpers/records.ts';
import { GRACE_MS, MAX_EXPIRY_MINUTES, type Priority } from '../contract/index.ts';
import { isSnoozed, timeRunsFrom } from './snooze.ts';
import {
  acknowledgeTask,
  editTask,
  extendTask,
  higherPriority,
  isListed,
  isVisible,
  newTask,
  pinTask,
  repeatTask,
  resolveTask,
  restoreTask,
  setTask,
  snoozeTask,
  type Task,
} from './task.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const NOW = Date.UTC(2026, 10, 21, 9);

const priority = fc.constantFrom<Priority>('high', 'normal', 'low');
const minutes = fc.integer({ min: 1, max: MAX_EXPIRY_MINUTES });
const aWhile = fc.integer({ min: 1, max: 7 * DAY });
const made = (fields: Partial<Task> = {}, expiryMinutes = 1440): Task => ({
  ...newTask(draft({ content: 'a', expiryMinutes, dedupeKey: 'k' }), 'task_1', 'user_1', NOW),
  ...fields,
});
const some = fc
  .record({ priority, minutes, pinned: fc.boolean() })
  .map((of) => made({ priority: of.priority, pinned: of.pinned }, of.minutes));
/** What it has left at `now`, from when its time runs. */
const leftOf = (task: Task, now: number) => task.expiresAt - timeRunsFrom(task, now);

describe('a snoozed task', () => {
  it('is live and not listed until its time, and listed from that very millisecond on', () => {
    fc.assert(
      fc.property(some, aWhile, aWhile, (task, ahead, later) => {
        const until = NOW + ahead;
        const asleep = snoozeTask(task, until, NOW) as Task;
        const at = NOW + later;
        expect(asleep).toMatchObject({ snoozedUntil: until, version: 2 });
        expect(isSnoozed(asleep, at)).toBe(at < until);
        if (at < until) expect([isVisible(asleep, at), isListed(asleep, at)]).toEqual([true, false]);
        expect([isListed(asleep, until - 1), isListed(asleep, until)]).toEqual([false, true]);
      }),
    );
  });

  it('has as long left when it wakes as when it went to sleep, and one hour at the least', () => {
    fc.assert(
      fc.property(some, aWhile, (task, ahead) => {
        const until = NOW + ahead;
        const asleep = snoozeTask(task, until, NOW) as Task;
        expect(asleep.expiresAt - until).toBe(Math.max(leftOf(task, NOW), GRACE_MS));
        expect(isVisible(asleep, until + GRACE_MS - 1)).toBe(true);
      }),
    );
  });

  it('is woken early with what it has left, whenever and however often it was snoozed before', () => {
    fc.assert(
      fc.property(
        some,
        fc.array(fc.record({ wait: aWhile, ahead: aWhile }), { maxLength: 5 }),
        (task, naps) => {
          let now = NOW;
          let asleep = snoozeTask(task, NOW + DAY, NOW) as Task;
          const left = leftOf(asleep, NOW);
          for (const { wait, ahead } of naps) {
            // While it sleeps no time passes for it.
            now = Math.min(now + wait, (asleep.snoozedUntil as number) - 1);
            asleep = snoozeTask(asleep, now + ahead, now) as Task;
            expect(leftOf(asleep, now)).toBe(left);
          }
          const awake = snoozeTask(asleep, null, now) as Task;
          expect(awake).toMatchObject({ snoozedUntil: null, expiresAt: now + left });
          expect(isListed(awake, now)).toBe(true);
          expect(snoozeTask(awake, null, now)).toBe(awake);
        },
      ),
    );
  });

  it('is as it was when it is snoozed until the same time again', () => {
    const asleep = snoozeTask(made(), NOW + HOUR, NOW) as Task;
    expect(snoozeTask(asleep, NOW + HOUR, NOW + 1)).toBe(asleep);
    expect(setTask(asleep, { snoozedUntil: NOW + HOUR }, NOW + 1)).toBe(asleep);
  });

  it('can only be made of a task that is visible', () => {
    expect(snoozeTask(made({}, 1), NOW + HOUR, NOW + MINUTE)).toBeNull();
    expect(snoozeTask(acknowledgeTask(made(), NOW) as Task, NOW + HOUR, NOW)).toBeNull();
  });

  it('never ends in its sleep, whatever is done to it', () => {
    const step = fc.oneof(
      fc.record({ kind: fc.constant('wait' as const), ms: aWhile }),
      fc.record({ kind: fc.constant('snooze' as const), ms: aWhile }),
      fc.record({ kind: fc.constant('pin' as const), pinned: fc.boolean() }),
      fc.record({ kind: fc.constant('extend' as const), minutes }),
      fc.record({ kind: fc.constant('set' as const), ms: aWhile, pinned: fc.boolean() }),
      fc.record({ kind: fc.constant('repeat' as const), minutes, priority, replaces: fc.boolean() }),
      fc.record({ kind: fc.constant('again' as const) }),
    );
    fc.assert(
      fc.property(some, fc.array(step, { maxLength: 20 }), (task, steps) => {
        let now = NOW;
        let current: Task | null = task;
        for (const one of steps) {
          switch (one.kind) {
            case 'wait':
              now += one.ms;
              break;
            case 'snooze':
              current = snoozeTask(current, now + one.ms, now);
              break;
            case 'pin':
              current = pinTask(current, one.pinned, now);
              break;
            case 'extend':
              current = extendTask(current, one.minutes, now);
              break;
            case 'set':
              current = setTask(current, { expiresAt: now + one.ms, pinned: one.pinned }, now);
              break;
            case 'repeat':
              current = repeatTask(current, draft({ ...one, content: 'b', expiryMinutes: one.minutes }), now);
              break;
            case 'again': {
              const gone: Task | null = acknowledgeTask(current, now);
              current = gone === null ? null : restoreTask(gone, now);
            }
          }
          if (current === null) return;
          if (isSnoozed(current, now))
            expect(isListed(current, current.snoozedUntil as number), JSON.stringify(one)).toBe(true);
          expect(current.pinned || leftOf(current, now) <= 7 * DAY, JSON.stringify(one)).toBe(true);
        }
      }),
      { numRuns: 500 },
    );
  });

  it('sleeps on through a repeat, an edit and a pin; a repeat of a higher priority alone wakes it', () => {
    fc.assert(
      fc.property(some, priority, minutes, fc.boolean(), (task, again, expiryMinutes, replaces) => {
        const asleep = snoozeTask(task, NOW + DAY, NOW) as Task;
        const now = NOW + HOUR;
        const repeated = repeatTask(
          asleep,
          draft({ content: 'b', priority: again, expiryMinutes, replaces }),
          now,
        ) as Task;
        const rises = higherPriority(task.priority, again) !== task.priority;
        expect(isSnoozed(repeated, now)).toBe(!rises);
        expect(repeated.occurrences).toBe(2);
        // Its time is renewed from its waking.
        expect(leftOf(repeated, now)).toBe(Math.max(leftOf(asleep, now), expiryMinutes * MINUTE));
      }),
    );
    const asleep = snoozeTask(made(), NOW + DAY, NOW) as Task;
    for (const changed of [
      editTask(asleep, { priority: 'high' }, NOW),
      pinTask(asleep, true, NOW),
      extendTask(asleep, 5, NOW),
    ])
      expect(isSnoozed(changed as Task, NOW)).toBe(true);
  });

  it('is acknowledged by a person or its sender as any other, and sleeps on when it is restored', () => {
    const asleep = snoozeTask(made(), NOW + DAY, NOW) as Task;
    expect(isVisible(resolveTask(asleep, NOW + 1) as Task, NOW + 1)).toBe(false);
    const gone = acknowledgeTask(asleep, NOW + 1) as Task;
    expect(isSnoozed(gone, NOW + 1)).toBe(false);
    expect(isSnoozed(restoreTask(gone, NOW + 2) as Task, NOW + 2)).toBe(true);
  });
});
