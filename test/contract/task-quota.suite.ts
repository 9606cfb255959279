// What an owner may have: the quota is held, nothing is half done by a refusal, and what makes no task always
// passes.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { UNDO_WINDOW_MS } from '#core/contract/index.ts';
import {
  acknowledgeTask,
  editTask,
  pinTask,
  restoreTask,
  type Task,
  type TaskDraft,
} from '#core/domain/task.ts';
import type { Submission } from '#core/domain/submission.ts';
import type { TaskRule, TaskStore } from '#core/ports/task-store.ts';
import { createFakeClock, type FakeClock } from '#test/helpers/clock.ts';
import { waitFor } from '#test/program/wait.ts';
import { newOwner, insertOf } from '#test/helpers/records.ts';
import { sweepOnce } from '#test/helpers/sweeps.ts';
import { submissionOf } from '#test/helpers/submissions.ts';
import type { StorageHarness, StorageUnderTest } from './harness.ts';

const QUOTA = { tasks: 10, bytes: 10_000 };
const MINUTE = 60_000;

/** Runs the suite on a driver. */
export function describeTaskQuota(name: string, harness: StorageHarness): void {
  describe(`task quota: ${name}`, () => {
    let clock: FakeClock;
    let under: StorageUnderTest;
    let store: TaskStore;
    let owner: string;

    beforeEach(async () => {
      clock = createFakeClock();
      under = await harness.create(clock, { quota: QUOTA });
      store = under.storage.tasks;
      owner = newOwner();
    });
    afterEach(() => under.dispose());

    const commandOf = (...inserts: Partial<TaskDraft>[]): Submission =>
      submissionOf({
        ownerId: owner,
        inserts: inserts.map((fields) => insertOf(fields)),
        at: clock.now(),
      });
    async function create(command: Submission): Promise<Task[]> {
      const done = await store.create(command);
      if (done.kind !== 'done') throw new Error(`unexpected ${done.kind}`);
      return done.outcomes.map(({ task }) => task);
    }
    const add = (...inserts: Partial<TaskDraft>[]) => create(commandOf(...inserts));
    const times = (count: number, fields: Partial<TaskDraft> = {}) =>
      Array.from({ length: count }, () => fields);
    const change = (task: Task | undefined, rule: TaskRule) => store.change(owner, [task?.id ?? ''], rule);
    const acknowledge = (task: Task | undefined) => change(task, (now) => acknowledgeTask(now, clock.now()));
    const total = async () => (await store.statistics(owner, clock.now())).total;

    async function expectFull(refused: Promise<unknown>, variable = 'MAX_TASKS_PER_OWNER'): Promise<void> {
      await expect(refused).rejects.toMatchObject({
        code: 'QUOTA_EXCEEDED',
        message: expect.stringContaining(variable) as string,
        retryAfterSeconds: 60,
      });
    }

    it('lets an owner have as many live tasks as the quota says, and then says so and changes nothing', async () => {
      const tasks = await add(...times(9));
      await add({});
      const revision = await store.revision(owner, clock.now());
      await expectFull(store.create(commandOf({})));
      await expectFull(store.checkQuota(commandOf({})));
      expect(await total()).toBe(10);
      expect(await store.revision(owner, clock.now())).toBe(revision);

      await acknowledge(tasks[0]);
      await store.checkQuota(commandOf({}));
      await add({});
      await expectFull(store.create(commandOf({})));
    });

    it('refuses what replaces a text by one that does not fit, and takes a plain repeat', async () => {
      const [task] = await add({ content: 'a', dedupeKey: 'k' });
      await add({ content: 'x'.repeat(9900) });
      const longer = { content: 'b'.repeat(200), dedupeKey: 'k' };
      await expectFull(store.create(commandOf({ ...longer, replaces: true })), 'MAX_BYTES_PER_OWNER');
      expect(await store.get(owner, task?.id ?? '', clock.now())).toEqual(task);
      expect(await add(longer)).toMatchObject([{ content: 'a', occurrences: 2 }]);
      expect(await add({ ...longer, content: 'b', replaces: true })).toMatchObject([{ content: 'b' }]);
    });

    it('makes all of a batch or nothing', async () => {
      await add(...times(8));
      await expectFull(store.create(commandOf(...times(3))));
      await expectFull(store.create(commandOf(...times(500))));
      expect(await total()).toBe(8);
      await add(...times(2));
      expect(await total()).toBe(10);
    });

    it('counts what comes at once, in whatever order it is carried out', async () => {
      const ended = await Promise.allSettled(times(40).map(() => store.create(commandOf({}))));
      expect(ended.filter(({ status }) => status === 'fulfilled')).toHaveLength(10);
      expect(await total()).toBe(10);
    });

    it('lets every repeat of a live task and every end of one pass', async () => {
      const [keyed] = await add({ dedupeKey: 'disk' }, ...times(9));
      await store.checkQuota(commandOf({ dedupeKey: 'disk' }, { dedupeKey: 'disk' }));
      const repeated = await add({ dedupeKey: 'disk', content: 'again' }, { dedupeKey: 'disk' });
      expect(repeated.map(({ id, occurrences }) => ({ id, occurrences }))).toEqual([
        { id: keyed?.id, occurrences: 2 },
        { id: keyed?.id, occurrences: 3 },
      ]);
      await expectFull(store.create(commandOf({ dedupeKey: 'disk' }, { dedupeKey: 'fan' })));
      expect(await store.get(owner, keyed?.id ?? '', clock.now())).toMatchObject({ occurrences: 3 });

      clock.advance(1);
      // Over and anew at once: one goes and one comes.
      const over = { ...commandOf({ dedupeKey: 'disk', content: 'another' }), resolves: ['disk'] };
      await store.checkQuota(over);
      const [next] = await create(over);
      expect(next?.id).not.toBe(keyed?.id);
      clock.advance(1);
      expect(await store.create({ ...commandOf(), resolves: ['disk'] })).toMatchObject({
        resolved: [{ id: next?.id }],
      });
      expect(await total()).toBe(9);
    });

    it('does not count what has expired, swept or not', async () => {
      await add(...times(10, { expiryMinutes: 5 }));
      clock.advance(5 * MINUTE);
      await add({});
      await sweepOnce(store, clock.now(), 500);
      await add(...times(9));
      await expectFull(store.create(commandOf({})));
    });

    it('always lets a task come back, over the quota if need be, and no further one after it', async () => {
      const tasks = await add(...times(10));
      await acknowledge(tasks[0]);
      await add({});
      const back = await change(tasks[0], (task) => restoreTask(task, clock.now()));
      expect(back).toHaveLength(1);
      expect(await total()).toBe(11);
      await expectFull(store.create(commandOf({})));
      await change(tasks[1], (task) => pinTask(task, true, clock.now()));
      await acknowledge(tasks[2]);
      await expectFull(store.create(commandOf({})));
      await acknowledge(tasks[3]);
      await add({});
    });

    it('counts bytes of all that is kept, what was acknowledged until it is removed', async () => {
      const [first] = await add({ content: 'é'.repeat(3000) }, { content: 'a'.repeat(3000) });
      await expectFull(store.create(commandOf({ content: 'a'.repeat(1001) })), 'MAX_BYTES_PER_OWNER');
      await expectFull(store.checkQuota(commandOf({ content: 'a'.repeat(1001) })), 'MAX_BYTES_PER_OWNER');
      await acknowledge(first);
      await expectFull(store.create(commandOf({ content: 'a'.repeat(1001) })), 'MAX_BYTES_PER_OWNER');
      await add({ content: 'a'.repeat(1000) });
      clock.advance(UNDO_WINDOW_MS);
      while ((await sweepOnce(store, clock.now(), 500)).more);
      await add({ content: 'a'.repeat(6000) });
      await expectFull(store.create(commandOf({})), 'MAX_BYTES_PER_OWNER');
    });

    it('counts tags and metadata, and what they are changed to', async () => {
      await add({ tags: ['t'.repeat(50)], metadata: { text: 'm'.repeat(9700) } });
      await expectFull(
        store.create(commandOf({ tags: ['t'.repeat(50)], metadata: { text: 'm'.repeat(500) } })),
        'MAX_BYTES_PER_OWNER',
      );
      const [small] = await add({ content: 'x' });
      const edit = (changes: Parameters<typeof editTask>[1]) =>
        change(small, (task) => editTask(task, changes, clock.now()));
      await expectFull(edit({ content: 'x'.repeat(1000) }), 'MAX_BYTES_PER_OWNER');
      expect(await store.get(owner, small?.id ?? '', clock.now())).toMatchObject({
        content: 'x',
        version: 1,
      });
      expect(await edit({ content: 'y' })).toHaveLength(1);
      expect(await acknowledge(small)).toHaveLength(1);
    });

    it('holds a change of many to what they grow by together, and changes none of them by a refusal', async () => {
      const [long, short] = await add({ content: 'x'.repeat(1000) }, { content: 'x' });
      await add({ content: 'x'.repeat(8000) });
      const ids = [long?.id ?? '', short?.id ?? ''];
      const edit = (contentOf: (task: Task) => string) =>
        store.change(owner, ids, (task) => editTask(task, { content: contentOf(task) }, clock.now()));
      await expectFull(
        edit(() => 'x'.repeat(1001)),
        'MAX_BYTES_PER_OWNER',
      );
      for (const task of [long, short])
        expect(await store.get(owner, task?.id ?? '', clock.now())).toEqual(task);
      // One takes the place of the other.
      expect(await edit(({ id }) => 'y'.repeat(id === short?.id ? 1999 : 1))).toHaveLength(2);
      await expectFull(
        edit(() => 'x'.repeat(1001)),
        'MAX_BYTES_PER_OWNER',
      );
    });

    it('leaves a claim free whose request was refused', async () => {
      const tasks = await add(...times(10));
      const claim = { scope: 'key:1', key: owner, fingerprint: 'one' };
      await expectFull(store.create({ ...commandOf({}), claim }));
      await acknowledge(tasks[0]);
      const other = { ...claim, fingerprint: 'two' };
      expect(await store.create({ ...commandOf({}), claim: other })).toMatchObject({ kind: 'done' });
      expect(await store.create({ ...commandOf({}), claim: other })).toMatchObject({ kind: 'replayed' });
      expect(await total()).toBe(10);
    });

    it('holds each owner to it alone', async () => {
      await add(...times(10));
      owner = newOwner();
      await add(...times(10));
      await expectFull(store.create(commandOf({})));
    });

    it('counts what another process made', async () => {
      const other = (await under.another()).tasks;
      await store.create(commandOf(...times(5)));
      await other.create(commandOf(...times(5)));
      for (const each of [store, other]) {
        const isFull = () =>
          each.checkQuota(commandOf({})).then(
            () => false,
            () => true,
          );
        // Far below the quota a driver may believe for a moment what it counted.
        await waitFor('the count of the other process', isFull);
        await expectFull(each.create(commandOf({})));
      }
    });
  });
}
