// The promises of the port RejectedStore, for every driver.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { REJECTED_TTL_MS, type RejectedSubmission } from '#core/domain/submission.ts';
import type { RejectedStore } from '#core/ports/rejected-store.ts';
import type { Metadata } from '#core/domain/task.ts';
import { createFakeClock, type FakeClock } from '#test/helpers/clock.ts';
import { newOwner, insertOf } from '#test/helpers/records.ts';
import type { StorageHarness, StorageUnderTest } from './harness.ts';

/** Runs the suite on a driver. */
export function describeRejectedStore(name: string, harness: StorageHarness): void {
  describe(`rejected submissions: ${name}`, () => {
    let clock: FakeClock;
    let under: StorageUnderTest;
    let store: RejectedStore;
    let second: RejectedStore;
    let made = 0;

    beforeEach(async () => {
      clock = createFakeClock();
      under = await harness.create(clock);
      store = under.storage.rejected;
      second = (await under.another()).rejected;
    });
    afterEach(() => under.dispose());

    const rejectedOf = (fields: Partial<RejectedSubmission> = {}): RejectedSubmission => ({
      id: `rej_${String(made++).padStart(6, '0')}`,
      submission: {
        ownerId: newOwner(),
        adapter: 'webhook',
        inserts: [insertOf()],
        at: clock.now(),
        requestId: 'req_1',
      },
      code: 'SERVICE_UNAVAILABLE',
      reason: 'The store cannot be reached.',
      attempts: 8,
      rejectedAt: clock.now(),
      ...fields,
    });
    const ids = async (limit = 100) => (await store.list(clock.now(), limit)).map(({ id }) => id);

    it('keeps every field, also keys that mean something to a database, in every process', async () => {
      const metadata = JSON.parse('{"$set":{"a.b":1},"__proto__":{"c":2},"":"🛟\\u0000"}') as Metadata;
      const rejected = rejectedOf();
      const stored: RejectedSubmission = {
        ...rejected,
        submission: {
          ...rejected.submission,
          inserts: [insertOf({ metadata, dedupeKey: 'k' }), insertOf()],
          claim: { scope: 'intake:1', key: 'delivery 7', fingerprint: null },
        },
      };
      await store.add(stored);
      expect(JSON.stringify(await second.get(stored.id, clock.now()))).toBe(JSON.stringify(stored));
      expect(await second.list(clock.now(), 10)).toEqual([stored]);
      expect(await store.get('rej_none', clock.now())).toBeNull();
    });

    it('lists the latest first, up to the limit, and counts all', async () => {
      const [b, a, c] = [
        rejectedOf({ rejectedAt: clock.now() - 1 }),
        rejectedOf({ rejectedAt: clock.now() - 2 }),
        rejectedOf(),
      ];
      for (const one of [b, a, c]) await store.add(one);
      expect(await ids()).toEqual([c.id, b.id, a.id]);
      expect(await ids(2)).toEqual([c.id, b.id]);
      expect(await store.count(clock.now())).toBe(3);
    });

    it('lists no more than one answer holds, and one at the least', async () => {
      const inserts = Array.from({ length: 40 }, () => insertOf({ content: 'x'.repeat(10_000) }));
      const { submission } = rejectedOf();
      const many = Array.from({ length: 4 }, (_, index) =>
        rejectedOf({ rejectedAt: clock.now() - index, submission: { ...submission, inserts } }),
      );
      for (const one of many) await store.add(one);
      expect(await ids()).toEqual(many.slice(0, 2).map(({ id }) => id));
      const huge = rejectedOf({
        submission: { ...submission, inserts: [...inserts, ...inserts, ...inserts] },
      });
      await store.add(huge);
      expect(await ids()).toEqual([huge.id]);
    });

    it('replaces one with the same id', async () => {
      const first = rejectedOf();
      await store.add(first);
      await Promise.all([store, second].map((one) => one.add({ ...first, attempts: 9 })));
      expect(await store.list(clock.now(), 10)).toEqual([{ ...first, attempts: 9 }]);
    });

    it('tells one of many who remove it that it was there', async () => {
      const rejected = rejectedOf();
      await store.add(rejected);
      const answers = await Promise.all(
        Array.from({ length: 10 }, (_, index) => (index % 2 === 0 ? store : second).remove(rejected.id)),
      );
      expect(answers.filter(Boolean)).toHaveLength(1);
      expect(await store.get(rejected.id, clock.now())).toBeNull();
      expect(await store.remove(rejected.id)).toBe(false);
    });

    it('forgets after exactly 24 hours, purged or not, and purges nothing sooner', async () => {
      const [old, late] = [rejectedOf(), rejectedOf({ rejectedAt: clock.now() + 1 })];
      await store.add(old);
      await store.add(late);
      clock.advance(REJECTED_TTL_MS - 1);
      await store.purge(clock.now());
      expect(await store.get(old.id, clock.now())).toEqual(old);
      clock.advance(1);
      for (let round = 0; round < 2; round++) {
        expect(await store.get(old.id, clock.now())).toBeNull();
        expect(await ids()).toEqual([late.id]);
        expect(await store.count(clock.now())).toBe(1);
        await store.purge(clock.now());
      }
      expect(await store.remove(old.id)).toBe(false);
    });
  });
}
