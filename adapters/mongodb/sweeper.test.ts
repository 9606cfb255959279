// Sweeping over a slow network, and with calls that fail: every expiry is told of once, and nothing is
// removed before.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createLocalEventBus } from '#adapters/memory/event-bus.ts';
import type { Storage } from '#core/ports/storage.ts';
import { startSweeper } from '#core/services/sweeper.ts';
import { createFakeClock } from '#test/helpers/clock.ts';
import { insertOf, newOwner } from '#test/helpers/records.ts';
import { submissionOf } from '#test/helpers/submissions.ts';
import { createEnd } from '#test/services/mongo-cuts.ts';
import { createMongoHarness, type MongoUnderTest } from '#test/services/mongo-harness.ts';
import { startProxy, type Proxy } from '#test/services/proxy.ts';
import { describeWith, sharedMongo } from '#test/services/services.ts';
import { waitFor } from '#test/program/wait.ts';

const MINUTE = 60_000;
const WEEK = 7 * 24 * 60 * MINUTE;
const TASKS = 1000;
const AT_ONCE = 50;

describeWith('sweeping', await sharedMongo(), ({ url }) => {
  let harness: MongoUnderTest;
  let proxy: Proxy;
  let address: string;

  beforeAll(async () => {
    harness = createMongoHarness(url);
    const far = new URL(harness.url);
    proxy = await startProxy(far.hostname, Number(far.port || 27_017));
    far.host = `127.0.0.1:${proxy.port}`;
    far.searchParams.set('directConnection', 'true');
    address = far.href;
  });
  afterAll(async () => {
    await harness.drop();
    await proxy.close();
  });

  const countAll = (name: string) => harness.db.collection(name).countDocuments({});

  it('tells of all expiries before it removes anything, once over two processes, at a round trip of 10 ms', async () => {
    const clock = createFakeClock();
    const near = await harness.open(clock);
    const owners = [newOwner(), newOwner()];
    for (let made = 0; made < TASKS; made += AT_ONCE)
      await near.tasks.create(
        submissionOf({
          ownerId: owners[(made / AT_ONCE) % 2] as string,
          inserts: Array.from({ length: AT_ONCE }, (_, index) =>
            insertOf({ dedupeKey: `${made} ${index}`, expiryMinutes: 1 }),
          ),
          at: clock.now(),
        }),
      );
    expect(await countAll('dedupe_keys')).toBe(TASKS);
    clock.advance(WEEK);

    proxy.delay(5);
    const told: string[] = [];
    const faults: unknown[] = [];
    const bus = createLocalEventBus();
    bus.subscribe((event) => void (event.kind === 'task' && told.push(event.task.id)));
    const swept: Promise<unknown>[] = [];
    /** As it is, but what is there is counted while there is still something to tell of. */
    const watched = (storage: Storage): Storage => ({
      ...storage,
      tasks: {
        ...storage.tasks,
        async sweep(now, limit) {
          const answer = await storage.tasks.sweep(now, limit);
          if (answer.expired.length > 0)
            swept.push(Promise.all([countAll('tasks'), countAll('dedupe_keys')]));
          await swept.at(-1);
          return answer;
        },
      },
    });
    const sweepers = await Promise.all(
      [1, 2].map(async () => {
        const storage = watched(await harness.open(clock, { url: address }));
        return startSweeper({
          storage,
          bus,
          clock,
          onError: (error) => void faults.push(error),
          intervalMs: 5,
        });
      }),
    );
    try {
      await waitFor('all to be told of', () => told.length >= TASKS || faults.length > 0);
      await waitFor(
        'the rest to be removed',
        async () => (await countAll('dedupe_keys')) === 0 || faults.length > 0,
      );
    } finally {
      await Promise.all(sweepers.map((sweeper) => sweeper.stop()));
      proxy.resume();
    }
    expect(faults).toEqual([]);
    expect(told).toHaveLength(TASKS);
    expect(new Set(told).size).toBe(TASKS);
    for (const counts of await Promise.all(swept)) expect(counts).toEqual([TASKS, TASKS]);
    expect(await countAll('tasks')).toBe(0);
  });

  it('tells of what it took out of the queue although the answer was lost, at every step', async () => {
    const clock = createFakeClock();
    const end = createEnd();
    const storage = await harness.open(clock, { hook: end });
    for (let operations = 0; operations < 6; operations++)
      for (const at of ['before', 'after'] as const) {
        const inserts = Array.from({ length: 3 }, () => insertOf({ expiryMinutes: 1 }));
        await storage.tasks.create(submissionOf({ ownerId: newOwner(), inserts, at: clock.now() }));
        clock.advance(MINUTE);
        end.plan(operations, { at, lives: true });
        const told: string[] = [];
        const sweep = async () => {
          const { expired, more } = await storage.tasks.sweep(clock.now(), 500);
          told.push(...expired.map(({ id }) => id));
          return more;
        };
        await sweep().catch(() => {});
        end.lift();
        await harness.db.collection('leases').deleteMany({});
        while (await sweep());
        expect(told.toSorted(), `${at} ${operations}`).toEqual(inserts.map(({ id }) => id).toSorted());
      }
  });
});
