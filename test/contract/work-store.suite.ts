// The promises of the port WorkStore, for every driver.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  BEHIND,
  MOST_OVER,
  MOST_WAITING,
  newWork,
  OVER_AT_ONCE,
  type Work,
  type WorkProgress,
} from '#core/domain/work.ts';
import { WORK_TTL_MS, type WorkStore } from '#core/ports/work-store.ts';
import { createFakeClock, type FakeClock } from '#test/helpers/clock.ts';
import { newOwner } from '#test/helpers/records.ts';
import { waitFor } from '#test/program/wait.ts';
import type { StorageHarness, StorageUnderTest } from './harness.ts';

const LEASE_MS = 30_000;
const HOUR = 60 * 60_000;
const NONE: ReadonlySet<string> = new Set();

/** Runs the suite on a driver. */
export function describeWorkStore(name: string, harness: StorageHarness): void {
  describe(`work that is due: ${name}`, () => {
    let clock: FakeClock;
    let under: StorageUnderTest;
    let store: WorkStore;
    let second: WorkStore;
    let owner: string;

    beforeEach(async () => {
      clock = createFakeClock();
      under = await harness.create(clock);
      store = under.storage.work;
      second = (await under.another()).work;
      owner = newOwner();
    });
    afterEach(() => under.dispose());

    const workOf = (id: string, fields: Partial<Work> = {}): Work => ({
      ...newWork(
        {
          id,
          kind: 'webhook',
          ownerId: owner,
          lane: 'a',
          key: id,
          sequence: 1,
          payload: '{"$set":"\u0000"}',
        },
        clock.now(),
      ),
      ...fields,
    });
    const over = (at: number, status: 'done' | 'failed' = 'done'): WorkProgress => ({
      dueAt: null,
      status,
      attempts: 1,
      lastAttemptAt: at,
      endedAt: at,
      result: '{"status":200}',
    });
    const take = (from = store, holder = 'one', leaseMs = LEASE_MS) =>
      from.takeLanes(holder, clock.now(), leaseMs, 10);
    const next = async (limit = 10, except = NONE, lane = 'a') =>
      (await store.next(lane, clock.now(), limit, except)).map(({ id }) => id);
    const end = async (id: string, progress = over(clock.now())) => {
      const one = await store.get(owner, 'a', id);
      if (one === null) throw new Error(`no work ${id}`);
      await store.progress(one, progress);
    };

    it('answers what was added, once, in every process, to its owner alone', async () => {
      const one = workOf('1');
      await store.add([one]);
      await second.add([{ ...one, payload: 'another' }]);
      expect(await second.get(owner, 'a', '1')).toEqual(one);
      expect(await second.list(owner, 'a', 10)).toEqual([one]);
      expect(await store.get(newOwner(), 'a', '1')).toBeNull();
      expect(await store.get(owner, 'b', '1')).toBeNull();
      expect(await store.list(newOwner(), 'a', 10)).toEqual([]);
    });

    it('makes the next of each key due when many end at once, in several lanes', async () => {
      const keys = Array.from({ length: 40 }, (_, n) => `k${n}`);
      const lanes = ['a', 'b', 'c'];
      const all = lanes.flatMap((lane) =>
        keys.flatMap((key) => [
          workOf(`${key} 1`, { lane, key, sequence: 1 }),
          workOf(`${key} 2`, { lane, key, sequence: 2, dueAt: BEHIND }),
        ]),
      );
      await store.add(all);
      const now = clock.now();
      // One attempt in each lane did not end: what is behind it waits on.
      const again = { ...over(now), status: 'waiting' as const, endedAt: null, dueAt: now + 60_000 };
      await Promise.all(
        all
          .filter(({ sequence }) => sequence === 1)
          .map((one) => store.progress(one, one.key === 'k0' ? again : over(now))),
      );
      for (const lane of lanes) {
        const expected = keys.slice(1).map((key) => `${key} 2`);
        expect((await next(100, NONE, lane)).toSorted()).toEqual(expected.toSorted());
      }
    });

    it('gives a lane to one of many, until it is left or its holder was not heard of', async () => {
      await store.add([workOf('1'), workOf('2', { lane: 'b' })]);
      const taken = await Promise.all(
        Array.from({ length: 8 }, (_, n) => take(n % 2 === 0 ? store : second, `holder ${n}`)),
      );
      expect(
        taken
          .flat()
          .map(({ id }) => id)
          .toSorted(),
      ).toEqual(['a', 'b']);
      const holder = `holder ${taken.findIndex((lanes) => lanes.some(({ id }) => id === 'a'))}`;
      expect(taken.flat()[0]).toMatchObject({ kind: 'webhook', ownerId: owner, failures: 0 });
      expect(await second.holdLane(holder, 'a', clock.now(), 40)).toBe(true);
      expect(await second.holdLane('another', 'a', clock.now(), 40)).toBe(false);
      await second.leaveLane('another', 'a', clock.now(), { restUntil: 0, failures: 9 });
      const again = await waitFor('the lease to end', async () => {
        clock.advance(20);
        const [lane] = await take(second, 'next');
        return lane;
      });
      expect(again).toMatchObject({ id: 'a', failures: 0 });
      expect(await store.holdLane(holder, 'a', clock.now(), LEASE_MS)).toBe(false);
      await second.leaveLane('next', 'a', clock.now(), { restUntil: 0, failures: 2 });
      expect(await take()).toMatchObject([{ id: 'a', failures: 2 }]);
    });

    it('takes a lane when its work is due, and after its rest, not before', async () => {
      await store.add([workOf('1')]);
      await take();
      await end('1', { ...over(0), status: 'waiting', endedAt: null, dueAt: clock.now() + 1000 });
      await store.leaveLane('one', 'a', clock.now(), { restUntil: clock.now() + 5000, failures: 7 });
      clock.advance(1000);
      await store.add([workOf('2')]);
      clock.advance(3999);
      expect(await take()).toEqual([]);
      clock.advance(1);
      expect(await take()).toMatchObject([{ id: 'a', failures: 7 }]);
      expect(await next()).toEqual(['1', '2']);
      for (const id of ['1', '2']) await end(id);
      await store.leaveLane('one', 'a', clock.now(), { restUntil: 0, failures: 0 });
      clock.advance(LEASE_MS);
      expect(await take()).toEqual([]);
    });

    it('lets a lane rest for a day, and not until a time of a clock that was ahead', async () => {
      const DAY_MS = 24 * 60 * 60_000;
      await store.add([workOf('1')]);
      await take();
      clock.jump(365 * DAY_MS);
      await store.leaveLane('one', 'a', clock.now(), { restUntil: clock.now() + 300_000, failures: 9 });
      clock.jump(-365 * DAY_MS);
      expect(await take()).toMatchObject([{ id: 'a', failures: 9 }]);
      const restUntil = clock.now() + DAY_MS;
      await store.leaveLane('one', 'a', clock.now(), { restUntil, failures: 10 });
      expect(await take()).toEqual([]);
      clock.advance(DAY_MS - 1);
      expect(await take()).toEqual([]);
      clock.advance(1);
      expect(await take()).toMatchObject([{ id: 'a', failures: 10 }]);
    });

    it('does the work of one key in its order, and of other keys meanwhile', async () => {
      await store.add([
        workOf('k2', { key: 'k', sequence: 2 }),
        workOf('k3', { key: 'k', sequence: 3 }),
        workOf('k1', { key: 'k', sequence: 1 }),
        workOf('x'),
      ]);
      expect((await next()).toSorted()).toEqual(['k1', 'x']);
      expect(await next(10, new Set(['k']))).toEqual(['x']);
      expect((await store.get(owner, 'a', 'k2'))?.dueAt).toBe(BEHIND);
      await end('x');
      // A first one that is tried again later holds up those after it.
      await end('k1', { ...over(0), status: 'waiting', endedAt: null, dueAt: clock.now() + 1000 });
      await store.add([workOf('k4', { key: 'k', sequence: 4 })]);
      expect(await next()).toEqual([]);
      clock.advance(1000);
      expect(await next()).toEqual(['k1']);
      await end('k1');
      expect(await next()).toEqual(['k2']);
      await end('k2', over(clock.now(), 'failed'));
      expect(await next()).toEqual(['k3']);
      await end('k3');
      expect(await next()).toEqual(['k4']);
    });

    it('holds up no other key by one with very much work', async () => {
      const many = Array.from({ length: 300 }, (_, n) => workOf(`k${n}`, { key: 'k', sequence: n }));
      await store.add(many);
      clock.advance(1);
      await store.add([workOf('x')]);
      expect((await next(2)).toSorted()).toEqual(['k0', 'x']);
    });

    it('frees what waits behind work that ended while its holder died', async () => {
      await store.add([workOf('k1', { key: 'k' }), workOf('k2', { key: 'k', sequence: 2 })]);
      await take();
      expect(await next()).toEqual(['k1']);
      // As if the process had ended between the end of the first and the step that frees the second.
      const first = await store.get(owner, 'a', 'k1');
      await store.progress({ ...(first as Work), key: 'another' }, over(clock.now()));
      await store.leaveLane('one', 'a', clock.now(), { restUntil: 0, failures: 0 });
      expect(await take()).toHaveLength(1);
      expect(await next()).toEqual(['k2']);
    });

    it('wakes a lane: its rest is over, and what failed is tried now', async () => {
      await store.add([workOf('1')]);
      await take();
      await end('1', { ...over(0), status: 'waiting', endedAt: null, dueAt: clock.now() + 60_000 });
      await store.leaveLane('one', 'a', clock.now(), { restUntil: clock.now() + 60_000, failures: 8 });
      expect(await take()).toEqual([]);
      await second.wakeLane('a', clock.now());
      expect(await take()).toHaveLength(1);
      expect(await next()).toEqual(['1']);
    });

    it('tells this process that it has stored work, and once which lanes have it', async () => {
      let told = 0;
      const end = under.storage.onWork(() => told++);
      await store.add([workOf('1'), workOf('2', { lane: 'b' })]);
      await waitFor('the work', () => told > 0);
      expect([...(await store.moveOwn(10)).lanes].toSorted()).toEqual(['a', 'b']);
      expect(await store.moveOwn(10)).toEqual({ lanes: [], more: false });
      await second.add([workOf('3')]);
      expect((await store.moveOwn(10)).lanes).toEqual([]);
      await store.wakeLane('a', clock.now());
      await waitFor('the lane', async () => (await store.moveOwn(10)).lanes.includes('a'));
      end();
      const before = told;
      await store.add([workOf('4')]);
      await waitFor('the lane', async () => (await store.moveOwn(10)).lanes.includes('a'));
      expect(told).toBe(before);
    });

    it('gives up all that waits in a lane, and only there', async () => {
      await store.add([workOf('1'), workOf('2'), workOf('done'), workOf('3', { lane: 'b' })]);
      await end('done');
      expect(await store.waiting('a')).toEqual({
        count: 2,
        bytes: 2 * Buffer.byteLength('{"$set":"\u0000"}'),
      });
      expect(await second.endLane('a', clock.now(), { result: '{"error":"off"}', most: 2 })).toBe(false);
      expect(await store.waiting('a')).toEqual({ count: 0, bytes: 0 });
      expect(await store.waiting('b')).toMatchObject({ count: 1 });
      expect(await store.get(owner, 'a', '1')).toMatchObject({
        status: 'failed',
        endedAt: clock.now(),
        dueAt: null,
        result: '{"error":"off"}',
      });
      expect(await store.get(owner, 'a', 'done')).toMatchObject({ status: 'done' });
      expect(await next()).toEqual([]);
    });

    it('removes what it gives up, but the latest, in parts', async () => {
      const all = Array.from({ length: 1203 }, (_, n) => workOf(`${n}`, { createdAt: clock.now() + n }));
      await store.add(all);
      let parts = 1;
      while (await second.endLane('a', clock.now(), { result: '{}', most: 3 })) parts++;
      expect(parts).toBe(3);
      const left = await store.list(owner, 'a', 2000);
      expect(left.map(({ id, status }) => [id, status])).toEqual([
        ['1202', 'failed'],
        ['1201', 'failed'],
        ['1200', 'failed'],
      ]);
      expect(await store.waiting('a')).toEqual({ count: 0, bytes: 0 });
    });

    const WRITTEN_MS = 180_000;
    it('ends the rest of a lane in which too much waits', { timeout: WRITTEN_MS }, async () => {
      const size = 4 * 1024 * 1024;
      const payload = JSON.stringify('x'.repeat(size));
      await store.add([workOf('1'), workOf('small', { lane: 'b' })]);
      await take();
      const rest = { restUntil: clock.now() + 23 * 3_600_000, failures: 9 };
      for (const lane of ['a', 'b']) await store.leaveLane('one', lane, clock.now(), rest);
      const most = MOST_WAITING.bytes / size;
      for (let n = 0; n < most - 4; n++)
        await (n % 2 === 0 ? store : second).add([workOf(`l${n}`, { payload })]);
      await second.add([workOf('2', { lane: 'b', payload })]);
      expect(await take()).toEqual([]);
      for (let n = 0; n < 8; n++) await second.add([workOf(`m${n}`, { payload })]);
      expect(await take()).toMatchObject([{ id: 'a', failures: 9 }]);
      expect((await store.waiting('a')).bytes).toBeGreaterThan(MOST_WAITING.bytes);
    });

    it('does ended work again when it is due again', async () => {
      await store.add([workOf('1')]);
      await end('1');
      expect(await next()).toEqual([]);
      await end('1', { ...over(0), status: 'waiting', endedAt: null, dueAt: clock.now() });
      await store.wakeLane('a', clock.now());
      expect(await take()).toHaveLength(1);
      expect(await next()).toEqual(['1']);
      expect(await store.get(owner, 'a', '1')).toMatchObject({ endedAt: null, attempts: 1 });
    });

    it('removes a lane with its work, and what ended a day ago', async () => {
      await store.add([workOf('1'), workOf('2'), workOf('3', { lane: 'b' })]);
      await end('1');
      clock.advance(WORK_TTL_MS - 1);
      await store.purge(clock.now());
      expect(await store.list(owner, 'a', 10)).toHaveLength(2);
      clock.advance(1);
      await store.purge(clock.now());
      expect((await store.list(owner, 'a', 10)).map(({ id }) => id)).toEqual(['2']);
      await store.removeLane('a');
      expect(await store.list(owner, 'a', 10)).toEqual([]);
      expect(await take()).toMatchObject([{ id: 'b' }]);
    });

    it('stores the latest of what is over when it is added, and all that is not', async () => {
      const line = (n: number, fields: Partial<Work> = {}) =>
        workOf(`line ${n}`, {
          key: 'line',
          dueAt: null,
          status: 'done',
          endedAt: clock.now() + 1,
          ...fields,
        });
      await store.add([workOf('waits'), workOf('is done', { key: 'other' }), line(0, { lane: 'b' })]);
      await end('is done');
      const count = MOST_OVER + 4 * OVER_AT_ONCE;
      for (let n = 0; n < count; n += OVER_AT_ONCE / 2) {
        const some = Array.from({ length: OVER_AT_ONCE / 2 }, (_, index) => n + index);
        await store.add(some.map((id) => line(id, { createdAt: clock.now() + id })));
      }
      const left = (await second.list(owner, 'a', 2 * count)).map(({ id }) => id);
      expect(left.length).toBeLessThanOrEqual(2 + MOST_OVER + OVER_AT_ONCE);
      const latest = Array.from({ length: MOST_OVER }, (_, index) => `line ${count - 1 - index}`);
      expect(left.slice(0, MOST_OVER)).toEqual(latest);
      expect(left.slice(-2).toSorted()).toEqual(['is done', 'waits']);
      expect(await second.list(owner, 'b', 10)).toHaveLength(1);
    });

    it('lists the latest first, and removes none of what waits or ended last', async () => {
      for (let n = 0; n < 5; n++) {
        clock.advance(1);
        await store.add([workOf(String(n))]);
        if (n < 4) await end(String(n));
      }
      await store.trim('a', 2);
      const left = (await store.list(owner, 'a', 10)).map(({ id }) => id);
      expect(left.slice(0, 3)).toEqual(['4', '3', '2']);
      expect((await store.list(owner, 'a', 2)).map(({ id }) => id)).toEqual(['4', '3']);
    });

    it('removes all that ended but the latest, however much that is and however much ended at once', async () => {
      const longAgo = Date.now() - HOUR;
      const ended = { status: 'done', dueAt: null } as const;
      const all = Array.from({ length: 1203 }, (_, n) =>
        workOf(String(n), { ...ended, createdAt: longAgo + n, endedAt: longAgo + Math.ceil(n / 1200) }),
      );
      await store.add([...all, workOf('waits')]);
      await store.trim('a', 2);
      expect((await store.list(owner, 'a', 10)).map(({ id }) => id).toSorted()).toEqual([
        '1201',
        '1202',
        'waits',
      ]);
    });
  });
}
