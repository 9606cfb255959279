// What the runner of due work makes of a driver's lanes when calls take their time.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { newWork, type Work } from '#core/domain/work.ts';
import type { HeldLane, WorkStore } from '#core/ports/work-store.ts';
import { createGrace } from '#core/services/grace.ts';
import { startWorkRunner, type WorkRunner } from '#core/services/work/runner.ts';
import { createFakeClock, type FakeClock } from '#test/helpers/clock.ts';
import { newOwner } from '#test/helpers/records.ts';
import { waitFor } from '#test/program/wait.ts';
import type { StorageHarness, StorageUnderTest } from './harness.ts';

const LANE = 'a';
/** Longer than a lane is held after its last work, shorter than its turn. */
const LINGERED_MS = 3000;
/** Less than a lease, by the database's clock. */
const SOON_MS = 10_000;
const HOUR_MS = 60 * 60_000;

/** Runs the suite on a driver. */
export function describeWorkRunner(name: string, harness: StorageHarness): void {
  describe(`doing work that is due: ${name}`, () => {
    let clock: FakeClock;
    let under: StorageUnderTest;
    let runner: WorkRunner | undefined;
    const attempted: string[] = [];
    const errors: unknown[] = [];

    beforeEach(async () => {
      clock = createFakeClock();
      under = await harness.create(clock);
      attempted.length = 0;
      errors.length = 0;
    });
    afterEach(async () => {
      await runner?.stop();
      await under.dispose();
      expect(errors).toEqual([]);
    });

    function add(id: string): Promise<void> {
      const about = {
        id,
        kind: 'test',
        ownerId: newOwner(),
        lane: LANE,
        key: id,
        sequence: 1,
        payload: '{}',
      };
      return under.storage.work.add([newWork(about, clock.now())]);
    }
    function start(store: WorkStore, outcome: 'done' | 'retry' = 'done'): void {
      const attempt = (work: Work) => {
        attempted.push(work.id);
        return Promise.resolve({ outcome, result: '{}', ms: 1 });
      };
      runner = startWorkRunner({
        store,
        clock,
        graceMs: createGrace(clock),
        intervalMs: 5,
        onError: (error) => errors.push(error),
        handlers: { test: { begin: () => Promise.resolve({ attempt }) } },
      });
    }
    async function doFirst(): Promise<void> {
      await add('1');
      await waitFor('the first work', () => attempted.includes('1'));
      clock.advance(LINGERED_MS);
    }

    it('begins at once in a lane that is taken again before its holder knows that it was left', async () => {
      const { work } = under.storage;
      const taken = Promise.withResolvers<void>();
      let isLeft = false;
      start({
        ...work,
        async takeLanes(...args) {
          const lanes = await work.takeLanes(...args);
          if (isLeft && lanes.length > 0) taken.resolve();
          return lanes;
        },
        async leaveLane(...args) {
          await work.leaveLane(...args);
          if (isLeft) return;
          isLeft = true;
          await add('2');
          await taken.promise;
        },
      });
      await doFirst();
      await waitFor('the second work', () => attempted.includes('2'), SOON_MS);
      expect(attempted).toEqual(['1', '2']);
    });

    it('gives up nothing in the hour after the machine slept for days, and then what fails once more', async () => {
      const { work } = under.storage;
      const owner = newOwner();
      const about = {
        id: '1',
        kind: 'test',
        ownerId: owner,
        lane: LANE,
        key: '1',
        sequence: 1,
        payload: '{}',
      };
      await work.add([newWork(about, clock.now())]);
      const tried = (attempts: number) =>
        waitFor(`attempt ${attempts}`, async () => {
          const one = await work.get(owner, LANE, '1');
          return one?.attempts === attempts ? one : null;
        });
      clock.advance(2 * HOUR_MS);
      start(work, 'retry');
      clock.advance(2 * HOUR_MS);
      await tried(1);
      clock.sleep(4 * 24 * HOUR_MS);
      expect(await tried(2)).toMatchObject({ status: 'waiting', dueAt: clock.now() + HOUR_MS });
      clock.advance(HOUR_MS);
      expect(await tried(3)).toMatchObject({ status: 'failed', dueAt: null });
    });

    it('leaves a lane that it took twice to who has it by then', async () => {
      const { work } = under.storage;
      const left = Promise.withResolvers<void>();
      let again: HeldLane[] = [];
      let isLeft = false;
      let looks = 0;
      let asked: Promise<HeldLane[]> = Promise.resolve([]);
      start({
        ...work,
        async takeLanes(...args) {
          // The other one is first.
          if (isLeft) {
            looks++;
            return [];
          }
          asked = work.takeLanes(...args);
          const lanes = await asked;
          // As for a process that slept for longer than its lease while it worked.
          if (lanes.length === 0) return again;
          again = lanes;
          return lanes;
        },
        async leaveLane(...args) {
          isLeft = true;
          await asked;
          await work.leaveLane(...args);
          again = [];
          await add('2');
          expect(await work.takeLanes('another', clock.now(), 60_000, 1)).toHaveLength(1);
          left.resolve();
        },
      });
      await doFirst();
      await left.promise;
      await waitFor('some more looks', () => looks >= 20);
      await runner?.stop();
      expect(attempted).toEqual(['1']);
    });
  });
}
