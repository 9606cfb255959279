// Sweeping over a slow network, with calls that fail, and by processes that end: every expiry and waking is
// told of, once if all goes well, and nothing is removed before.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createLocalEventBus } from '#adapters/memory/event-bus.ts';
import type { Storage } from '#core/ports/storage.ts';
import { startSweeper } from '#core/services/sweeper.ts';

import { snoozeTask, type Task } from '#core/domain/task.ts';
import { createFakeClock } from '#test/helpers/clock.ts';
import { insertOf, newOwner } from '#test/helpers/records.ts';
import { submissionOf } from '#test/helpers/submissions.ts';
import { createEnd, CUTS } from '#test/services/mongo-cuts.ts';
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
        sweep: (now, limit, tell) =>
          storage.tasks.sweep(now, limit, async (due) => {
            if (due.expired.length > 0) swept.push(Promise.all([countAll('tasks'), countAll('dedupe_keys')]));
            await swept.at(-1);
            await tell(due);
          }),
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

  it.each(CUTS)(
    'tells of all that is due where a process is cut off $at any of its operations, and lives: $lives',
    async (cut) => {
      const clock = createFakeClock();
      const end = createEnd();
      const dying = await harness.open(clock, { hook: end });
      const other = await harness.open(clock);
      let cuts = 0;
      for (let happened = true; happened; cuts++) {
        const inserts = Array.from({ length: 4 }, () => insertOf({ expiryMinutes: 1 }));
        const [owner, waking] = [newOwner(), insertOf({ expiryMinutes: 60 })];
        const all = [...inserts, waking];
        await dying.tasks.create(submissionOf({ ownerId: owner, inserts: all, at: clock.now() }));
        const rule = (task: Task) => snoozeTask(task, clock.now() + MINUTE, clock.now());
        await dying.tasks.change(owner, [waking.id], rule);
        clock.advance(MINUTE);
        const told: string[] = [];
        const sweep = async ({ tasks }: Storage) =>
          tasks.sweep(clock.now(), 500, async ({ expired, woken }) => {
            told.push(...[...expired, ...woken].map(({ id }) => id));
          });
        end.plan(cuts, cut);
        const sweepAll = async (storage: Storage) => {
          while ((await sweep(storage)).more);
        };
        await sweepAll(dying).catch(() => {});
        happened = end.lift();
        // As if so much time had passed.
        await harness.db.collection('leases').deleteMany({});
        await sweepAll(cut.lives ? dying : other);
        expect([...new Set(told)].toSorted(), `${cuts}`).toEqual(all.map(({ id }) => id).toSorted());
        const { length } = told;
        await sweepAll(other);
        expect(told).toHaveLength(length);
        await harness.empty();
      }
      expect(cuts).toBeGreaterThan(8);
    },
  );
});
