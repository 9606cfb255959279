// A process that ends between any two operations: the next attempt finishes what was begun, and nothing is
// lost or doubled.
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { taskIdsOf } from '#core/domain/submission-outcome.ts';
import { acknowledgeTask, pinTask, restoreTask, type Task } from '#core/domain/task.ts';
import type { Storage } from '#core/ports/storage.ts';
import type { SubmissionOutcome } from '#core/domain/submission-outcome.ts';
import type { Claim, TaskInsert } from '#core/domain/submission.ts';
import { createFakeClock } from '#test/helpers/clock.ts';
import { keyOf, newOwner, insertOf, userOf } from '#test/helpers/records.ts';
import { createEnd, cutEverywhere, CUTS, type Processes } from '#test/services/mongo-cuts.ts';
import { createMongoHarness, type MongoUnderTest } from '#test/services/mongo-harness.ts';
import { describeWith, sharedMongo } from '#test/services/services.ts';
import { submissionOf } from '#test/helpers/submissions.ts';
import { CLAIM_LEASE_MS } from './claims.ts';

describeWith('a process that ends in between', await sharedMongo(), ({ url }) => {
  const clock = createFakeClock();
  const end = createEnd();
  let harness: MongoUnderTest;
  let dying: Storage;
  let other: Storage;
  let both: Processes;

  beforeAll(async () => {
    harness = createMongoHarness(url);
    dying = await harness.open(clock, { hook: end });
    other = await harness.open(clock);
    both = { end, dying, other, passLease: () => void clock.advance(CLAIM_LEASE_MS) };
  });
  afterEach(() => harness.empty());
  afterAll(() => harness.drop());

  const create = (storage: Storage, ownerId: string, inserts: TaskInsert[], claim?: Claim) =>
    storage.tasks.create(
      submissionOf({ ownerId, inserts, at: clock.now(), ...(claim === undefined ? {} : { claim }) }),
    );
  const live = async (owner: string): Promise<readonly Task[]> =>
    (await other.tasks.list({ ownerId: owner, filter: {}, limit: 1000, offset: 0, now: clock.now() })).tasks;
  const apply = (storage: Storage, owner: string, id: string, rule: (task: Task) => Task | null) =>
    storage.tasks.change(owner, [id], rule);
  const occurrences = (tasks: readonly Task[]) => tasks.map((task) => task.occurrences).toSorted();

  function expectSame(outcome: SubmissionOutcome, count: number): void {
    if (outcome.kind !== 'done' && outcome.kind !== 'replayed') throw new Error(`unexpected ${outcome.kind}`);
    expect(taskIdsOf(outcome)).toHaveLength(count);
  }

  describe.each(CUTS)('$at an operation, and lives: $lives', (cut) => {
    it('makes a task of an order once', () =>
      cutEverywhere(
        cut,
        both,
        () => Promise.resolve({ owner: newOwner(), inserts: [insertOf(), insertOf(), insertOf()] }),
        (storage, { owner, inserts }) => create(storage, owner, inserts),
        async ({ owner, inserts }, survivor) => {
          for (let time = 0; time < 2; time++) expectSame(await create(survivor, owner, inserts), 3);
          expect(await live(owner)).toHaveLength(3);
        },
      ));

    it('carries out a claim once, with other ids at the second attempt', () =>
      cutEverywhere(
        cut,
        both,
        () => Promise.resolve({ owner: newOwner(), key: newOwner() }),
        (storage, { owner, key }) =>
          create(storage, owner, [insertOf(), insertOf()], { scope: 's', key, fingerprint: 'f' }),
        async ({ owner, key }, survivor) => {
          const claim = { scope: 's', key, fingerprint: 'f' };
          const first = await create(survivor, owner, [insertOf(), insertOf()], claim);
          expectSame(first, 2);
          const again = await create(survivor, owner, [insertOf(), insertOf()], claim);
          expect(again).toMatchObject({ kind: 'replayed', outcomes: 'outcomes' in first && first.outcomes });
          expect(await live(owner)).toHaveLength(2);
        },
      ));

    it('gives a dedupe key to one task, whether the first sender or another comes back', () =>
      cutEverywhere(
        cut,
        both,
        () => Promise.resolve({ owner: newOwner(), order: insertOf({ dedupeKey: 'k' }) }),
        (storage, { owner, order }) => create(storage, owner, [order]),
        async ({ owner, order }, survivor) => {
          const another = insertOf({ dedupeKey: 'k' });
          for (const one of [another, order, order, another]) await create(survivor, owner, [one]);
          expect(occurrences(await live(owner))).toEqual([2]);
        },
      ));

    it('counts a repeat once', () =>
      cutEverywhere(
        cut,
        both,
        async () => {
          const owner = newOwner();
          await create(dying, owner, [insertOf({ dedupeKey: 'k' })]);
          return { owner, order: insertOf({ dedupeKey: 'k' }) };
        },
        (storage, { owner, order }) => create(storage, owner, [order]),
        async ({ owner, order }, survivor) => {
          for (let time = 0; time < 3; time++) {
            const outcome = await create(survivor, owner, [order]);
            expect(outcome).toMatchObject({ outcomes: [{ created: false }] });
          }
          expect(occurrences(await live(owner))).toEqual([2]);
        },
      ));

    it('counts a repeat once also when its task was acknowledged before it came back', () =>
      cutEverywhere(
        cut,
        both,
        async () => {
          const owner = newOwner();
          const first = insertOf({ dedupeKey: 'k' });
          await create(dying, owner, [first]);
          return { owner, first, order: insertOf({ dedupeKey: 'k' }) };
        },
        (storage, { owner, order }) => create(storage, owner, [order]),
        async ({ owner, first, order }, survivor) => {
          const changes = await apply(survivor, owner, first.id, (task) =>
            acknowledgeTask(task, clock.now()),
          );
          const counted = changes[0]?.before.occurrences === 2;
          for (let time = 0; time < 2; time++) await create(survivor, owner, [order]);
          // Counted on the task that is gone, or a task of its own: one of the two.
          expect(await live(owner)).toHaveLength(counted ? 0 : 1);
        },
      ));

    it('passes a dedupe key on to one new task after the acknowledgement', () =>
      cutEverywhere(
        cut,
        both,
        async () => {
          const owner = newOwner();
          const first = insertOf({ dedupeKey: 'k' });
          await create(dying, owner, [first]);
          await apply(dying, owner, first.id, (task) => acknowledgeTask(task, clock.now()));
          return { owner, order: insertOf({ dedupeKey: 'k' }) };
        },
        (storage, { owner, order }) => create(storage, owner, [order]),
        async ({ owner, order }, survivor) => {
          for (const one of [order, insertOf({ dedupeKey: 'k' }), order])
            await create(survivor, owner, [one]);
          expect(occurrences(await live(owner))).toEqual([2]);
        },
      ));

    it('carries out a claimed batch with repeats in it once', () =>
      cutEverywhere(
        cut,
        both,
        () => Promise.resolve({ owner: newOwner(), key: newOwner() }),
        (storage, { owner, key }) => create(storage, owner, mixed(), { scope: 's', key, fingerprint: null }),
        async ({ owner, key }, survivor) => {
          for (let time = 0; time < 2; time++)
            expectSame(
              await create(survivor, owner, mixed(), { scope: 's', key, fingerprint: null }),
              mixed().length,
            );
          expect(occurrences(await live(owner))).toEqual([1, 1, 2]);
        },
      ));

    it('restores a task, and leaves no two live tasks with one key', () =>
      cutEverywhere(
        cut,
        both,
        async () => {
          const owner = newOwner();
          const order = insertOf({ dedupeKey: 'k' });
          await create(dying, owner, [order]);
          await apply(dying, owner, order.id, (task) => acknowledgeTask(task, clock.now()));
          return { owner, order };
        },
        (storage, { owner, order }) =>
          apply(storage, owner, order.id, (task) => restoreTask(task, clock.now())),
        async ({ owner, order }, survivor) => {
          await create(survivor, owner, [insertOf({ dedupeKey: 'k' })]);
          await apply(survivor, owner, order.id, (task) => restoreTask(task, clock.now()));
          const tasks = await live(owner);
          expect(tasks.map(({ id }) => id)).toContain(order.id);
          expect(tasks.filter(({ dedupeKey }) => dedupeKey === 'k')).toHaveLength(1);
          expect(occurrences(tasks).reduce((sum, one) => sum + one, 0)).toBe(2);
        },
      ));

    it('changes a task once or not at all, and shows it in the revision', () =>
      cutEverywhere(
        cut,
        both,
        async () => {
          const owner = newOwner();
          const order = insertOf();
          await create(dying, owner, [order]);
          return { owner, order, revision: await other.tasks.revision(owner, clock.now()) };
        },
        (storage, { owner, order }) =>
          apply(storage, owner, order.id, (task) => pinTask(task, true, clock.now())),
        async ({ owner, order, revision }, survivor) => {
          const [task] = await live(owner);
          const now = await survivor.tasks.revision(owner, clock.now());
          expect(now === revision).toBe(task?.version === 1);
          await apply(survivor, owner, order.id, (task) => pinTask(task, true, clock.now()));
          expect(await live(owner)).toMatchObject([{ version: 2, pinned: true }]);
        },
      ));

    it('makes one user of an e-mail address', () =>
      cutEverywhere(
        cut,
        both,
        () => Promise.resolve(userOf()),
        (storage, user) => storage.accounts.ensureUser(user),
        async ({ email }, survivor) => {
          const { user } = await survivor.accounts.ensureUser(userOf({ email }));
          expect(await survivor.accounts.ensureUser(userOf({ email }))).toEqual({ user, created: false });
          expect(await other.accounts.findUserByEmail(email)).toEqual(user);
          const all = await other.accounts.listUsers();
          expect(all.filter((one) => one.email === email)).toHaveLength(1);
        },
      ));

    it('never admits a key too many, and loses no place for good', () =>
      cutEverywhere(
        cut,
        both,
        async () => {
          const { user } = await dying.accounts.ensureUser(userOf());
          return user;
        },
        (storage, user) => storage.accounts.createKey(keyOf(user.id), 2),
        async (user, survivor) => {
          const before = (await other.accounts.listKeys(user.id)).length;
          await survivor.accounts.createKey(keyOf(user.id), 2);
          await survivor.accounts.createKey(keyOf(user.id), 2);
          expect((await other.accounts.listKeys(user.id)).length).toBeLessThanOrEqual(2);
          clock.advance(60_000);
          if (before === 0) await survivor.accounts.createKey(keyOf(user.id), 2);
          expect(await other.accounts.listKeys(user.id)).toHaveLength(2);
          expect(await survivor.accounts.createKey(keyOf(user.id), 2)).toBe(false);
        },
      ));
  });

  it('keeps nobody from a claim that was made while the clock was ahead, once it is right', async () => {
    const [owner, key] = [newOwner(), newOwner()];
    const claim = { scope: 's', key, fingerprint: 'f' };
    const day = 24 * 60 * 60_000;
    clock.jump(2 * day);
    end.plan(1, { at: 'before', lives: false });
    await expect(create(dying, owner, [insertOf()], claim)).rejects.toThrow('ends here');
    clock.jump(-2 * day);
    expectSame(await create(other, owner, [insertOf()], claim), 1);
    end.lift();
    expect(await live(owner)).toHaveLength(1);
  });

  it('keeps others from a claim for as long as its holder may be at work, and not longer', async () => {
    const [owner, key] = [newOwner(), newOwner()];
    const claim = { scope: 's', key, fingerprint: 'f' };
    end.plan(1, { at: 'before', lives: false });
    await expect(create(dying, owner, [insertOf()], claim)).rejects.toThrow('ends here');
    clock.advance(CLAIM_LEASE_MS - 1);
    expect(await create(other, owner, [insertOf()], claim)).toEqual({ kind: 'in-progress', retryAfterMs: 1 });
    expect(await create(other, owner, [insertOf()], { ...claim, fingerprint: 'g' })).toEqual({
      kind: 'fingerprint-mismatch',
    });
    expect(await live(owner)).toEqual([]);
    clock.advance(1);
    expectSame(await create(other, owner, [insertOf()], claim), 1);
    end.lift();
    // The first holder comes to itself: it has lost nothing by it.
    expect(await create(dying, owner, [insertOf()], claim)).toMatchObject({ kind: 'replayed' });
    expect(await live(owner)).toHaveLength(1);
  });
});

const mixed = () => [
  insertOf({ dedupeKey: 'k' }),
  insertOf(),
  insertOf({ dedupeKey: 'k' }),
  insertOf({ dedupeKey: 'j' }),
];
