// Snoozed tasks, for every driver of the port TaskStore: hidden until their time, back at it exactly, told
// once.
import { beforeEach, describe, expect, it } from 'vitest';
import { snoozeTask, type Task } from '#core/domain/task.ts';
import { insertOf } from '#test/helpers/records.ts';
import { sweepOnce } from '#test/helpers/sweeps.ts';
import type { StorageHarness } from './harness.ts';
import { DAY, HOUR, MINUTE, useTasks, type Current } from './task-fixture.ts';

export function describeTaskSnoozing(harness: StorageHarness): void {
  describe('snoozing', () => {
    const tasks = useTasks(harness);
    const {
      submit,
      add,
      apply,
      acknowledge,
      restore,
      pin,
      get,
      list,
      idsOf,
      statistics,
      revision,
      sweepAll,
    } = tasks;
    let clock: Current['clock'];
    let under: Current['under'];
    let store: Current['store'];
    let owner: Current['owner'];
    beforeEach(() => void ({ clock, under, store, owner } = tasks.current()));

    const snooze = (id: string, ms: number | null) =>
      apply(id, (task) => snoozeTask(task, ms === null ? null : clock.now() + ms, clock.now()));
    const byId = async (): Promise<string[]> =>
      (await store.listById({ ownerId: owner, order: 'descending', limit: 10, now: clock.now() })).map(
        ({ id }) => id,
      );
    const facets = () => store.facets({ ownerId: owner, now: clock.now() });
    const wakings = async (): Promise<string[]> =>
      (await sweepOnce(store, clock.now(), 500)).woken.map(({ id }) => id);

    it('hides the task from every list and count, and from nothing else', async () => {
      const other = await add({ priority: 'low' });
      const { id } = await add({ priority: 'high', tags: ['x'], source: 's' });
      const before = await revision();
      const asleep = await snooze(id, HOUR);
      expect(await revision()).not.toBe(before);
      expect(await get(id)).toEqual(asleep);
      for (const filter of [
        {},
        { priority: 'high' as const },
        { tags: ['x'] },
        { text: 'backup' },
        { source: 's' },
      ])
        expect(await idsOf(filter)).not.toContain(id);
      expect(await idsOf({}, 10, 0, 'expiry')).toEqual([other.id]);
      expect(await byId()).toEqual([other.id]);
      expect(await facets()).toMatchObject({ tags: [], sources: [{ value: 'api', count: 1 }] });
      expect(await statistics()).toEqual({ total: 1, high: 0, normal: 0, low: 1, pinned: 0, snoozed: 1 });
      expect(await list()).toMatchObject({ total: 1, statistics: { total: 1, snoozed: 1 } });
    });

    it('brings it back at its time, to the millisecond, swept or not, and in another process', async () => {
      const { id } = await add({ expiryMinutes: 90, tags: ['x'] });
      const asleep = await snooze(id, 2 * DAY);
      clock.advance(2 * DAY - 1);
      const [hidden, late] = [await revision(), (await under.another()).tasks];
      expect(await idsOf()).toEqual([]);
      expect(await late.statistics(owner, clock.now())).toMatchObject({ total: 0, snoozed: 1 });
      clock.advance(1);
      for (let round = 0; round < 2; round++) {
        expect(await idsOf()).toEqual([id]);
        expect(await idsOf({ tags: ['x'] })).toEqual([id]);
        expect(await idsOf({ snoozed: true })).toEqual([]);
        expect(await byId()).toEqual([id]);
        expect(await statistics()).toMatchObject({ total: 1, snoozed: 0 });
        expect(await late.get(owner, id, clock.now())).toEqual(asleep);
        expect(await late.statistics(owner, clock.now())).toMatchObject({ total: 1, snoozed: 0 });
        expect((await facets()).tags).toEqual([{ value: 'x', count: 1 }]);
        expect(await revision()).not.toBe(hidden);
        await sweepAll();
      }
      clock.advance(90 * MINUTE - 1);
      expect(await idsOf()).toEqual([id]);
      clock.advance(1);
      expect(await idsOf()).toEqual([]);
    });

    it('tells each waking once over all processes, in portions, and changes no revision by it', async () => {
      const made = await submit(Array.from({ length: 25 }, () => insertOf()));
      await store.change(
        owner,
        made.map(({ task }) => task.id),
        (task) => snoozeTask(task, clock.now() + HOUR, clock.now()),
      );
      expect(await wakings()).toEqual([]);
      clock.advance(HOUR);
      const before = await revision();
      const second = (await under.another()).tasks;
      const portions = await Promise.all(Array.from({ length: 2 }, () => sweepOnce(store, clock.now(), 10)));
      const told = portions.flatMap(({ woken }) => woken.map(({ id }) => id));
      for (let more = true; more;) {
        const swept = await sweepOnce(second, clock.now(), 10);
        told.push(...swept.woken.map(({ id }) => id));
        ({ more } = swept);
      }
      expect(told.toSorted()).toEqual(made.map(({ task }) => task.id).toSorted());
      expect(await revision()).toBe(before);
    });

    it('tells a waking that no sweep has seen before the task was changed, and none of one woken early', async () => {
      const [changed, early, later, gone] = [await add(), await add(), await add(), await add()];
      for (const { id } of [changed, early, later, gone]) await snooze(id, HOUR);
      await snooze(early.id, null);
      await acknowledge(gone.id);
      clock.advance(HOUR);
      await pin(changed.id);
      await snooze(later.id, HOUR);
      expect(await wakings()).toEqual([changed.id]);
      await pin(changed.id, false);
      clock.advance(HOUR);
      expect(await wakings()).toEqual([later.id]);
      expect(await wakings()).toEqual([]);
    });

    it('tells of one that woke and expired since the last sweep that it expired, and of no waking', async () => {
      const { id } = await add({ expiryMinutes: 10 });
      await snooze(id, HOUR);
      clock.advance(2 * HOUR);
      const told: string[] = [];
      for (let more = true; more;) {
        const swept = await sweepOnce(store, clock.now(), 1);
        told.push(...swept.expired.map((task) => `${task.id} expired`));
        told.push(...swept.woken.map((task) => `${task.id} woke`));
        ({ more } = swept);
      }
      expect(told).toEqual([`${id} expired`]);
      const { id: next } = await add({ expiryMinutes: 10 });
      await snooze(next, HOUR);
      clock.advance(2 * HOUR);
      expect(await sweepOnce(store, clock.now(), 500)).toMatchObject({ expired: [{ id: next }], woken: [] });
    });

    it('lists the snoozed alone, the first to wake first, pinned or not, and filters them', async () => {
      const first = await add({ priority: 'low' });
      const last = await add({ tags: ['x'] });
      const pinned = await add({ priority: 'low', pinned: true });
      await add();
      for (const [task, ms] of [
        [last, 3 * HOUR],
        [first, HOUR],
        [pinned, 2 * HOUR],
      ] as const)
        await snooze(task.id, ms);
      expect(await list({ snoozed: true }, 2)).toMatchObject({
        tasks: [{ id: first.id }, { id: pinned.id }],
        total: 3,
        statistics: { total: 1, pinned: 0, snoozed: 3 },
      });
      expect(await idsOf({ snoozed: true }, 2, 2)).toEqual([last.id]);
      expect(await idsOf({ snoozed: true, tags: ['x'] })).toEqual([last.id]);
      expect(await idsOf({ snoozed: true, priority: 'low' })).toEqual([first.id, pinned.id]);
      expect(await idsOf({ snoozed: true, pinned: true })).toEqual([pinned.id]);
      // Another order is as in every list.
      expect(await idsOf({ snoozed: true }, 10, 0, 'priority')).toEqual([pinned.id, last.id, first.id]);
      clock.advance(HOUR);
      expect(await idsOf({ snoozed: true })).toEqual([pinned.id, last.id]);
      // Others sleep on.
      expect(await idsOf()).toContain(first.id);
      expect(await idsOf({ tags: ['x'] })).toEqual([]);
    });

    it('goes on with pages and totals around those that sleep', async () => {
      const made = (
        await submit(Array.from({ length: 12 }, (_, n) => insertOf({ pinned: n % 4 === 0 })))
      ).map(({ task }) => task);
      const asleep = made.filter((_, index) => index % 3 === 0);
      for (const { id } of asleep) await snooze(id, HOUR);
      const awake = made.filter((task) => !asleep.includes(task));
      const sorted = (all: Task[]) =>
        all
          .toSorted((a, b) => Number(b.pinned) - Number(a.pinned) || (a.id < b.id ? 1 : -1))
          .map(({ id }) => id);
      const pages = [await idsOf({}, 3), await idsOf({}, 3, 3), await idsOf({}, 3, 6)];
      expect(pages.flat()).toEqual(sorted(awake));
      expect((await list({ pinned: false })).total).toBe(awake.filter(({ pinned }) => !pinned).length);
      expect((await list({ pinned: true })).total).toBe(awake.filter(({ pinned }) => pinned).length);
      expect((await list({ priority: 'normal' })).total).toBe(awake.length);
    });

    it('counts a repeat on the task that sleeps, and wakes it when the priority rises', async () => {
      const { id } = await add({ dedupeKey: 'k', priority: 'normal' });
      await snooze(id, HOUR);
      expect(await add({ dedupeKey: 'k', priority: 'low' })).toMatchObject({ id, occurrences: 2 });
      expect(await idsOf()).toEqual([]);
      expect(await add({ dedupeKey: 'k', priority: 'high' })).toMatchObject({ id, snoozedUntil: null });
      expect(await idsOf()).toEqual([id]);
      expect(await statistics()).toMatchObject({ total: 1, high: 1, snoozed: 0 });
    });

    it('hides it again when it is restored before its time', async () => {
      const { id } = await add();
      await snooze(id, HOUR);
      await acknowledge(id);
      expect(await statistics()).toMatchObject({ total: 0, snoozed: 0 });
      await restore(id);
      expect(await statistics()).toMatchObject({ total: 0, snoozed: 1 });
      clock.advance(HOUR);
      expect(await wakings()).toEqual([id]);
      expect(await idsOf()).toEqual([id]);
    });
  });
}
