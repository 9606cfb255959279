// Creating tasks and counting repeats of a dedupe key, for every driver of the port TaskStore.
import { beforeEach, describe, expect, it } from 'vitest';
import type { Task } from '#core/domain/task.ts';
import { newOwner, insertOf } from '#test/helpers/records.ts';
import { submissionOf } from '#test/helpers/submissions.ts';
import type { StorageHarness } from './harness.ts';
import { MINUTE, HOUR, DAY, useTasks, type Current } from './task-fixture.ts';

export function describeTaskCreation(harness: StorageHarness): void {
  describe('create', () => {
    const tasks = useTasks(harness);
    const { submit, add, acknowledge, get, list, idsOf, statistics } = tasks;
    let clock: Current['clock'];
    let under: Current['under'];
    let store: Current['store'];
    let owner: Current['owner'];
    beforeEach(() => void ({ clock, under, store, owner } = tasks.current()));

    it('makes the task with the id of the order and gives it back from every read', async () => {
      const order = insertOf({
        content: 'disk almost full',
        priority: 'high',
        source: 'webhook',
        tags: ['ops', 'db'],
        metadata: { host: 'db-3', free: 0.04 },
        expiryMinutes: 90,
        dedupeKey: 'disk db-3',
        intake: { id: 'int_1', name: 'NAS "äöü"\u0000', deliveryId: 'dlv_1' },
      });
      const at = clock.now();
      const done = await store.create(submissionOf({ ownerId: owner, inserts: [order], at }));
      const expected: Task = {
        id: order.id,
        ownerId: owner,
        content: 'disk almost full',
        priority: 'high',
        source: 'webhook',
        tags: ['ops', 'db'],
        metadata: { host: 'db-3', free: 0.04 },
        pinned: false,
        createdAt: at,
        updatedAt: at,
        expiresAt: at + 90 * MINUTE,
        snoozedUntil: null,
        version: 1,
        dedupeKey: 'disk db-3',
        occurrences: 1,
        lastOccurredAt: at,
        acknowledgedAt: null,
        reopens: true,
        intake: { id: 'int_1', name: 'NAS "äöü"\u0000', deliveryId: 'dlv_1' },
      };
      expect(done).toEqual({ kind: 'done', outcomes: [{ task: expected, created: true }], resolved: [] });
      expect(await get(order.id)).toEqual(expected);
      expect(await list()).toEqual({
        tasks: [expected],
        total: 1,
        statistics: { total: 1, high: 1, normal: 0, low: 0, pinned: 0, snoozed: 0 },
      });
      expect(await (await under.another()).tasks.get(owner, order.id, at)).toEqual(expected);
    });

    it.each([
      ['10,000 characters', 'x'.repeat(10_000)],
      ['10,000 emoji', '🛟'.repeat(10_000)],
      ['joined emoji and combining marks', '👩‍🚀 e\u0301 \u202Eabc'],
      ['quotes and SQL', `'; DROP TABLE tasks; -- " \` \\ % _ $where`],
      ['control characters', 'a\u0000b\u0001c\u001Fd\r\n\te'],
    ])('keeps %s as they are', async (_, content) => {
      const { id } = await add({ content, tags: [content.slice(0, 20)], metadata: { [content]: content } });
      const task = await get(id);
      expect(task?.content).toBe(content);
      expect(task?.tags).toEqual([content.slice(0, 20)]);
      expect(task?.metadata).toEqual({ [content]: content });
    });

    it('keeps metadata keys that mean something to JavaScript or to a database as mere keys', async () => {
      const text =
        '{"__proto__":{"polluted":true},"constructor":"c","$set":{"a.b":1},"":0,"toString":null,"hasOwnProperty":[]}';
      const { id } = await add({ metadata: JSON.parse(text) as Record<string, unknown> });
      expect(JSON.stringify((await get(id))?.metadata)).toBe(text);
      expect(JSON.stringify((await list()).tasks[0]?.metadata)).toBe(text);
      expect({}).not.toHaveProperty('polluted');
    });

    it('has the intake of the latest delivery, and none where none was named', async () => {
      const first = { id: 'int_1', name: 'NAS', deliveryId: 'dlv_1' };
      const second = { id: 'int_2', name: 'Router', deliveryId: 'dlv_2' };
      expect((await get((await add()).id))?.intake).toBeNull();
      const { id } = await add({ dedupeKey: 'k', intake: first });
      expect((await get(id))?.intake).toEqual(first);
      expect(await add({ dedupeKey: 'k' })).toMatchObject({ id, occurrences: 2, intake: first });
      expect(await add({ dedupeKey: 'k', intake: second })).toMatchObject({
        id,
        occurrences: 3,
        intake: second,
      });
      expect((await list()).tasks.map(({ intake }) => intake)).toEqual([second, null]);
      expect((await acknowledge(id))?.intake).toEqual(second);
      expect((await store.listRestorable(owner, clock.now(), 10))[0]?.intake).toEqual(second);
    });

    it('makes a task that is pinned from the start, counted as such, which stays beyond its time', async () => {
      const { id } = await add({ pinned: true, priority: 'low', expiryMinutes: 1 });
      await add({ priority: 'high' });
      expect(await statistics()).toEqual({ total: 2, high: 1, normal: 0, low: 1, pinned: 1, snoozed: 0 });
      expect(await idsOf({ pinned: true })).toEqual([id]);
      clock.advance(HOUR);
      await tasks.sweepAll();
      expect(await get(id)).toMatchObject({ pinned: true, version: 1 });
      expect((await idsOf())[0]).toBe(id);
    });

    it('makes a batch of 500 in the order given', async () => {
      const inserts = Array.from({ length: 500 }, (_, index) => insertOf({ content: `task ${index}` }));
      const outcomes = await submit(inserts);
      expect(outcomes.map(({ task }) => task.id)).toEqual(inserts.map(({ id }) => id));
      expect(outcomes.every(({ created }) => created)).toBe(true);
      expect((await statistics()).total).toBe(500);
      expect(await idsOf({}, 1000)).toEqual(inserts.map(({ id }) => id).toReversed());
    });

    it('applies an order once, however often it comes', async () => {
      const order = insertOf({ content: 'once' });
      await submit([order]);
      const [again] = await submit([order]);
      expect(again).toMatchObject({ created: true, task: { id: order.id, version: 1, occurrences: 1 } });
      expect((await statistics()).total).toBe(1);
      const concurrent = insertOf();
      await Promise.all(Array.from({ length: 10 }, () => submit([concurrent])));
      expect((await statistics()).total).toBe(2);
    });

    it('applies an order once also when the batch around it was cut off before', async () => {
      const inserts = [insertOf(), insertOf(), insertOf()];
      await submit(inserts.slice(0, 1));
      const outcomes = await submit(inserts);
      expect(outcomes.map(({ task }) => task.id)).toEqual(inserts.map(({ id }) => id));
      expect((await statistics()).total).toBe(3);
    });

    it('does not bring back an acknowledged task when its order comes again', async () => {
      const order = insertOf();
      await submit([order]);
      await acknowledge(order.id);
      await submit([order]);
      expect(await get(order.id)).toBeNull();
      expect((await statistics()).total).toBe(0);
    });

    it('makes a task that is past its time already, which nobody ever sees', async () => {
      const order = insertOf({ expiryMinutes: 1 });
      await store.create(submissionOf({ ownerId: owner, inserts: [order], at: clock.now() - HOUR }));
      expect(await get(order.id)).toBeNull();
      expect(await list()).toMatchObject({ tasks: [], total: 0, statistics: { total: 0 } });
    });
  });

  describe('deduplication', () => {
    const tasks = useTasks(harness);
    const { submit, add, acknowledge, restore, pin, get, list, idsOf, statistics, sweepAll } = tasks;
    let clock: Current['clock'];
    let under: Current['under'];
    let store: Current['store'];
    let owner: Current['owner'];
    beforeEach(() => void ({ clock, under, store, owner } = tasks.current()));

    it('repeats the live task with the same key instead of making another', async () => {
      const first = await add({ dedupeKey: 'k', priority: 'normal', content: 'first' });
      clock.advance(HOUR);
      const [repeat] = await submit([insertOf({ dedupeKey: 'k', priority: 'high', content: 'second' })]);
      expect(repeat).toEqual({
        created: false,
        task: {
          ...first,
          priority: 'high',
          occurrences: 2,
          version: 2,
          updatedAt: clock.now(),
          lastOccurredAt: clock.now(),
          expiresAt: clock.now() + DAY,
        },
      });
      expect(await get(first.id)).toEqual(repeat?.task);
      expect(await statistics()).toEqual({ total: 1, high: 1, normal: 0, low: 0, pinned: 0, snoozed: 0 });
    });

    it('never undoes a pin and never lowers the priority', async () => {
      const { id } = await add({ dedupeKey: 'k', priority: 'high' });
      await pin(id);
      await add({ dedupeKey: 'k', priority: 'low' });
      expect(await get(id)).toMatchObject({ pinned: true, priority: 'high', occurrences: 2 });
      expect(await statistics()).toEqual({ total: 1, high: 1, normal: 0, low: 0, pinned: 1, snoozed: 0 });
    });

    it('repeats within one batch', async () => {
      const outcomes = await submit([1, 2, 3].map(() => insertOf({ dedupeKey: 'k' })));
      expect(outcomes.map(({ created }) => created)).toEqual([true, false, false]);
      expect(new Set(outcomes.map(({ task }) => task.id)).size).toBe(1);
      expect(outcomes.map(({ task }) => task.occurrences)).toEqual([1, 2, 3]);
    });

    it('counts a repeating order once, however often it comes, and answers its task', async () => {
      const { id } = await add({ dedupeKey: 'k' });
      const order = insertOf({ dedupeKey: 'k' });
      for (let time = 0; time < 3; time++) {
        const [outcome] = await submit([order]);
        expect(outcome).toMatchObject({ created: false, task: { id } });
      }
      expect(await get(id)).toMatchObject({ occurrences: 2 });
    });

    it('does not make a task of a repeating order that comes again after the acknowledgement', async () => {
      const { id } = await add({ dedupeKey: 'k' });
      const order = insertOf({ dedupeKey: 'k' });
      await submit([order]);
      await acknowledge(id);
      const [outcome] = await submit([order]);
      expect(outcome).toMatchObject({ created: false, task: { id } });
      expect((await statistics()).total).toBe(0);
    });

    it('makes a new task after the first was acknowledged', async () => {
      const first = await add({ dedupeKey: 'k' });
      await acknowledge(first.id);
      const second = await add({ dedupeKey: 'k' });
      expect(second).toMatchObject({ occurrences: 1 });
      expect(await idsOf()).toEqual([second.id]);
    });

    it.each(['before', 'after'])(
      'makes a new task once the first is past its time, %s the sweep',
      async (when) => {
        const first = await add({ dedupeKey: 'k', expiryMinutes: 1 });
        clock.advance(MINUTE);
        const swept = when === 'after' ? await sweepAll() : [];
        const [second] = await submit([insertOf({ dedupeKey: 'k', expiryMinutes: 60 })]);
        expect(second).toMatchObject({ created: true, task: { occurrences: 1 } });
        expect(await idsOf()).toEqual([second?.task.id]);
        swept.push(...(await sweepAll()));
        expect(swept.map(({ id }) => id)).toEqual([first.id]);
        expect(await submit([insertOf({ dedupeKey: 'k' })])).toMatchObject([
          { created: false, task: { id: second?.task.id } },
        ]);
      },
    );

    it('keeps the keys of owners apart', async () => {
      await add({ dedupeKey: 'k' });
      const other = await store.create(
        submissionOf({
          ownerId: newOwner(),
          inserts: [insertOf({ dedupeKey: 'k' })],
          at: clock.now(),
        }),
      );
      expect(other).toMatchObject({ outcomes: [{ created: true }] });
    });

    it('makes one task of 50 at once, in two processes, and counts each', async () => {
      const second = (await under.another()).tasks;
      const outcomes = await Promise.all(
        Array.from({ length: 50 }, (_, index) =>
          (index % 2 === 0 ? store : second).create(
            submissionOf({
              ownerId: owner,
              inserts: [insertOf({ dedupeKey: 'storm' })],
              at: clock.now(),
            }),
          ),
        ),
      );
      const made = outcomes.flatMap((outcome) => (outcome.kind === 'done' ? outcome.outcomes : []));
      expect(made.filter(({ created }) => created)).toHaveLength(1);
      expect(await list()).toMatchObject({ total: 1, tasks: [{ occurrences: 50, version: 50 }] });
    });

    it('restores a task whose key another one took meanwhile without its key', async () => {
      const first = await add({ dedupeKey: 'k' });
      await acknowledge(first.id);
      const second = await add({ dedupeKey: 'k' });
      expect(await restore(first.id)).toMatchObject({ dedupeKey: null, acknowledgedAt: null });
      expect(await idsOf()).toEqual([second.id, first.id]);
      expect(await submit([insertOf({ dedupeKey: 'k' })])).toMatchObject([{ task: { id: second.id } }]);
      expect(await get(first.id)).toMatchObject({ dedupeKey: null, occurrences: 1 });
    });

    it('restores a task with its key when nobody uses that', async () => {
      const first = await add({ dedupeKey: 'k' });
      await acknowledge(first.id);
      expect(await restore(first.id)).toMatchObject({ dedupeKey: 'k' });
      expect(await submit([insertOf({ dedupeKey: 'k' })])).toMatchObject([{ task: { id: first.id } }]);
    });
  });
}
