// Closing by dedupe key and silence, for every driver of the port TaskStore: what a sender calls over leaves
// the queue, what a person acknowledged stays quiet where its intake asks for that, and nothing newer is ever
// lost by either.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { UNDO_WINDOW_MS } from '#core/contract/index.ts';
import { acknowledgeTask, pinTask, RESOLVED_AT, restoreTask } from '#core/domain/task.ts';
import type { Submission } from '#core/domain/submission.ts';
import type { TaskRule, TaskStore } from '#core/ports/task-store.ts';
import type { Claim, TaskInsert } from '#core/domain/submission.ts';
import { createFakeClock, type FakeClock } from '#test/helpers/clock.ts';
import { newOwner, insertOf } from '#test/helpers/records.ts';
import { sweepOnce } from '#test/helpers/sweeps.ts';
import { submissionOf } from '#test/helpers/submissions.ts';
import type { StorageHarness, StorageUnderTest } from './harness.ts';

const MINUTE = 60_000;

/** The part of the suite of task stores about closing and silence. */
export function describeTaskClosing(harness: StorageHarness): void {
  describe('closing and silence', () => {
    let clock: FakeClock;
    let under: StorageUnderTest;
    let store: TaskStore;
    let second: TaskStore;
    let owner: string;

    beforeEach(async () => {
      clock = createFakeClock();
      under = await harness.create(clock);
      store = under.storage.tasks;
      second = (await under.another()).tasks;
      owner = newOwner();
    });
    afterEach(() => under.dispose());

    const create = (command: Partial<Submission>, by = store) =>
      by.create(submissionOf({ ownerId: owner, inserts: [], at: clock.now(), ...command }));
    const report = (dedupeKey = 'k', fields: Parameters<typeof insertOf>[0] = {}) =>
      create({ inserts: [insertOf({ dedupeKey, ...fields })] });
    const quiet = (expiryMinutes = 60): TaskInsert =>
      insertOf({ dedupeKey: 'k', reopens: false, expiryMinutes });
    const apply = async (id: string, rule: TaskRule) => (await store.change(owner, [id], rule))[0]?.after;
    const acknowledge = (id: string) => apply(id, (task) => acknowledgeTask(task, clock.now()));
    const restore = (id: string) => apply(id, (task) => restoreTask(task, clock.now()));
    const live = async () =>
      (await second.list({ ownerId: owner, filter: {}, limit: 100, offset: 0, now: clock.now() })).tasks;
    const idsOf = async () => (await live()).map(({ id }) => id);
    const restorable = async () =>
      (await second.listRestorable(owner, clock.now(), 100)).map(({ id }) => id).toSorted();
    const sweep = async () => {
      while ((await sweepOnce(store, clock.now(), 500)).more);
    };
    /** A silent task: reported, acknowledged by a person, and a minute gone by. */
    async function silence(expiryMinutes = 60): Promise<string> {
      const order = quiet(expiryMinutes);
      await create({ inserts: [order] });
      await acknowledge(order.id);
      clock.advance(MINUTE);
      return order.id;
    }

    it('follows alerts that fire, repeat and resolve, and leaves the one that still fires', async () => {
      const [cpu, disk, ram] = ['cpu', 'disk', 'ram'].map((dedupeKey) => insertOf({ dedupeKey }));
      const [a, b, c] = [cpu?.id, disk?.id, ram?.id] as [string, string, string];
      await create({ inserts: [cpu, disk, ram] as TaskInsert[] });
      await apply(c, (task) => pinTask(task, true, clock.now()));
      for (let time = 0; time < 5; time++) {
        clock.advance(MINUTE);
        await create({ inserts: Array.from({ length: 10 }, () => insertOf({ dedupeKey: 'ram' })) });
      }
      const claim: Claim = { scope: 'intake:1', key: 'resolved', fingerprint: null };
      const done = await create({ resolves: ['cpu', 'disk', 'never heard of'], claim });
      expect(done).toMatchObject({ kind: 'done', outcomes: [] });
      const closed = done.kind === 'done' ? done.resolved : [];
      expect(closed.map(({ id }) => id)).toEqual([a, b]);
      for (const task of closed)
        expect(task).toMatchObject({
          acknowledgedAt: clock.now(),
          metadata: { [RESOLVED_AT]: new Date(clock.now()).toISOString() },
        });
      expect(await live()).toMatchObject([{ id: c, occurrences: 51, pinned: true }]);
      expect(await second.statistics(owner, clock.now())).toMatchObject({ total: 1, pinned: 1 });
      expect(await restorable()).toEqual([a, b].toSorted());
      await restore(a);
      const again = await create({ resolves: ['cpu', 'ram'], claim }, second);
      expect(again).toEqual({ kind: 'replayed', taskIds: [], outcomes: [] });
      expect(await idsOf()).toEqual([c, a]);
    });

    it('closes nothing that was reported after the word that it is over, nor for another owner', async () => {
      await report();
      for (const late of [{ at: clock.now() - 1 }, { ownerId: newOwner() }])
        expect(await create({ resolves: ['k'], ...late })).toMatchObject({ resolved: [] });
      expect(await live()).toHaveLength(1);
      expect(await create({ resolves: ['k', 'k'] })).toMatchObject({ resolved: [{ dedupeKey: 'k' }] });
      expect(await live()).toEqual([]);
    });

    it('says of one of two submissions of the same moment that it resolved the task', async () => {
      await report();
      expect(await create({ resolves: ['k'] })).toMatchObject({ resolved: [{ dedupeKey: 'k' }] });
      expect(await create({ resolves: ['k'] }, second)).toMatchObject({ kind: 'done', resolved: [] });
    });

    it('says so also where both senders name their requests alike', async () => {
      await report();
      const over = (id: string) => create({ id, resolves: ['k'], requestId: 'syslog' });
      expect(await over('sub_1')).toMatchObject({ resolved: [{ dedupeKey: 'k' }] });
      expect(await over('sub_2')).toMatchObject({ kind: 'done', resolved: [] });
    });

    it('closes before it carries out the inserts, once, however often the command comes', async () => {
      await report();
      const command = {
        resolves: ['k'],
        inserts: [insertOf({ dedupeKey: 'k' }), insertOf({ dedupeKey: 'k' })],
      };
      const [first, repeat] = command.inserts.map(({ id }) => id);
      const done = await create(command);
      expect(done).toMatchObject({ resolved: [{ dedupeKey: 'k' }], outcomes: [{ created: true }, {}] });
      for (const by of [store, second]) {
        const again = await create(command, by);
        expect(again).toMatchObject({
          resolved: [],
          outcomes: [{ task: { id: first } }, { task: { id: first } }],
        });
      }
      // Also when only the part after the first order is what comes again.
      await create({ resolves: ['k'], inserts: [insertOf({ id: repeat as string, dedupeKey: 'k' })] });
      expect(await live()).toMatchObject([{ id: first, occurrences: 2 }]);
    });

    it('counts repeats of a silent task unseen, each once, until its time is up', async () => {
      const id = await silence();
      const revision = await second.revision(owner, clock.now());
      const inserts = Array.from({ length: 6 }, () => quiet());
      for (let time = 0; time < 2; time++)
        await Promise.all(
          inserts.map((order, index) => create({ inserts: [order] }, index % 2 === 0 ? store : second)),
        );
      const claim: Claim = { scope: 'intake:1', key: 'again', fingerprint: null };
      const counted = await create({ inserts: [quiet()], claim });
      expect(counted).toMatchObject({
        outcomes: [{ created: false, task: { id, occurrences: 8, expiresAt: clock.now() + 60 * MINUTE } }],
      });
      const outcomes = counted.kind === 'done' ? counted.outcomes : [];
      expect(outcomes[0]?.task.acknowledgedAt).not.toBeNull();
      expect(await create({ inserts: [quiet()], claim })).toEqual({
        kind: 'replayed',
        taskIds: [id],
        outcomes: null,
      });
      expect(await live()).toEqual([]);
      expect(await second.statistics(owner, clock.now())).toMatchObject({ total: 0 });
      expect(await second.revision(owner, clock.now())).toBe(revision);

      clock.advance(60 * MINUTE - 1);
      await sweep();
      expect(await restorable()).toEqual([]);
      const late = quiet(1);
      expect(await create({ inserts: [late] })).toMatchObject({
        outcomes: [{ created: false, task: { id } }],
      });
      clock.advance(MINUTE);
      const fresh = quiet();
      expect(await create({ inserts: [fresh] })).toMatchObject({
        outcomes: [{ created: true, task: { id: fresh.id, occurrences: 1 } }],
      });
      expect(await create({ inserts: [late] })).toMatchObject({
        outcomes: [{ created: false, task: { id } }],
      });
      expect(await idsOf()).toEqual([fresh.id]);
    });

    it('makes a new task of the next report after a silent one was closed', async () => {
      const id = await silence();
      expect(await create({ resolves: ['k'] })).toMatchObject({ resolved: [] });
      expect(await restorable()).toEqual([id]);
      const fresh = quiet();
      expect(await create({ inserts: [fresh] })).toMatchObject({ outcomes: [{ created: true }] });
      expect(await idsOf()).toEqual([fresh.id]);
    });

    it('brings a silent task back with its key and with what was counted', async () => {
      const id = await silence();
      await report();
      expect(await restore(id)).toMatchObject({ dedupeKey: 'k', occurrences: 2, acknowledgedAt: null });
      expect(await report()).toMatchObject({ outcomes: [{ created: false, task: { id, occurrences: 3 } }] });
      expect(await create({ resolves: ['k'] })).toMatchObject({ resolved: [{ id }] });
    });

    it('forgets that a closed task was over once it was restored and is reported again', async () => {
      const id = await silence();
      await restore(id);
      await create({ resolves: ['k'] });
      expect(await restore(id)).toMatchObject({ metadata: { [RESOLVED_AT]: expect.any(String) } });
      await create({ inserts: [quiet()] });
      expect((await live())[0]?.metadata).toEqual({});
      // So that the next acknowledgement of a person silences it again.
      await acknowledge(id);
      expect(await create({ inserts: [quiet()] })).toMatchObject({ outcomes: [{ created: false }] });
      expect(await live()).toEqual([]);
    });

    it('lets a live task with the key go before a silent one', async () => {
      const first = insertOf({ dedupeKey: 'k' });
      await create({ inserts: [first] });
      await acknowledge(first.id);
      const silent = await silence();
      expect(await restore(first.id)).toMatchObject({ dedupeKey: 'k' });
      const repeated = await report();
      expect(repeated).toMatchObject({ outcomes: [{ created: false, task: { id: first.id } }] });
      expect(await restore(silent)).toMatchObject({ dedupeKey: null });
      expect(await create({ resolves: ['k'] })).toMatchObject({ resolved: [{ id: first.id }] });
      expect(await idsOf()).toEqual([silent]);
    });

    it('lets a silent task whose key a live one took keep nobody quiet any more', async () => {
      const first = insertOf({ dedupeKey: 'k' });
      await create({ inserts: [first] });
      await acknowledge(first.id);
      await silence();
      await restore(first.id);
      await acknowledge(first.id);
      expect(await report()).toMatchObject({ outcomes: [{ created: true }] });
    });

    it('keeps a silent task for as long as it is silent, and not longer', async () => {
      const id = await silence(20);
      const isStored = async () => {
        await sweep();
        let seen = false;
        await store.change(owner, [id], () => {
          seen = true;
          return null;
        });
        return seen;
      };
      clock.advance(UNDO_WINDOW_MS);
      expect(await isStored()).toBe(true);
      clock.advance(20 * MINUTE);
      expect(await isStored()).toBe(false);
    });
  });
}
