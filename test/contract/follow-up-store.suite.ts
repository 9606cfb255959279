// The promises of the port FollowUpStore, and of the work that escalations and digests make, for every
// driver.
import { beforeEach, describe, expect, it } from 'vitest';
import { DIGEST_WORK, digestLane, linesOf } from '#core/domain/digest.ts';
import type { FollowUps } from '#core/domain/follow-ups.ts';
import { editTask, repeatTask, snoozeTask } from '#core/domain/task.ts';
import type { Storage } from '#core/ports/storage.ts';
import { draft, escalationOf, followUpsOf, newOwner } from '#test/helpers/records.ts';
import type { StorageHarness } from './harness.ts';
import { DAY, HOUR, MINUTE, useTasks } from './task-fixture.ts';

/** Runs the suite on a driver. */
export function describeFollowUpStore(name: string, harness: StorageHarness): void {
  describe(`what follows when nobody acknowledges: ${name}`, () => {
    const { current, add, apply, acknowledge, restore, sweepAll } = useTasks(harness);
    let storage: Storage;
    let second: Storage;
    let owner: string;

    beforeEach(async () => {
      storage = current().under.storage;
      second = await current().under.another();
      ({ owner } = current());
    });

    const set = (fields: Partial<FollowUps>) =>
      storage.followUps.change(owner, (before) => ({ ...before, ...fields }));
    const now = () => current().clock.now();
    /** When the steps of the tasks are due, in minutes from now, with the state of each. */
    async function timetable(step: { id: string } | undefined): Promise<string[]> {
      while (await second.work.moveOn(10));
      const work = await second.work.list(owner, step?.id ?? '', 100);
      return work
        .toSorted((a, b) => a.createdAt - b.createdAt)
        .map(({ status, dueAt }) => `${status} ${((dueAt ?? NaN) - now()) / MINUTE}`);
    }

    it('answers what was stored, in every process, to its owner alone', async () => {
      expect(await second.followUps.get(owner)).toBeNull();
      const wanted = followUpsOf(owner, {
        escalations: [escalationOf({ name: 'a\u0000🛟', intake: 'in_1' }), escalationOf()],
      });
      expect(await set(wanted)).toEqual(wanted);
      expect(await second.followUps.get(owner)).toEqual(wanted);
      expect(await second.followUps.get(newOwner())).toBeNull();
      expect(await second.followUps.change(owner, (before) => before)).toEqual(wanted);
    });

    it('loses no change of many at once', async () => {
      await Promise.all(
        Array.from({ length: 10 }, (_, n) =>
          (n % 2 === 0 ? storage : second).followUps.change(owner, (before) => ({
            ...before,
            escalations: [...before.escalations, escalationOf({ name: String(n) })],
          })),
        ),
      );
      const { escalations } = (await storage.followUps.get(owner)) as FollowUps;
      expect(escalations.map((one) => one.name).toSorted()).toEqual('0123456789'.split(''));
    });

    it('stores the steps of a task in its own write, of those alone that they are for', async () => {
      const escalation = escalationOf();
      await set({ escalations: [escalation] });
      await add({ priority: 'high' });
      await add({ priority: 'normal' });
      expect(await timetable(escalation.steps[0])).toEqual(['waiting 5']);
      expect(await timetable(escalation.steps[1])).toEqual(['waiting 15']);
      expect(await second.work.takeLanes('x', now() + 5 * MINUTE - 1, 1000, 10)).toEqual([]);
      const due = await second.work.takeLanes('x', now() + 5 * MINUTE, 1000, 10);
      expect(due).toMatchObject([{ id: escalation.steps[0]?.id, ownerId: owner }]);
      await set({ escalations: [] });
      await second.followUps.get(owner);
      await add({ priority: 'high' });
      expect(await timetable(escalation.steps[0])).toEqual(['waiting 5']);
    });

    it('stores them of a task that becomes one that they are for, once', async () => {
      const escalation = escalationOf();
      await set({ escalations: [escalation] });
      const { id } = await add({ priority: 'normal', dedupeKey: 'k' });
      const rise = () =>
        apply(id, (task) => repeatTask(task, draft({ content: 'b', priority: 'high' }), now()));
      current().clock.advance(HOUR);
      await rise();
      await rise();
      expect(await timetable(escalation.steps[0])).toEqual(['waiting 5']);
    });

    it('makes a step due sooner that was put off while it was not for its task', async () => {
      const escalation = escalationOf();
      await set({ escalations: [escalation] });
      const { id } = await add({ priority: 'high' });
      const [step] = escalation.steps;
      await apply(id, (task) => editTask(task, { priority: 'normal' }, now()));
      while (await storage.work.moveOn(10));
      const one = await storage.work.get(owner, step?.id ?? '', id);
      if (one === null) throw new Error('no work');
      const { status, attempts, lastAttemptAt, endedAt, result } = one;
      await storage.work.progress(one, {
        dueAt: now() + HOUR,
        status,
        attempts,
        lastAttemptAt,
        endedAt,
        result,
      });
      await apply(id, (task) => editTask(task, { priority: 'high' }, now()));
      expect(await timetable(step)).toEqual(['waiting 5']);
      expect(await timetable(escalation.steps[1])).toEqual(['waiting 15']);
    });

    it('makes a step due sooner when its task is woken or restored, and never later', async () => {
      const escalation = escalationOf();
      await set({ escalations: [escalation] });
      const [step] = escalation.steps;
      const { id } = await add({ priority: 'high' });
      // As the runner puts it off for a task that sleeps, or was acknowledged.
      const putOff = async (dueAt: number) => {
        while (await storage.work.moveOn(10));
        const one = await storage.work.get(owner, step?.id ?? '', id);
        if (one === null) throw new Error('no work');
        const { attempts, lastAttemptAt, result } = one;
        await storage.work.progress(one, {
          dueAt,
          status: 'waiting',
          attempts,
          lastAttemptAt,
          endedAt: null,
          result,
        });
      };
      await apply(id, (task) => snoozeTask(task, now() + DAY, now()));
      await putOff(now() + DAY + 5 * MINUTE);
      current().clock.advance(HOUR);
      await apply(id, (task) => snoozeTask(task, null, now()));
      expect(await timetable(step)).toEqual(['waiting 5']);
      await acknowledge(id);
      await putOff(now() + 10 * MINUTE);
      current().clock.advance(MINUTE);
      await restore(id);
      expect(await timetable(step)).toEqual(['waiting 0']);
      await apply(id, (task) => snoozeTask(task, now() + HOUR, now()));
      expect(await timetable(step)).toEqual(['waiting 0']);
    });

    it('makes nothing due again that was tried, or is over', async () => {
      const escalation = escalationOf();
      await set({ escalations: [escalation] });
      const { id } = await add({ priority: 'high' });
      while (await storage.work.moveOn(10));
      const [first, other] = escalation.steps;
      const end = async (step: typeof first, fields: object) => {
        const one = await storage.work.get(owner, step?.id ?? '', id);
        if (one === null) throw new Error('no work');
        const progress = { attempts: 1, lastAttemptAt: now(), result: '{}' };
        await storage.work.progress(one, {
          ...progress,
          dueAt: null,
          status: 'done',
          endedAt: now(),
          ...fields,
        });
      };
      await end(first, {});
      await end(other, { dueAt: now() + HOUR, status: 'waiting', endedAt: null });
      await acknowledge(id);
      current().clock.advance(MINUTE);
      await restore(id);
      expect(await timetable(first)).toEqual(['done NaN']);
      expect(await timetable(other)).toEqual(['waiting 59']);
      // What failed is due at once when its lane is woken, and nothing else.
      await add({ priority: 'high' });
      await timetable(other);
      await storage.work.wakeLane(other?.id ?? '', now());
      expect((await timetable(other)).toSorted()).toEqual(['waiting 0', 'waiting 15']);
    });

    it('makes steps due once their task cannot come back, acknowledged or expired, and none later', async () => {
      const escalation = escalationOf();
      await set({ escalations: [escalation] });
      const [first, second] = escalation.steps;
      const { id } = await add({ priority: 'high', expiryMinutes: 60 });
      await add({ priority: 'high', expiryMinutes: 7 });
      current().clock.advance(MINUTE);
      await acknowledge(id);
      expect(await timetable(first)).toEqual(['waiting 4', 'waiting 4']);
      expect((await timetable(second)).toSorted()).toEqual(['waiting 10', 'waiting 14']);
      current().clock.advance(7 * MINUTE);
      await sweepAll();
      expect(await timetable(first)).toEqual(['waiting -3', 'waiting -3']);
      expect((await timetable(second)).toSorted()).toEqual(['waiting 0', 'waiting 3']);
    });

    it('stores the line of each task that expires, and its digest once', async () => {
      await set({ digest: { time: '12:00', zone: 'UTC', to: ['task', 'push'] } });
      await add({ content: 'one', expiryMinutes: 1 });
      await add({ content: 'two', expiryMinutes: 2 });
      const { id } = await add({ content: 'seen', expiryMinutes: 1 });
      await acknowledge(id);
      current().clock.advance(HOUR);
      await sweepAll();
      while (await second.work.moveOn(10));
      const work = await second.work.list(owner, digestLane(owner), 100);
      const waiting = work.filter(({ status }) => status === 'waiting');
      const due = Math.ceil((now() - 12 * HOUR) / DAY) * DAY + 12 * HOUR;
      expect(waiting.map(({ kind, dueAt }) => [kind, dueAt])).toEqual([
        [DIGEST_WORK, due],
        [DIGEST_WORK, due],
      ]);
      expect(
        linesOf(work, due)
          .map(({ text }) => text)
          .toSorted(),
      ).toEqual(['one', 'two']);
      expect(await second.work.takeLanes('x', due - 1, 1000, 10)).toEqual([]);
      expect(await second.work.takeLanes('x', due, 1000, 10)).toHaveLength(1);
    });
  });
}
