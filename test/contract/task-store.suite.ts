// The promises of the port TaskStore, for every driver. Nothing here knows how a driver keeps its tasks; a
// driver without transactions passes as well as one with them.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CLAIM_TTL_MS, MAX_TASKS_BYTES, UNDO_WINDOW_MS } from '#core/contract/index.ts';
import {
  acknowledgeTask,
  editTask,
  extendTask,
  pinTask,
  restoreTask,
  type Metadata,
  type Task,
  type TaskDraft,
} from '#core/domain/task.ts';
import type { TaskRule, TaskStore } from '#core/ports/task-store.ts';
import type { TaskOutcome } from '#core/domain/submission-outcome.ts';
import type { Claim } from '#core/domain/submission.ts';
import { createFakeClock, type FakeClock } from '#test/helpers/clock.ts';
import { newOwner, insertOf } from '#test/helpers/records.ts';
import { submissionOf } from '#test/helpers/submissions.ts';
import type { StorageHarness, StorageUnderTest } from './harness.ts';
import { describeTaskClosing } from './task-closing.suite.ts';
import { describeTaskModel } from './task-model.suite.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Runs the suite on a driver. */
export function describeTaskStore(name: string, harness: StorageHarness): void {
  describe(`task store: ${name}`, () => {
    let clock: FakeClock;
    let under: StorageUnderTest;
    let store: TaskStore;
    let owner: string;

    beforeEach(async () => {
      clock = createFakeClock();
      under = await harness.create(clock);
      store = under.storage.tasks;
      owner = newOwner();
    });
    afterEach(() => under.dispose());

    async function submit(inserts: ReturnType<typeof insertOf>[], claim?: Claim): Promise<TaskOutcome[]> {
      const done = await store.create(
        submissionOf({
          ownerId: owner,
          inserts,
          at: clock.now(),
          ...(claim === undefined ? {} : { claim }),
        }),
      );
      if (done.kind !== 'done' && done.kind !== 'replayed') throw new Error(`unexpected ${done.kind}`);
      if (done.outcomes === null) throw new Error('only ids were kept');
      return done.outcomes;
    }
    async function add(fields: Partial<TaskDraft> & { id?: string } = {}): Promise<Task> {
      const [outcome] = await submit([insertOf(fields)]);
      return (outcome as TaskOutcome).task;
    }
    const apply = async (id: string, rule: TaskRule): Promise<Task | undefined> =>
      (await store.change(owner, [id], rule))[0]?.after;
    const acknowledge = (id: string) => apply(id, (task) => acknowledgeTask(task, clock.now()));
    const restore = (id: string) => apply(id, (task) => restoreTask(task, clock.now()));
    const pin = (id: string, pinned = true) => apply(id, (task) => pinTask(task, pinned, clock.now()));
    const get = (id: string) => store.get(owner, id, clock.now());
    const list = (filter = {}, limit = 100, offset = 0) =>
      store.list({ ownerId: owner, filter, limit, offset, now: clock.now() });
    const idsOf = async (filter = {}, limit = 100, offset = 0) =>
      (await list(filter, limit, offset)).tasks.map((task) => task.id);
    const statistics = () => store.statistics(owner, clock.now());
    const revision = () => store.revision(owner, clock.now());
    const sweepAll = async (limit = 500): Promise<Task[]> => {
      const expired: Task[] = [];
      for (let more = true; more;) {
        const swept = await store.sweep(clock.now(), limit);
        expired.push(...swept.expired);
        more = swept.more;
      }
      return expired;
    };

    describe('create', () => {
      it('makes the task with the id of the order and gives it back from every read', async () => {
        const order = insertOf({
          content: 'disk almost full',
          priority: 'high',
          source: 'webhook',
          tags: ['ops', 'db'],
          metadata: { host: 'db-3', free: 0.04 },
          expiryMinutes: 90,
          dedupeKey: 'disk db-3',
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
          version: 1,
          dedupeKey: 'disk db-3',
          occurrences: 1,
          lastOccurredAt: at,
          acknowledgedAt: null,
          reopens: true,
        };
        expect(done).toEqual({ kind: 'done', outcomes: [{ task: expected, created: true }], resolved: [] });
        expect(await get(order.id)).toEqual(expected);
        expect(await list()).toEqual({
          tasks: [expected],
          total: 1,
          statistics: { total: 1, high: 1, normal: 0, low: 0, pinned: 0 },
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
        expect(await statistics()).toEqual({ total: 1, high: 1, normal: 0, low: 0, pinned: 0 });
      });

      it('never undoes a pin and never lowers the priority', async () => {
        const { id } = await add({ dedupeKey: 'k', priority: 'high' });
        await pin(id);
        await add({ dedupeKey: 'k', priority: 'low' });
        expect(await get(id)).toMatchObject({ pinned: true, priority: 'high', occurrences: 2 });
        expect(await statistics()).toEqual({ total: 1, high: 1, normal: 0, low: 0, pinned: 1 });
      });

      it('repeats within one batch', async () => {
        const outcomes = await submit([1, 2, 3].map(() => insertOf({ dedupeKey: 'k' })));
        expect(outcomes.map(({ created }) => created)).toEqual([true, false, false]);
        expect(new Set(outcomes.map(({ task }) => task.id)).size).toBe(1);
        expect(outcomes.map(({ task }) => task.occurrences)).toEqual([1, 2, 3]);
      });

      it('counts a repeating order once, however often it comes, and answers what it made', async () => {
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

    describe('claims', () => {
      const claim: Claim = { scope: 'key:1', key: 'nightly', fingerprint: 'f1' };

      it('replays the outcomes exactly as first answered, whatever became of the tasks', async () => {
        const inserts = [insertOf({ metadata: JSON.parse('{"__proto__":1}') as Metadata }), insertOf()];
        const first = await submit(inserts, claim);
        await acknowledge((first[0] as TaskOutcome).task.id);
        clock.advance(HOUR);
        const again = await store.create(
          submissionOf({
            ownerId: owner,
            inserts: [insertOf(), insertOf()],
            claim,
            at: clock.now(),
          }),
        );
        expect(again.kind).toBe('replayed');
        expect(JSON.stringify(again.kind === 'replayed' && again.outcomes)).toBe(JSON.stringify(first));
        expect((await statistics()).total).toBe(1);
      });

      it('refuses another fingerprint and changes nothing', async () => {
        await submit([insertOf()], claim);
        const before = await revision();
        const other = await store.create(
          submissionOf({
            ownerId: owner,
            inserts: [insertOf()],
            claim: { ...claim, fingerprint: 'f2' },
            at: clock.now(),
          }),
        );
        expect(other).toEqual({ kind: 'fingerprint-mismatch' });
        expect(await revision()).toBe(before);
        expect((await statistics()).total).toBe(1);
      });

      it('takes a claim without a fingerprint for the same as any', async () => {
        const delivery: Claim = { scope: 'intake:1', key: 'delivery-7', fingerprint: null };
        const again = (said: Claim) =>
          store.create(submissionOf({ ownerId: owner, inserts: [insertOf()], claim: said, at: clock.now() }));
        const first = await submit([insertOf({ content: 'a' }), insertOf()], delivery);
        const taskIds = first.map(({ task }) => task.id);
        // Nothing but the ids is kept of it.
        const replayed = { kind: 'replayed', taskIds, outcomes: null };
        expect(await again(delivery)).toEqual(replayed);
        expect(await again({ ...delivery, fingerprint: 'f1' })).toEqual(replayed);
        const [printed] = await submit([insertOf()], claim);
        expect(await again({ ...claim, fingerprint: null })).toMatchObject({
          taskIds: [printed?.task.id],
          outcomes: [printed],
        });
        expect((await statistics()).total).toBe(3);
      });

      it('keeps scopes and keys apart', async () => {
        await submit([insertOf()], claim);
        await submit([insertOf()], { ...claim, scope: 'key:2' });
        await submit([insertOf()], { ...claim, key: 'weekly' });
        expect((await statistics()).total).toBe(3);
      });

      it('remembers for 24 hours and not longer, swept or not', async () => {
        await submit([insertOf({ expiryMinutes: 10_080 })], claim);
        clock.advance(CLAIM_TTL_MS - 1);
        await sweepAll();
        const again = { ownerId: owner, inserts: [insertOf({ expiryMinutes: 10_080 })], claim };
        expect(await store.create(submissionOf({ ...again, at: clock.now() }))).toMatchObject({
          kind: 'replayed',
        });
        clock.advance(1);
        expect(await store.create(submissionOf({ ...again, at: clock.now() }))).toMatchObject({
          kind: 'done',
        });
        expect((await statistics()).total).toBe(2);
        clock.advance(CLAIM_TTL_MS);
        await sweepAll();
        const other = { ...claim, fingerprint: 'f2' };
        expect(await store.create(submissionOf({ ...again, claim: other, at: clock.now() }))).toMatchObject({
          kind: 'done',
        });
      });

      it('has one effect when the same claim comes at once, in two processes', async () => {
        const second = (await under.another()).tasks;
        const answers = await Promise.all(
          Array.from({ length: 20 }, (_, index) =>
            (index % 2 === 0 ? store : second).create(
              submissionOf({
                ownerId: owner,
                inserts: [insertOf(), insertOf()],
                claim,
                at: clock.now(),
              }),
            ),
          ),
        );
        expect(answers.filter(({ kind }) => kind === 'done')).toHaveLength(1);
        expect(answers.filter(({ kind }) => kind === 'fingerprint-mismatch')).toEqual([]);
        expect((await statistics()).total).toBe(2);
        expect(
          await store.create(submissionOf({ ownerId: owner, inserts: [insertOf()], claim, at: clock.now() })),
        ).toMatchObject({ kind: 'replayed' });
      });
    });

    describe('change', () => {
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
        expect(await statistics()).toEqual({ total: 2, high: 0, normal: 0, low: 2, pinned: 0 });
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
      it('shows a task until its last millisecond and never at or after expiresAt, swept or not', async () => {
        const task = await add({ expiryMinutes: 5, priority: 'high', source: 's', tags: ['t'] });
        clock.advance(5 * MINUTE - 1);
        expect(await get(task.id)).toEqual(task);
        expect(await idsOf()).toEqual([task.id]);
        expect((await statistics()).high).toBe(1);
        clock.advance(1);
        for (let round = 0; round < 2; round++) {
          expect(await get(task.id)).toBeNull();
          for (const filter of [
            {},
            { priority: 'high' },
            { pinned: false },
            { source: 's' },
            { tag: 't' },
            { text: 'backup' },
          ])
            expect(await list(filter)).toEqual({
              tasks: [],
              total: 0,
              statistics: { total: 0, high: 0, normal: 0, low: 0, pinned: 0 },
            });
          expect(await statistics()).toEqual({ total: 0, high: 0, normal: 0, low: 0, pinned: 0 });
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
        expect(await statistics()).toMatchObject({ total: 1, low: 1, pinned: 1 });
        await acknowledge(task.id);
        clock.advance(UNDO_WINDOW_MS);
        expect(await restore(task.id)).toBeUndefined();
        await sweepAll();
        expect(await restore(task.id)).toBeUndefined();
      });
    });

    describe('sweep', () => {
      it('returns each expired task once over all processes, in portions', async () => {
        const other = newOwner();
        const inserts = Array.from({ length: 25 }, () => insertOf({ expiryMinutes: 1 }));
        await submit(inserts.slice(0, 15));
        await store.create(submissionOf({ ownerId: other, inserts: inserts.slice(15), at: clock.now() }));
        const staying = await add({ expiryMinutes: 2 });
        clock.advance(MINUTE);
        const second = (await under.another()).tasks;
        const portions = await Promise.all(
          Array.from({ length: 6 }, (_, index) => (index % 2 === 0 ? store : second).sweep(clock.now(), 10)),
        );
        for (const { expired } of portions) expect(expired.length).toBeLessThanOrEqual(10);
        const told = [...portions.flatMap(({ expired }) => expired), ...(await sweepAll(10))];
        expect(told.map(({ id }) => id).toSorted()).toEqual(inserts.map(({ id }) => id).toSorted());
        expect(told.filter(({ ownerId }) => ownerId === other)).toHaveLength(10);
        expect(await idsOf()).toEqual([staying.id]);
      });

      it('says whether there is more to do', async () => {
        await submit(Array.from({ length: 3 }, () => insertOf({ expiryMinutes: 1 })));
        expect(await store.sweep(clock.now(), 2)).toEqual({ expired: [], more: false });
        clock.advance(MINUTE);
        expect(await store.sweep(clock.now(), 2)).toMatchObject({ more: true });
        expect((await store.sweep(clock.now(), 2)).expired).toHaveLength(1);
      });

      it('removes for good what is past its time to be restored, and only that', async () => {
        const gone = await add();
        await acknowledge(gone.id);
        clock.advance(UNDO_WINDOW_MS);
        const kept = await add();
        await acknowledge(kept.id);
        const live = await add({ expiryMinutes: 10_080 });
        await sweepAll();
        const seen: string[] = [];
        await store.change(owner, [gone.id, kept.id, live.id], (task) => {
          seen.push(task.id);
          return null;
        });
        expect(new Set(seen)).toEqual(new Set([kept.id, live.id]));
      });
    });

    describe('list', () => {
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

      it('inserts by id, not by arrival', async () => {
        const [older, newer] = [insertOf(), insertOf()];
        await submit([newer]);
        await submit([older]);
        expect(await idsOf()).toEqual([newer.id, older.id]);
      });

      it('filters by each field and by all together, with the total of what matches', async () => {
        const [a, b, c] = [
          await add({ content: 'Disk full on DB-3', priority: 'high', source: 'webhook', tags: ['ops'] }),
          await add({ content: '100% done_really', priority: 'normal', source: 'api', tags: ['Ops', 'x"y'] }),
          await add({ content: 'nul\u0000 and then', priority: 'low', source: 'api', tags: ['a,b', 'x'] }),
        ];
        await pin(b.id);
        const all = { total: 3, high: 1, normal: 1, low: 1, pinned: 1 };
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
        expect(await found({ tag: 'ops' })).toEqual([a.id]);
        expect(await found({ tag: 'x' })).toEqual([c.id]);
        expect(await found({ tag: 'x"y' })).toEqual([b.id]);
        expect(await found({ tag: 'a' })).toEqual([]);
        expect(await found({ text: 'db-3' })).toEqual([a.id]);
        expect(await found({ text: 'OPS' })).toEqual([b.id, a.id]);
        expect(await found({ text: '%' })).toEqual([b.id]);
        expect(await found({ text: '_' })).toEqual([b.id]);
        expect(await found({ text: '","' })).toEqual([]);
        expect(await found({ text: 'and then' })).toEqual([c.id]);
        expect(await found({ text: '.*' })).toEqual([]);
        expect(
          await found({ priority: 'normal', pinned: true, source: 'api', tag: 'Ops', text: 'really' }),
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
        for (const filter of [
          {},
          { priority: 'normal' },
          { source: 'a' },
          { tag: 't' },
          { text: 'xx' },
        ] as const) {
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
            statistics: { total: 0, high: 0, normal: 0, low: 0, pinned: 0 },
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

    describeTaskClosing(harness);
    describeTaskModel(harness);
  });
}
