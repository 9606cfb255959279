// The time of a call is its own: what it shares with others, or sets off, does not end with it.
import { AsyncLocalStorage } from 'node:async_hooks';
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { defined } from '#core/domain/filled.ts';
import type { Claim } from '#core/domain/submission.ts';
import { newWork } from '#core/domain/work.ts';
import type { Storage } from '#core/ports/storage.ts';
import { createFakeClock } from '#test/helpers/clock.ts';
import { newOwner } from '#test/helpers/records.ts';
import { submissionOf } from '#test/helpers/submissions.ts';
import { createMongoHarness, type MongoUnderTest } from '#test/services/mongo-harness.ts';
import { describeWith, sharedMongo } from '#test/services/services.ts';
import { waitFor } from '#test/program/wait.ts';

describeWith('the time of a call', await sharedMongo(), ({ url }) => {
  const clock = createFakeClock();
  let harness: MongoUnderTest;
  let storage: Storage;
  /** Operations wait for it at their beginning. */
  let gate: Promise<void> | undefined;
  let waiting = 0;

  beforeAll(async () => {
    harness = createMongoHarness(url);
    const hook = {
      async before() {
        if (gate === undefined) return;
        waiting++;
        await gate;
      },
    };
    storage = await harness.open(clock, { hook });
  });
  afterEach(() => vi.restoreAllMocks());
  afterAll(() => harness.drop());

  const now = performance.now.bind(performance);
  let passedMs = 0;
  /** A call may take eight seconds. */
  function pass(seconds: number): void {
    passedMs += seconds * 1000;
    vi.spyOn(performance, 'now').mockImplementation(() => now() + passedMs);
  }

  const workIn = (lane: string, id: string) =>
    newWork(
      { lane, id, kind: 'webhook', ownerId: newOwner(), key: id, sequence: 1, payload: '{}' },
      clock.now(),
    );

  it('does not bound what is set off by the work that it stored', async () => {
    const told = Promise.withResolvers<typeof inContext>();
    const inContext = <R>(call: () => R): R => call();
    const end = storage.onWork(() => told.resolve(AsyncLocalStorage.snapshot()));
    await storage.work.add([workIn('lane', 'one')]);
    const later = await told.promise;
    end();
    pass(9);
    expect(await later(() => storage.work.takeLanes('me', clock.now(), 1000, 10))).toHaveLength(1);
  });

  /** Holds operations; answers how to let them go on. */
  function hold(): () => void {
    const { promise, resolve } = Promise.withResolvers<void>();
    gate = promise;
    waiting = 0;
    return () => {
      if (gate === promise) gate = undefined;
      resolve();
    };
  }
  const untilHeld = () => waitFor('an operation to be held', () => waiting > 0);

  /** The latter call begins seven seconds after the former, and both are under way two seconds later. */
  async function expectLatterToBeAnswered(former: () => Promise<unknown>, latter: () => Promise<unknown>) {
    const letGo = hold();
    const first = Promise.allSettled([former()]);
    await untilHeld();
    pass(7);
    const second = latter();
    pass(2);
    letGo();
    await Promise.all([first, second]);
  }

  it('does not bound the progress that others store in the same group', async () => {
    await storage.work.add([workIn('progress', '1'), workIn('progress', '2')]);
    const [one, two] = await storage.work.next('progress', clock.now(), 2, new Set());
    if (one === undefined || two === undefined) throw new Error('no work');
    const at = clock.now();
    const ended = { dueAt: null, lastAttemptAt: at, endedAt: at };
    const done = { ...ended, status: 'done', attempts: 1, result: '{}' } as const;
    await expectLatterToBeAnswered(
      () => storage.work.progress(one, done),
      () => storage.work.progress(two, done),
    );
    expect(await storage.work.waiting('progress')).toEqual({ count: 0, bytes: 0 });
  });

  it.each(['statistics', 'revision'] as const)(
    'does not bound the read of %s that others wait for, too',
    async (method) => {
      const ownerId = newOwner();
      const read = () => storage.tasks[method](ownerId, clock.now());
      // The first reads for itself; the two others share the read after it.
      await expectLatterToBeAnswered(() => Promise.all([read(), read()]), read);
    },
  );

  it('does not bound the look for what makes work that others wait for, too', async () => {
    const create = (claim?: Claim) =>
      storage.tasks.create(submissionOf({ at: clock.now(), ...defined({ claim }) }));
    const claimed = hold();
    const first = Promise.allSettled([create({ scope: 'intake:1', key: 'one', fingerprint: null })]);
    await untilHeld();
    // Long enough since the last look, and most of the time of the call.
    pass(7);
    const looked = hold();
    claimed();
    await untilHeld();
    const second = create();
    pass(2);
    looked();
    expect(await second).toMatchObject({ kind: 'done' });
    await first;
  });
});
