// A step is done once, when its time is up and nobody has acknowledged the task, and never else: whatever
// happens to the task in between. The timetable is played by the rules that stores and the runner follow.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Priority } from '../contract/index.ts';
import { draft, escalationOf as escalationRecord } from '#test/helpers/records.ts';
import { escalationOf, escalationWork, verdictOn, type EscalationRecord } from './escalation.ts';
import { isSnoozed } from './snooze.ts';
import {
  acknowledgeTask,
  editTask,
  isVisible,
  newTask,
  pinTask,
  repeatTask,
  restoreTask,
  snoozeTask,
  type Task,
} from './task.ts';
import type { NewWork } from './work.ts';

const MINUTE = 60_000;
const NOW = Date.UTC(2026, 10, 21, 9);
const alerts = escalationRecord({
  steps: [0, 5, 30, 120].map((afterMinutes) => ({
    id: `step_${afterMinutes}`,
    afterMinutes,
    action: { kind: 'push' },
  })),
});

/** A step that was done. */
interface Done {
  step: string;
  at: number;
  task: Task;
}

/** One task with its timetable, as a store and a runner without delay would have it. */
function createTimetable(escalations: readonly EscalationRecord[]) {
  /** When each step that waits is looked at. */
  const due = new Map<string, number>();
  const over = new Set<string>();
  const done: Done[] = [];
  let task: Task | null = null;

  function look(step: string, at: number): void {
    const found = escalations.flatMap(({ steps }) => steps).find(({ id }) => id === step);
    if (found === undefined) throw new Error(`no ${step}`);
    const verdict = verdictOn(found, task, escalations, at);
    if (verdict.kind === 'wait') {
      expect(verdict.until).toBeGreaterThan(at);
      due.set(step, verdict.until);
      return;
    }
    due.delete(step);
    over.add(step);
    if (verdict.kind === 'act') done.push({ step, at, task: verdict.task });
  }

  return {
    done,
    current: () => task,
    waiting: () => [...due.keys()],
    /** The task expires. */
    expire(at: number): void {
      if (task === null) throw new Error('no task');
      this.take(escalationWork(escalations, { type: 'task.expired', before: task, task, at }));
    },
    /** Does all that is due until then, in order. */
    runTo(now: number): void {
      for (;;) {
        const [next] = [...due].filter(([, at]) => at <= now).toSorted(([, a], [, b]) => a - b);
        if (next === undefined) return;
        look(...next);
      }
    },
    change(after: Task | null, at: number): void {
      if (after === null || after === task) return;
      const type =
        task === null
          ? 'task.created'
          : after.acknowledgedAt !== null && task.acknowledgedAt === null
            ? 'task.acknowledged'
            : 'task.updated';
      this.take(escalationWork(escalations, { type, before: task, task: after, at }));
      task = after;
    },
    take(all: readonly NewWork[]): void {
      for (const work of all) {
        const before = due.get(work.lane);
        const wanted = work.dueAt as number;
        if (work.sooner === true && before !== undefined) due.set(work.lane, Math.min(before, wanted));
        if (work.sooner !== true && before === undefined && !over.has(work.lane)) due.set(work.lane, wanted);
      }
    },
  };
}

const aWhile = fc.integer({ min: 1, max: 60 }).map((minutes) => minutes * MINUTE);
const priority = fc.constantFrom<Priority>('high', 'normal');
const change = fc.oneof(
  fc.record({ kind: fc.constant('acknowledge' as const) }),
  fc.record({ kind: fc.constant('restore' as const) }),
  fc.record({ kind: fc.constant('snooze' as const), ms: aWhile }),
  fc.record({ kind: fc.constant('wake' as const) }),
  fc.record({ kind: fc.constant('edit' as const), priority }),
  fc.record({ kind: fc.constant('pin' as const), pinned: fc.boolean() }),
  fc.record({ kind: fc.constant('repeat' as const), priority }),
);
type Change = typeof change extends fc.Arbitrary<infer T> ? T : never;

