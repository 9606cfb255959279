// Lists, searches and revisions of queues, for every driver of the port TaskStore.
import { beforeEach, describe, expect, it } from 'vitest';
import { MAX_TASKS_BYTES } from '#core/contract/index.ts';
import { acknowledgeTask, editTask, pinTask } from '#core/domain/task.ts';
import type { TaskFilter, TaskRange } from '#core/ports/task-store.ts';
import { newOwner, insertOf } from '#test/helpers/records.ts';
import { submissionOf } from '#test/helpers/submissions.ts';
import type { StorageHarness } from './harness.ts';
import { DAY, MINUTE, useTasks, type Current } from './task-fixture.ts';

export function describeTaskLists(harness: StorageHarness): void {
  describe('list', () => {
    const tasks = useTasks(harness);
    const { submit, add, acknowledge, restore, pin, list, idsOf } = tasks;
    let clock: Current['clock'];
    let store: Current['store'];
    let owner: Current['owner'];
    beforeEach(() => void ({ clock, store, owner } = tasks.current()));

    it('has pinned tasks first, then the newest, by pages', async () => {
      const ids: string[] = [];
      for (let index = 0; index < 7; index++) ids.push((await add()).id);
      const [a, b, c, d, e, f, g] = ids as [string, string, string, string, string, string, string];
      await pin(b);
      await pin(e);
      const order = [e, b, g, f, d, c, a];
      expect(await idsOf()).toEqual(order);
      expect(await idsOf({}, 3, 0)).toEqual(order.slice(0, 3));
      expect(await idsOf({}, 3, 3)).toEqual(order.slice(3, 6));
      expect(await list({}, 3, 6)).toMatchObject({ total: 7, tasks: [{ id: a }] });
      expect(await list({}, 3, 7)).toMatchObject({ total: 7, tasks: [] });
      expect(await list({ text: 'backup' }, 3, 9)).toMatchObject({ total: 7, tasks: [] });
    });

    it('orders by id, not by arrival', async () => {
      const [older, newer] = [insertOf(), insertOf()];
      await submit([newer]);
      await submit([older]);
      expect(await idsOf()).toEqual([newer.id, older.id]);
    });

    it('reads ranges of ids either way, with pinned and without hidden tasks', async () => {
      const ids: string[] = [];
      for (let index = 0; index < 7; index++)
        ids.push((await add({ expiryMinutes: index === 5 ? 1 : 60 })).id);
      const [a, b, c, d, e, , g] = ids as [string, string, string, string, string, string, string];
      await pin(b);
      await acknowledge(d);
      clock.advance(MINUTE);
      const range = async (part: Partial<TaskRange> = {}, ownerId = owner) => {
        const asked = { ownerId, order: 'ascending', limit: 100, now: clock.now(), ...part } as const;
        return (await store.listById(asked)).map(({ id }) => id);
      };
      expect(await range()).toEqual([a, b, c, e, g]);
      expect(await range({ order: 'descending' })).toEqual([g, e, c, b, a]);
      expect(await range({ after: b })).toEqual([c, e, g]);
      expect(await range({ after: b, before: g, limit: 1 })).toEqual([c]);
      expect(await range({ before: e, order: 'descending', limit: 2 })).toEqual([c, b]);
      // A place is one whether its task is there or not.
      expect(await range({ after: d })).toEqual([e, g]);
      expect(await range({ after: g })).toEqual([]);
      expect(await range({}, newOwner())).toEqual([]);
    });

    it('ends a range with the last task that fits, and goes on from it', async () => {
      const content = 'x'.repeat(10_000);
      const inserts = Array.from({ length: 120 }, () => insertOf({ content, metadata: { text: content } }));
      await submit(inserts);
      const seen: string[] = [];
      let largest = 0;
      for (;;) {
        const after = seen.at(-1);
        const part = await store.listById({
          ownerId: owner,
          order: 'ascending',
          limit: 1000,
          now: clock.now(),
          ...(after === undefined ? {} : { after }),
        });
        if (part.length === 0) break;
        largest = Math.max(largest, part.length);
        seen.push(...part.map(({ id }) => id));
      }
      expect(seen).toEqual(inserts.map(({ id }) => id));
      expect(largest * 20_000).toBeLessThanOrEqual(MAX_TASKS_BYTES);
    });

    it('filters by each field and by all together, with the total of what matches', async () => {
      const [a, b, c] = [
        await add({ content: 'Disk full on DB-3', priority: 'high', source: 'webhook', tags: ['ops'] }),
        await add({ content: '100% done_really', priority: 'normal', source: 'api', tags: ['Ops', 'x"y'] }),
        await add({ content: 'nul\u0000 and then', priority: 'low', source: 'api', tags: ['a,b', 'x'] }),
      ];
      await pin(b.id);
      const all = { total: 3, high: 1, normal: 1, low: 1, pinned: 1, snoozed: 0 };
      const found = async (filter: Parameters<typeof list>[0]) => {
        const page = await list(filter);
        expect(page.statistics).toEqual(all);
        expect(page.total).toBe(page.tasks.length);
        return page.tasks.map((task) => task.id);
      };
      expect(await found({ priority: 'high' })).toEqual([a.id]);
      expect(await found({ priority: 'normal' })).toEqual([b.id]);
      expect(await found({ priority: 'low' })).toEqual([c.id]);
      expect(await found({ pinned: true })).toEqual([b.id]);
      expect(await found({ pinned: false })).toEqual([c.id, a.id]);
      expect(await found({ source: 'api' })).toEqual([b.id, c.id]);
      expect(await found({ source: 'ap' })).toEqual([]);
      expect(await found({ tags: ['ops'] })).toEqual([a.id]);
      expect(await found({ tags: ['x'] })).toEqual([c.id]);
      expect(await found({ tags: ['x"y'] })).toEqual([b.id]);
      expect(await found({ tags: ['a'] })).toEqual([]);
      expect(await found({ text: 'db-3' })).toEqual([a.id]);
      expect(await found({ text: 'OPS' })).toEqual([b.id, a.id]);
      expect(await found({ text: '%' })).toEqual([b.id]);
      expect(await found({ text: '_' })).toEqual([b.id]);
      expect(await found({ text: '","' })).toEqual([]);
      expect(await found({ text: 'and then' })).toEqual([c.id]);
      expect(await found({ text: '.*' })).toEqual([]);
      expect(
        await found({ priority: 'normal', pinned: true, source: 'api', tags: ['Ops'], text: 'really' }),
      ).toEqual([b.id]);
      expect(await found({ priority: 'high', pinned: true })).toEqual([]);
    });

    it('counts the matches of a filter beyond the page', async () => {
      await submit(Array.from({ length: 12 }, (_, index) => insertOf({ source: index < 9 ? 'a' : 'b' })));
      const page = await list({ source: 'a' }, 4, 4);
      expect(page).toMatchObject({ total: 9, statistics: { total: 12 } });
      expect(page.tasks).toHaveLength(4);
    });

    it('ends a page with the last task that fits, whatever the filter, and goes on where it ended', async () => {
      // 50 of them take more than MAX_TASKS_BYTES by far; some are pinned, so that pages end in either
      // part.
      const large = {
        content: 'x'.repeat(9000),
        metadata: { text: 'é'.repeat(8000) },
        source: 'a',
        tags: ['t'],
      };
      const ids = (await submit(Array.from({ length: 100 }, () => insertOf(large)))).map(
        ({ task }) => task.id,
      );
      const pinned = ids.slice(0, 60);
      await store.change(owner, pinned, (task) => pinTask(task, true, clock.now()));
      const order = [...pinned.toReversed(), ...ids.slice(60).toReversed()];
      const perPage = Math.floor(MAX_TASKS_BYTES / 25_022);
      const filters: TaskFilter[] = [
        {},
        { priority: 'normal' },
        { source: 'a' },
        { tags: ['t'] },
        { text: 'xx' },
      ];
      for (const filter of filters) {
        const pages: string[][] = [];
        for (let offset = 0; offset < 100; offset += pages.at(-1)?.length ?? 0) {
          const page = await list(filter, 1000, offset);
          expect(page.total).toBe(100);
          pages.push(page.tasks.map(({ id }) => id));
          expect(page.tasks.length).toBeGreaterThan(0);
        }
        expect(pages.map((page) => page.length)).toEqual([perPage, perPage, 100 - 2 * perPage]);
        expect(pages.flat()).toEqual(order);
      }
      expect(await list({ pinned: true }, 1000, 0)).toMatchObject({ total: 60 });
      expect(await idsOf({ pinned: false }, 1000, 0)).toEqual(order.slice(60));
      // What was read before ends at the same task.
      expect(await idsOf({}, 1000, 0)).toEqual(order.slice(0, perPage));
      await store.change(owner, ids, (task) => acknowledgeTask(task, clock.now()));
      const restorable = await store.listRestorable(owner, clock.now(), 500);
      expect(restorable.map(({ id }) => id)).toEqual(ids.toReversed().slice(0, perPage));
    });

    it('shows nothing of another owner, and nothing to an owner unheard of', async () => {
      const { id } = await add({ content: 'secret' });
      const other = newOwner();
      const now = clock.now();
      for (const stranger of [other, `${owner}0`, owner.toUpperCase(), '']) {
        expect(await store.get(stranger, id, now)).toBeNull();
        expect(
          await store.list({ ownerId: stranger, filter: { text: 'secret' }, limit: 10, offset: 0, now }),
        ).toEqual({
          tasks: [],
          total: 0,
          statistics: { total: 0, high: 0, normal: 0, low: 0, pinned: 0, snoozed: 0 },
        });
        expect((await store.statistics(stranger, now)).total).toBe(0);
        expect(await store.listRestorable(stranger, now, 10)).toEqual([]);
      }
    });

    it('lists what can be restored, the latest acknowledged first', async () => {
      const [a, b, c, d] = [await add(), await add(), await add(), await add()];
      await acknowledge(c.id);
      clock.advance(MINUTE);
      await acknowledge(a.id);
      clock.advance(MINUTE);
      await acknowledge(b.id);
      const restorable = async (limit: number) =>
        (await store.listRestorable(owner, clock.now(), limit)).map((task) => task.id);
      expect(await restorable(10)).toEqual([b.id, a.id, c.id]);
      expect(await restorable(2)).toEqual([b.id, a.id]);
      clock.advance(8 * MINUTE);
      expect(await restorable(10)).toEqual([b.id, a.id]);
      await restore(b.id);
      expect(await restorable(10)).toEqual([a.id]);
      expect(await idsOf()).toEqual([d.id, b.id]);
    });
  });

  describe('revision', () => {
    const tasks = useTasks(harness);
    const { add, apply, acknowledge, restore, pin, statistics, revision, sweepAll } = tasks;
    let clock: Current['clock'];
    let under: Current['under'];
    let owner: Current['owner'];
    beforeEach(() => void ({ clock, under, owner } = tasks.current()));

    it('differs after every change that can be seen, expiry included, and not without one', async () => {
      const seen = new Set<string>();
      const fresh = async (): Promise<void> => {
        const text = await revision();
        expect(seen).not.toContain(text);
        seen.add(text);
        expect(await revision()).toBe(text);
      };
      await fresh();
      const first = await add({ expiryMinutes: 5, dedupeKey: 'k' });
      await fresh();
      const second = await add({ expiryMinutes: 6 });
      await fresh();
      await add({ dedupeKey: 'k', expiryMinutes: 1 });
      await fresh();
      await pin(first.id);
      await fresh();
      await apply(second.id, (task) => editTask(task, { content: 'b' }, clock.now()));
      await fresh();
      await acknowledge(first.id);
      await fresh();
      await restore(first.id);
      await fresh();
      clock.advance(6 * MINUTE);
      await fresh();
      await sweepAll();
      seen.delete(await revision());
      await add();
      await fresh();
    });

    it('stays when a sweep takes what expired, and when one removes it', async () => {
      await add({ expiryMinutes: 5 });
      for (const ms of [5 * MINUTE, 30 * DAY]) {
        clock.advance(ms);
        const before = await revision();
        await sweepAll();
        expect(await revision()).toBe(before);
      }
    });

    it('is the same in another process, and follows what that one does', async () => {
      await add();
      const second = (await under.another()).tasks;
      const before = await revision();
      expect(await second.revision(owner, clock.now())).toBe(before);
      await second.create(submissionOf({ ownerId: owner, inserts: [insertOf()], at: clock.now() }));
      expect(await revision()).not.toBe(before);
      expect((await statistics()).total).toBe(2);
    });
  });
}
