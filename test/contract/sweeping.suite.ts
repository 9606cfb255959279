// Housekeeping on every driver: what is past its time goes once that was told, and a wall clock that jumps
// takes nothing with it.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createLocalEventBus } from '#adapters/memory/event-bus.ts';
import { acknowledgeTask, snoozeTask } from '#core/domain/task.ts';
import type { Due } from '#core/ports/task-store.ts';
import type { Storage } from '#core/ports/storage.ts';
import { HOLD_MS } from '#core/services/confirmed-time.ts';
import { startSweeper } from '#core/services/sweeper.ts';
import { createFakeClock, type FakeClock } from '#test/helpers/clock.ts';
import { newOwner, insertOf, sessionOf, userOf } from '#test/helpers/records.ts';
import { waitFor } from '#test/program/wait.ts';
import { submissionOf } from '#test/helpers/submissions.ts';
import type { StorageHarness, StorageUnderTest } from './harness.ts';

const MINUTE = 60_000;
const JUMP = 2 * 24 * 60 * MINUTE;

type Tell = (due: Due) => Promise<void>;

/** Runs the suite on a driver. */
export function describeSweeping(name: string, harness: StorageHarness): void {
  describe(`sweeping: ${name}`, () => {
    let clock: FakeClock;
    let under: StorageUnderTest;
    let storage: Storage;
    let sweeper: ReturnType<typeof startSweeper>;
    let rounds: number;
    let told: string[];
    /** Resolves when what was told has left the process. */
    let left: Promise<void>;
    /** Wraps what tells. */
    let interfere: ((tell: Tell) => Tell) | undefined;
    const faults: unknown[] = [];

    beforeEach(async () => {
      clock = createFakeClock();
      under = await harness.create(clock);
      storage = under.storage;
      rounds = 0;
      told = [];
      left = Promise.resolve();
      interfere = undefined;
      faults.length = 0;
      const bus = createLocalEventBus();
      bus.subscribe((event) => {
        if (event.kind === 'task') told.push(event.task.id);
      });
      sweeper = startSweeper({
        storage: {
          ...storage,
          tasks: {
            ...storage.tasks,
            sweep: (now, limit, tell) => {
              rounds++;
              return storage.tasks.sweep(now, limit, interfere?.(tell) ?? tell);
            },
          },
        },
        bus: { ...bus, flush: () => left },
        clock,
        onError: (error) => void faults.push(error),
        intervalMs: 2,
      });
    });
    afterEach(async () => {
      await sweeper.stop();
      await under.dispose();
      expect(faults).toEqual([]);
    });

    /** Resolves when a whole round has seen what the clock shows now. */
    async function look(): Promise<void> {
      const before = rounds;
      await waitFor('the sweeper to look again', () => rounds >= before + 3);
    }

    /** One of everything that goes with time. */
    async function arrange() {
      const owner = newOwner();
      const at = clock.now();
      const [short, done] = [insertOf({ expiryMinutes: 60 }), insertOf()];
      const claim = { scope: owner, key: 'once', fingerprint: null };
      await storage.tasks.create(submissionOf({ ownerId: owner, inserts: [short, done], claim, at }));
      await storage.tasks.change(owner, [done.id], (task) => acknowledgeTask(task, at));
      const { user } = await storage.accounts.ensureUser(userOf());
      const session = sessionOf(user.id, { expiresAt: at + 24 * 60 * MINUTE });
      await storage.accounts.createSession(session);
      await storage.accounts.createLink(`link of ${user.id}`, user.id, at + 15 * MINUTE);
      const submission = {
        ownerId: owner,
        adapter: 'webhook',
        inserts: [insertOf()],
        at,
        requestId: 'req_1',
      };
      const rejected = {
        id: `rej_${owner}`,
        submission,
        code: 'X',
        reason: 'x',
        attempts: 1,
        rejectedAt: at,
      };
      await storage.rejected.add(rejected);
      const stored = { adapter: 'slack', kind: 'code', key: owner, ownerId: owner };
      await storage.adapterData.put({ ...stored, value: '{}', expiresAt: at + 15 * MINUTE });
      return {
        owner,
        short,
        /** Which of them are there, now. */
        async there() {
          const now = clock.now();
          const again = await storage.tasks.create(
            submissionOf({
              ownerId: owner,
              inserts: [insertOf(), insertOf()],
              claim,
              at: now,
            }),
          );
          return {
            task: (await storage.tasks.get(owner, short.id, now)) !== null,
            undo: (await storage.tasks.listRestorable(owner, now, 10)).map(({ id }) => id === done.id),
            claim: again.kind,
            session: (await storage.accounts.getSession(session.id)) !== null,
            rejected: (await storage.rejected.get(rejected.id, now)) !== null,
            adapterData: (await storage.adapterData.get(stored, now)) !== null,
            link: await storage.accounts.consumeLink(`link of ${user.id}`, now),
          };
        },
        all: {
          task: true,
          undo: [true],
          claim: 'replayed',
          session: true,
          rejected: true,
          adapterData: true,
          link: user.id,
        },
      };
    }

    /** A task that expires and one that wakes in an hour. */
    async function arrangeDue() {
      const owner = newOwner();
      const [short, asleep] = [insertOf({ expiryMinutes: 60 }), insertOf()];
      await storage.tasks.create(submissionOf({ ownerId: owner, inserts: [short, asleep], at: clock.now() }));
      await storage.tasks.change(owner, [asleep.id], (task) =>
        snoozeTask(task, clock.now() + 60 * MINUTE, clock.now()),
      );
      return { due: [short.id, asleep.id].toSorted() };
    }

    const inProcess = async (other: Storage) => {
      const heard: string[] = [];
      for (let more = true; more;)
        ({ more } = await other.tasks.sweep(clock.now(), 500, async ({ expired, woken }) => {
          heard.push(...[...expired, ...woken].map(({ id }) => id));
        }));
      return heard.toSorted();
    };

    it('tells in another process what one that ended had not told, and takes nothing before', async () => {
      const { due } = await arrangeDue();
      await sweeper.stop();
      clock.advance(60 * MINUTE);
      const ended = new Error('the process ended');
      const dying = storage.tasks.sweep(clock.now(), 500, () => Promise.reject(ended));
      await expect(dying).rejects.toThrow();
      const second = await under.another();
      expect(await inProcess(second)).toEqual(due);
      expect(await inProcess(storage)).toEqual([]);
    });

    it('takes nothing before what it told has left the process', async () => {
      const { due } = await arrangeDue();
      await look();
      const leaving = Promise.withResolvers<void>();
      left = leaving.promise;
      const taking: boolean[] = [];
      interfere = (tell) => async (all) => {
        await tell(all);
        taking.push(true);
      };
      clock.advance(60 * MINUTE);
      await waitFor('something to be told', () => told.length > 0);
      expect(taking).toEqual([]);
      leaving.resolve();
      await waitFor('it to be taken', () => taking.length > 0 && told.length === due.length);
    });

    it('tells once what the store fails to take, and takes it later', async () => {
      const { due } = await arrangeDue();
      await look();
      let failures = 0;
      interfere = (tell) => async (all) => {
        await tell(all);
        if (failures++ < 3) throw new Error('the store cannot write');
      };
      clock.advance(60 * MINUTE);
      await waitFor('the store to take it', () => failures > 3);
      await look();
      expect(told.toSorted()).toEqual(due);
      expect(faults.splice(0)).toHaveLength(3);
      expect(await inProcess(await under.another())).toEqual([]);
    });

    it('keeps everything while the clock is two days ahead, and shows it again when it is back', async () => {
      await look();
      clock.advance(9 * MINUTE);
      const { owner, short, there, all } = await arrange();
      clock.jump(JUMP);
      // Also what is looked through less often.
      clock.advance(2 * MINUTE);
      await look();
      expect(await storage.tasks.get(owner, short.id, clock.now())).toBeNull();
      expect(told).toEqual([]);
      clock.jump(-JUMP);
      await look();
      expect(told).toEqual([]);
      expect(await there()).toEqual(all);
    });

    it('keeps everything while the clock is two days behind, and when it is right again', async () => {
      await look();
      clock.advance(9 * MINUTE);
      const { there, all } = await arrange();
      clock.jump(-JUMP);
      clock.advance(2 * MINUTE);
      await look();
      clock.jump(JUMP);
      await look();
      expect(told).toEqual([]);
      expect(await there()).toEqual(all);
    });

    it('goes on with what is past its time while the clock is ahead', async () => {
      await look();
      const { short } = await arrange();
      clock.jump(JUMP);
      await look();
      clock.advance(HOLD_MS - 1);
      await look();
      expect(told).toEqual([]);
      clock.jump(-JUMP);
      clock.advance(1);
      await look();
      expect(told).toEqual([short.id]);
    });

    it('tells at once of what ended while the machine slept', async () => {
      await look();
      const { short } = await arrange();
      clock.sleep(JUMP);
      await waitFor('the task to be told of', () => told.includes(short.id));
      await look();
      expect(told).toEqual([short.id]);
    });

    it('believes a new time once it has held for an hour', async () => {
      await look();
      const { there, short } = await arrange();
      clock.jump(JUMP);
      await look();
      clock.advance(HOLD_MS);
      await waitFor('the task to be told of', () => told.includes(short.id));
      await look();
      expect(await there()).toEqual({
        task: false,
        undo: [],
        claim: 'done',
        session: false,
        rejected: false,
        adapterData: false,
        link: null,
      });
    });
  });
}