function applied(task: Task, one: Change, now: number): Task | null {
  switch (one.kind) {
    case 'acknowledge':
      return acknowledgeTask(task, now);
    case 'restore':
      return restoreTask(task, now);
    case 'snooze':
      return snoozeTask(task, now + one.ms, now);
    case 'wake':
      return snoozeTask(task, null, now);
    case 'edit':
      return editTask(task, { priority: one.priority }, now);
    case 'pin':
      return pinTask(task, one.pinned, now);
    case 'repeat':
      return repeatTask(task, draft({ content: 'b', priority: one.priority }), now);
  }
}

describe('the steps of an escalation', () => {
  it('are done once each, never too early and never for a task that is over, asleep or not meant', () => {
    const steps = fc.array(fc.record({ after: aWhile, change }), { maxLength: 25 });
    fc.assert(
      fc.property(priority, fc.integer({ min: 1, max: 600 }), steps, (first, expiryMinutes, changes) => {
        const table = createTimetable([alerts]);
        let now = NOW;
        let quietSince = now;
        table.change(
          newTask(draft({ content: 'a', priority: first, expiryMinutes }), 'task_1', 'user_1', now),
          now,
        );
        for (const { after, change: one } of changes) {
          now += after;
          table.runTo(now);
          const before = table.current() as Task;
          const next = applied(before, one, now);
          table.change(next, now);
          if (next !== null && next !== before) quietSince = now;
        }
        // Long enough for every step to be due, also after the last sleep.
        const end = now + 300 * MINUTE;
        table.runTo(end);
        expect(new Set(table.done.map(({ step }) => step)).size).toBe(table.done.length);
        for (const { step, at, task } of table.done) {
          const { afterMinutes } = alerts.steps.find(({ id }) => id === step) ?? { afterMinutes: NaN };
          expect(isVisible(task, at) && !isSnoozed(task, at)).toBe(true);
          expect(escalationOf([alerts], task)).toBe(alerts);
          expect(at - Math.max(task.createdAt, task.snoozedUntil ?? 0)).toBeGreaterThanOrEqual(
            afterMinutes * MINUTE,
          );
        }
        const last = table.current() as Task;
        const since = Math.max(quietSince, last.snoozedUntil ?? 0);
        for (const { id, afterMinutes } of alerts.steps) {
          const should = since + afterMinutes * MINUTE;
          const isMeant = escalationOf([alerts], last) === alerts && isVisible(last, should);
          const isDone = table.done.some(({ step }) => step === id);
          if (isMeant) expect(isDone, `${id} ${JSON.stringify(last)}`).toBe(true);
        }
      }),
      { numRuns: 2000 },
    );
  });

  const high = (fields: Partial<Task> = {}): Task => ({
    ...newTask(draft({ content: 'a', priority: 'high' }), 'task_1', 'user_1', NOW),
    ...fields,
  });
  const doneAt = (table: ReturnType<typeof createTimetable>) =>
    table.done.map(({ at }) => (at - NOW) / MINUTE);

  it('are done at their times, to the millisecond, while nobody reacts', () => {
    const table = createTimetable([alerts]);
    table.change(high(), NOW);
    table.runTo(NOW + 5 * MINUTE - 1);
    expect(doneAt(table)).toEqual([0]);
    table.runTo(NOW + 300 * MINUTE);
    expect(doneAt(table)).toEqual([0, 5, 30, 120]);
  });

  it('stop at the acknowledgement, and go on where it is undone', () => {
    const table = createTimetable([alerts]);
    table.change(high(), NOW);
    table.runTo(NOW + 4 * MINUTE);
    table.change(acknowledgeTask(table.current() as Task, NOW + 4 * MINUTE), NOW + 4 * MINUTE);
    table.runTo(NOW + 8 * MINUTE);
    expect(doneAt(table)).toEqual([0]);
    table.change(restoreTask(table.current() as Task, NOW + 8 * MINUTE), NOW + 8 * MINUTE);
    table.runTo(NOW + 31 * MINUTE);
    expect(doneAt(table)).toEqual([0, 8, 30]);
    table.change(acknowledgeTask(table.current() as Task, NOW + 31 * MINUTE), NOW + 31 * MINUTE);
    table.runTo(NOW + 600 * MINUTE);
    expect(doneAt(table)).toEqual([0, 8, 30]);
  });

  it('count from the waking of a task that slept, at its time or sooner', () => {
    const table = createTimetable([alerts]);
    const at = (minutes: number) => NOW + minutes * MINUTE;
    table.change(high(), NOW);
    table.runTo(at(1));
    table.change(snoozeTask(table.current() as Task, at(200), at(1)), at(1));
    table.runTo(at(60));
    table.change(snoozeTask(table.current() as Task, at(100), at(60)), at(60));
    table.runTo(at(106));
    expect(doneAt(table)).toEqual([0, 105]);
    table.change(snoozeTask(table.current() as Task, at(400), at(106)), at(106));
    table.runTo(at(150));
    table.change(snoozeTask(table.current() as Task, null, at(150)), at(150));
    table.runTo(at(1000));
    expect(doneAt(table)).toEqual([0, 105, 180, 270]);
  });

  it('begin when a task becomes one that they are for', () => {
    const table = createTimetable([alerts]);
    table.change(high({ priority: 'normal' }), NOW);
    table.runTo(NOW + 60 * MINUTE);
    expect(doneAt(table)).toEqual([]);
    const again = draft({ content: 'b', priority: 'high' });
    table.change(repeatTask(table.current() as Task, again, NOW + 60 * MINUTE), NOW + 60 * MINUTE);
    table.runTo(NOW + 100 * MINUTE);
    expect(doneAt(table)).toEqual([60, 65, 90]);
  });

  it('go on for a task that they are for again, each that was not done from then on', () => {
    const table = createTimetable([alerts]);
    const at = (minutes: number) => NOW + minutes * MINUTE;
    const lowered = (priority: Priority, minutes: number) => {
      table.runTo(at(minutes));
      table.change(editTask(table.current() as Task, { priority }, at(minutes)), at(minutes));
    };
    table.change(high({ expiresAt: at(1000) }), NOW);
    lowered('normal', 2);
    lowered('high', 20);
    table.runTo(at(1000));
    expect(doneAt(table)).toEqual([0, 25, 30, 120]);
  });

  it('are stopped once an acknowledgement cannot be undone, or the task has expired, paused or not', () => {
    const at = (minutes: number) => NOW + minutes * MINUTE;
    const acknowledged = createTimetable([alerts]);
    acknowledged.change(high({ expiresAt: at(1000) }), NOW);
    acknowledged.runTo(at(6));
    acknowledged.change(acknowledgeTask(acknowledged.current() as Task, at(6)), at(6));
    acknowledged.runTo(at(16) - 1);
    expect(acknowledged.waiting()).toEqual(['step_30', 'step_120']);
    acknowledged.runTo(at(16));
    expect(acknowledged.waiting()).toEqual([]);
    expect(doneAt(acknowledged)).toEqual([0, 5]);
    const task = high({ expiresAt: at(20) });
    const expired = createTimetable([alerts]);
    expired.change(task, NOW);
    expired.runTo(at(20));
    expired.expire(at(20));
    expired.runTo(at(20));
    expect(expired.waiting()).toEqual([]);
    const event = { type: 'task.expired' as const, before: task, task, at: at(20) };
    expect(escalationWork([{ ...alerts, paused: true }], event).map(({ lane }) => lane)).toEqual([
      'step_30',
      'step_120',
    ]);
  });

  it('are those of its intake, where that has some, paused or not', () => {
    const own = escalationRecord({ intake: 'in_1', priorities: ['high', 'normal'] });
    const intake = { id: 'in_1', name: 'x', deliveryId: 'd' };
    expect(escalationOf([alerts, own], high({ intake }))).toBe(own);
    expect(escalationOf([alerts, own], high({ intake, priority: 'low' }))).toBeNull();
    expect(escalationOf([alerts, own], high({ intake: { ...intake, id: 'in_2' } }))).toBe(alerts);
    const event = { type: 'task.created' as const, before: null, task: high({ intake }), at: NOW };
    expect(escalationWork([alerts, { ...own, paused: true }], event)).toEqual([]);
    expect(escalationWork([alerts, own], event).map(({ lane }) => lane)).toEqual(
      own.steps.map(({ id }) => id),
    );
  });
});
