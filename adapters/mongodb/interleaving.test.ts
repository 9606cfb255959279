// Two processes at once: one is held before each of its operations in turn while the other does all of its
// work. Whatever the order, each order counts once, a dedupe key has one live task, and both answers tell the
// same story.
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { CLAIM_TTL_MS } from '#core/contract/index.ts';
import { acknowledgeTask, restoreTask, type Task } from '#core/domain/task.ts';
import type { Storage } from '#core/ports/storage.ts';
import type { SubmissionOutcome } from '#core/domain/submission-outcome.ts';
import { createFakeClock } from '#test/helpers/clock.ts';
import { newOwner, insertOf, userOf } from '#test/helpers/records.ts';
import { createMongoHarness, type MongoUnderTest } from '#test/services/mongo-harness.ts';
import { describeWith, sharedMongo } from '#test/services/services.ts';
import { submissionOf } from '#test/helpers/submissions.ts';
import { CLAIM_LEASE_MS } from './claims.ts';

const MOST_OPERATIONS = 60;

/** Holds the n-th operation of a process until it is told to go on. */
function createHold() {
  let left = Infinity;
  let reached: (() => void) | undefined;
  let goOn: (() => void) | undefined;
  return {
    before(): void | Promise<void> {
      if (left-- !== 0) return;
      reached?.();
      return new Promise((resolve) => (goOn = resolve));
    },
    /** Resolves when the operation is reached. */
    at(operations: number): Promise<true> {
      left = operations;
      return new Promise((resolve) => (reached = () => resolve(true)));
    },
    release(): void {
      left = Infinity;
      goOn?.();
    },
  };
}

