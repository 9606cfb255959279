// Changes of tasks and what time does to them, for every driver of the port TaskStore.
import { beforeEach, describe, expect, it } from 'vitest';
import { UNDO_WINDOW_MS } from '#core/contract/index.ts';
import { acknowledgeTask, editTask, extendTask } from '#core/domain/task.ts';
import { newOwner, insertOf } from '#test/helpers/records.ts';
import { sweepOnce } from '#test/helpers/sweeps.ts';
import { submissionOf } from '#test/helpers/submissions.ts';
import type { TaskFilter } from '#core/ports/task-store.ts';
import type { StorageHarness } from './harness.ts';
import { MINUTE, HOUR, DAY, useTasks, type Current } from './task-fixture.ts';

export function describeTaskChanges(harness: StorageHarness): void {
  describe('change', () => {
    const tasks = useTasks(harness);
    const { add, apply, acknowledge, get, statistics, revision, sweepAll } = tasks;
    let clock: Current['clock'];
    let under: Current['under'];
    let store: Current['store'];
    let owner: Current['owner'];
    beforeEach(() => void ({ clock, under, store, owner } = tasks.current()));

    it('answers each task before and after, in the order of the ids, and stores it', async () => {
      const [a, b] = [await add({ content: 'a' }), await add({ content: 'b' })];
      clock.advance(MINUTE);
      const changes = await store.change(owner, [b.id, a.id], (task) =>
        editTask(task, { content: task.content.toUpperCase(), tags: ['x'], priority: 'low' }, clock.now()),
      );
      expect(changes.map(({ before }) => before)).toEqual([b, a]);
      expect(changes.map(({ after }) => after.content)).toEqual(['B', 'A']);
      expect(await get(a.id)).toEqual({
        ...a,
        content: 'A',
        tags: ['x'],
        priority: 'low',
        version: 2,
        updatedAt: clock.now(),
      });
      expect(await statistics()).toEqual({ total: 2, high: 0, normal: 0, low: 2, pinned: 0, snoozed: 0 });
    });

    it('leaves out what does not exist, belongs to another, or the rule refuses', async () => {
      const [mine, refused] = [await add(), await add()];
      const foreign = insertOf();
      const other = newOwner();
      await store.create(submissionOf({ ownerId: other, inserts: [foreign], at: clock.now() }));
      const changes = await store.change(
        owner,
        ['task_none', foreign.id, refused.id, mine.id, "' OR 1=1 --"],
        (task) => (task.id === refused.id ? null : acknowledgeTask(task, clock.now())),
      );
      expect(changes.map(({ before }) => before.id)).toEqual([mine.id]);
      expect(await store.get(other, foreign.id, clock.now())).not.toBeNull();
      expect(await get(refused.id)).toEqual(refused);
      expect(await store.change(newOwner(), [mine.id], (task) => task)).toEqual([]);
    });

    it('changes nothing when the rule returns the same object', async () => {
      const task = await add();
      const before = await revision();
      const [change] = await store.change(owner, [task.id], (same) => same);
      expect(change?.after).toBe(change?.before);
      expect(await revision()).toBe(before);
    });

    it('shows acknowledged and expired tasks to the rule, before and after the sweep', async () => {
      const [acknowledged, expired] = [await add(), await add({ expiryMinutes: 1 })];
      await acknowledge(acknowledged.id);
      clock.advance(MINUTE);
      for (let round = 0; round < 2; round++) {
        const seen: string[] = [];
        await store.change(owner, [acknowledged.id, expired.id], (task) => {
          seen.push(task.id);
          return null;
        });
        expect(seen).toEqual(expect.arrayContaining([acknowledged.id, expired.id]));
        await sweepAll();
      }
    });

    it('passes on what a rule throws, and changes nothing', async () => {
      const task = await add();
      await expect(
        store.change(owner, [task.id], () => {
          throw new TypeError('mine');
        }),
      ).rejects.toThrow('mine');
      expect(await get(task.id)).toEqual(task);
    });

    it('lets one of many that acknowledge at once win', async () => {
      const { id } = await add();
      const second = (await under.another()).tasks;
      const answers = await Promise.all(
        Array.from({ length: 20 }, (_, index) =>
          (index % 2 === 0 ? store : second).change(owner, [id], (task) =>
            acknowledgeTask(task, clock.now()),
          ),
        ),
      );
      expect(answers.filter((changes) => changes.length === 1)).toHaveLength(1);
      expect((await statistics()).total).toBe(0);
    });

    it('loses no change when many come at once', async () => {
      const { id } = await add({ expiryMinutes: 1 });
      await Promise.all(
        Array.from({ length: 30 }, () => apply(id, (task) => extendTask(task, 1, clock.now()))),
      );
      expect(await get(id)).toMatchObject({ version: 31, expiresAt: clock.now() + 31 * MINUTE });
    });
  });

  describe('time', () => {
    const tasks = useTasks(harness);
    const { add, acknowledge, restore, pin, get, list, idsOf, statistics, sweepAll } = tasks;
    let clock: Current['clock'];
    beforeEach(() => void ({ clock } = tasks.current()));

    it('shows a task until its last millisecond and never at or after expiresAt, swept or not', async () => {
      const task = await add({ expiryMinutes: 5, priority: 'high', source: 's', tags: ['t'] });
      clock.advance(5 * MINUTE - 1);
      expect(await get(task.id)).toEqual(task);
      expect(await idsOf()).toEqual([task.id]);
      expect((await statistics()).high).toBe(1);
      clock.advance(1);
      for (let round = 0; round < 2; round++) {
        expect(await get(task.id)).toBeNull();
        const filters: TaskFilter[] = [
          {},
          { priority: 'high' },
          { pinned: false },
          { source: 's' },
          { tags: ['t'] },
          { text: 'backup' },
        ];
        for (const filter of filters)
          expect(await list(filter)).toEqual({
            tasks: [],
            total: 0,
            statistics: { total: 0, high: 0, normal: 0, low: 0, pinned: 0, snoozed: 0 },
          });
        expect(await statistics()).toEqual({ total: 0, high: 0, normal: 0, low: 0, pinned: 0, snoozed: 0 });
        await sweepAll();
      }
    });

    it('keeps a pinned task through its expiry and any sweep', async () => {
      const { id } = await add({ expiryMinutes: 1 });
      await pin(id);
      clock.advance(30 * DAY);
      expect(await sweepAll()).toEqual([]);
      expect(await get(id)).toMatchObject({ id, pinned: true });
      expect(await statistics()).toMatchObject({ total: 1, pinned: 1 });
      await pin(id, false);
      expect(await get(id)).toMatchObject({ pinned: false, expiresAt: clock.now() + HOUR });
      clock.advance(HOUR);
      expect(await get(id)).toBeNull();
      expect((await sweepAll()).map((task) => task.id)).toEqual([id]);
    });

    it('hides an acknowledged task at once and restores it as it was within 10 minutes', async () => {
      const task = await add({ priority: 'low', tags: ['a'] });
      await pin(task.id);
      await acknowledge(task.id);
      expect(await get(task.id)).toBeNull();
      expect((await statistics()).total).toBe(0);
      clock.advance(UNDO_WINDOW_MS - 1);
      await sweepAll();
      expect(await restore(task.id)).toMatchObject({ pinned: true, priority: 'low', tags: ['a'] });
      expect(await statistics()).toMatchObject({ total: 1, low: 1, pinned: 1, snoozed: 0 });
      await acknowledge(task.id);
      clock.advance(UNDO_WINDOW_MS);
      expect(await restore(task.id)).toBeUndefined();
      await sweepAll();
      expect(await restore(task.id)).toBeUndefined();
    });
  });

  describe('sweep', () => {
    const tasks = useTasks(harness);
    const { submit, add, acknowledge, idsOf, sweepAll } = tasks;
    let clock: Current['clock'];
    let under: Current['under'];
    let store: Current['store'];
    let owner: Current['owner'];
    beforeEach(() => void ({ clock, under, store, owner } = tasks.current()));

    it('returns each expired task once over all processes, in portions', async () => {
      const other = newOwner();
      const inserts = Array.from({ length: 25 }, () => insertOf({ expiryMinutes: 1 }));
      await submit(inserts.slice(0, 15));
      await store.create(submissionOf({ ownerId: other, inserts: inserts.slice(15), at: clock.now() }));
      const staying = await add({ expiryMinutes: 2 });
      clock.advance(MINUTE);
      const second = (await under.another()).tasks;
      const sweeps = () => Promise.all(Array.from({ length: 2 }, () => sweepOnce(store, clock.now(), 10)));
      const portions = [...(await sweeps()), await sweepOnce(second, clock.now(), 10), ...(await sweeps())];
      for (const { expired } of portions) expect(expired.length).toBeLessThanOrEqual(10);
      const told = [...portions.flatMap(({ expired }) => expired), ...(await sweepAll(10))];
      expect(told.map(({ id }) => id).toSorted()).toEqual(inserts.map(({ id }) => id).toSorted());
      expect(told.filter(({ ownerId }) => ownerId === other)).toHaveLength(10);
      expect(await idsOf()).toEqual([staying.id]);
    });

    it('says whether there is more to do', async () => {
      await submit(Array.from({ length: 3 }, () => insertOf({ expiryMinutes: 1 })));
      expect(await sweepOnce(store, clock.now(), 2)).toEqual({ expired: [], woken: [], more: false });
      clock.advance(MINUTE);
      expect(await sweepOnce(store, clock.now(), 2)).toMatchObject({ more: true });
      expect((await sweepOnce(store, clock.now(), 2)).expired).toHaveLength(1);
    });

    it('removes for good what is past its time to be restored, and only that', async () => {
      const gone = await add();
      await acknowledge(gone.id);
      clock.advance(UNDO_WINDOW_MS);
      const stored = await add();
      await acknowledge(stored.id);
      const live = await add({ expiryMinutes: 10_080 });
      await sweepAll();
      const seen: string[] = [];
      await store.change(owner, [gone.id, stored.id, live.id], (task) => {
        seen.push(task.id);
        return null;
      });
      expect(new Set(seen)).toEqual(new Set([stored.id, live.id]));
    });
  });
}