describeWith('two processes at once', await sharedMongo(), ({ url }) => {
  const clock = createFakeClock();
  const hold = createHold();
  let harness: MongoUnderTest;
  let held: Storage;
  let other: Storage;

  beforeAll(async () => {
    harness = createMongoHarness(url);
    held = await harness.open(clock, { hook: hold });
    other = await harness.open(clock);
  });
  afterEach(() => harness.empty());
  afterAll(() => harness.drop());

  const create = (storage: Storage, owner: string, order: ReturnType<typeof insertOf>) =>
    storage.tasks.create(submissionOf({ ownerId: owner, inserts: [order], at: clock.now() }));
  const live = async (owner: string) =>
    (await other.tasks.list({ ownerId: owner, filter: {}, limit: 100, offset: 0, now: clock.now() })).tasks;
  const stored = async (owner: string): Promise<Task[]> => [
    ...(await live(owner)),
    ...(await other.tasks.listRestorable(owner, clock.now(), 100)),
  ];
  const counted = (tasks: readonly Task[]) => tasks.reduce((sum, task) => sum + task.occurrences, 0);
  const acknowledge = (storage: Storage, owner: string, id: string) =>
    storage.tasks.change(owner, [id], (task) => acknowledgeTask(task, clock.now()));
  const restore = (storage: Storage, owner: string, id: string) =>
    storage.tasks.change(owner, [id], (task) => restoreTask(task, clock.now()));

  /** Runs `first` held at each of its operations, and `second` in that moment. */
  async function interleave<S, A, B>(
    prepare: () => Promise<S>,
    first: (storage: Storage, scene: S) => Promise<A>,
    second: (storage: Storage, scene: S) => Promise<B>,
    check: (scene: S, a: A, b: B) => Promise<void>,
  ): Promise<void> {
    let holds = 0;
    for (; holds < MOST_OPERATIONS; holds++) {
      const scene = await prepare();
      const reached = hold.at(holds);
      const begun = first(held, scene);
      const isHeld = await Promise.race([reached, begun.then(() => false)]);
      const b = await second(other, scene);
      hold.release();
      await check(scene, await begun, b);
      if (!isHeld) break;
    }
    expect(holds).toBeGreaterThan(0);
    expect(holds).toBeLessThan(MOST_OPERATIONS);
  }

  async function withTask() {
    const [owner, first] = [newOwner(), insertOf({ dedupeKey: 'k' })];
    await create(other, owner, first);
    return { owner, first, order: insertOf({ dedupeKey: 'k' }) };
  }
  async function withAcknowledged() {
    const scene = await withTask();
    await acknowledge(other, scene.owner, scene.first.id);
    return scene;
  }

  it('make one task of two inserts with a new key', () =>
    interleave(
      () => Promise.resolve(newOwner()),
      (storage, owner) => create(storage, owner, insertOf({ dedupeKey: 'k' })),
      (storage, owner) => create(storage, owner, insertOf({ dedupeKey: 'k' })),
      async (owner, ...answers) => {
        expect(createdIn(answers)).toBe(1);
        expect((await live(owner)).map(({ occurrences }) => occurrences)).toEqual([2]);
      },
    ));

  it('make one new task after the acknowledgement', () =>
    interleave(
      withAcknowledged,
      (storage, { owner }) => create(storage, owner, insertOf({ dedupeKey: 'k' })),
      (storage, { owner }) => create(storage, owner, insertOf({ dedupeKey: 'k' })),
      async ({ owner }, ...answers) => {
        expect(createdIn(answers)).toBe(1);
        expect((await live(owner)).map(({ occurrences }) => occurrences)).toEqual([2]);
      },
    ));

  it('count an order once that both carry out', () =>
    interleave(
      withTask,
      (storage, { owner, order }) => create(storage, owner, order),
      (storage, { owner, order }) => create(storage, owner, order),
      async ({ owner }, ...answers) => {
        expect(createdIn(answers)).toBe(0);
        expect((await live(owner)).map(({ occurrences }) => occurrences)).toEqual([2]);
      },
    ));

  it('count an order once that an attempt before them had begun, and that its task lists no more', () =>
    interleave(
      async () => {
        const scene = await withTask();
        const { owner, first, order } = scene;
        const begun = { _id: order.id, v: 1, owner, task: first.id, answer: null };
        const purgeAt = new Date(clock.now() + CLAIM_TTL_MS);
        const removable = { ...begun, purgeAt };
        await harness.db.collection<typeof begun>('applied_orders').insertOne(removable);
        return scene;
      },
      (storage, { owner, order }) => create(storage, owner, order),
      async (storage, { owner, order }) => {
        const answer = await create(storage, owner, order);
        await create(storage, owner, insertOf({ dedupeKey: 'k' }));
        return answer;
      },
      async ({ owner }, ...answers) => {
        expect(createdIn(answers)).toBe(0);
        expect((await live(owner)).map(({ occurrences }) => occurrences)).toEqual([3]);
      },
    ));

  it('count a repeat once while its task is acknowledged', () =>
    interleave(
      withTask,
      (storage, { owner, order }) => create(storage, owner, order),
      (storage, { owner, first }) => acknowledge(storage, owner, first.id),
      async ({ owner, order }) => {
        await create(other, owner, order);
        expect(counted(await stored(owner))).toBe(2);
      },
    ));

  it('count a repeat once while its task is closed, or silent', () =>
    interleave(
      async () => {
        const scene = await withTask();
        const [silent, quiet] = [
          insertOf({ dedupeKey: 'q', reopens: false }),
          insertOf({ dedupeKey: 'q', reopens: false }),
        ];
        await create(other, scene.owner, silent);
        await acknowledge(other, scene.owner, silent.id);
        return { ...scene, quiet };
      },
      (storage, { owner, order, quiet }) =>
        storage.tasks.create(submissionOf({ ownerId: owner, inserts: [order, quiet], at: clock.now() })),
      (storage, { owner }) =>
        storage.tasks.create(
          submissionOf({ ownerId: owner, inserts: [], resolves: ['k', 'q'], at: clock.now() }),
        ),
      async ({ owner, order, quiet }) => {
        for (const again of [order, quiet]) await create(other, owner, again);
        expect(counted(await stored(owner))).toBe(4);
        // Closed after the repeat or before it; in between there is nothing.
        for (const task of await live(owner)) expect(task).toMatchObject({ occurrences: 1, metadata: {} });
      },
    ));

  it.each(['create', 'restore'] as const)('leave a key to one live task when %s comes second', (second) => {
    const steps = {
      create: (storage: Storage, { owner, order }: Scene) => create(storage, owner, order),
      restore: (storage: Storage, { owner, first }: Scene) => restore(storage, owner, first.id),
    };
    type Scene = Awaited<ReturnType<typeof withAcknowledged>>;
    return interleave<Scene, unknown, unknown>(
      withAcknowledged,
      steps[second === 'create' ? 'restore' : 'create'],
      steps[second],
      async ({ owner, first }) => {
        const tasks = await live(owner);
        expect(tasks.map(({ id }) => id)).toContain(first.id);
        expect(counted(tasks)).toBe(2);
        expect(tasks.filter(({ dedupeKey }) => dedupeKey === 'k')).toHaveLength(1);
        // The one that shows the key is the one that has it.
        const again = await create(other, owner, insertOf({ dedupeKey: 'k' }));
        const holder = tasks.find(({ dedupeKey }) => dedupeKey === 'k');
        expect(again).toMatchObject({ outcomes: [{ created: false, task: { id: holder?.id } }] });
      },
    );
  });

  it('carry out a claim once when the second takes over from a first that is merely slow', () =>
    interleave(
      () => Promise.resolve({ owner: newOwner(), key: newOwner() }),
      (storage, { owner, key }) => claim(storage, owner, key),
      async (storage, { owner, key }) => {
        clock.advance(CLAIM_LEASE_MS);
        return claim(storage, owner, key);
      },
      async ({ owner }, a, b) => {
        expect(idsIn(a)).toEqual(idsIn(b));
        expect((await live(owner)).map(({ id }) => id).toSorted()).toEqual(idsIn(a).toSorted());
      },
    ));
  const claim = (storage: Storage, ownerId: string, key: string) =>
    storage.tasks.create(
      submissionOf({
        ownerId,
        inserts: [insertOf(), insertOf({ dedupeKey: 'k' })],
        claim: { scope: 's', key, fingerprint: 'f' },
        at: clock.now(),
      }),
    );

  it('make one user of an e-mail address', () =>
    interleave(
      () => Promise.resolve(userOf().email),
      (storage, email) => storage.accounts.ensureUser(userOf({ email })),
      (storage, email) => storage.accounts.ensureUser(userOf({ email })),
      (_, a, b) => {
        expect(a.user).toEqual(b.user);
        expect([a.created, b.created].filter(Boolean)).toHaveLength(1);
        return Promise.resolve();
      },
    ));
});

function outcomesIn(answer: SubmissionOutcome) {
  if (answer.kind !== 'done' && answer.kind !== 'replayed') throw new Error(`unexpected ${answer.kind}`);
  if (answer.outcomes === null) throw new Error('only ids were kept');
  return answer.outcomes;
}
const idsIn = (answer: SubmissionOutcome) => outcomesIn(answer).map(({ task }) => task.id);
const createdIn = (answers: SubmissionOutcome[]) =>
  answers.flatMap(outcomesIn).filter(({ created }) => created).length;
