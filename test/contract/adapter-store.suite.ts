// The promises of the port AdapterStore, for every driver.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { AdapterRecord } from '#core/domain/adapter-record.ts';
import type { AdapterStore } from '#core/ports/adapter-store.ts';
import { createFakeClock, type FakeClock } from '#test/helpers/clock.ts';
import { newOwner } from '#test/helpers/records.ts';
import type { StorageHarness, StorageUnderTest } from './harness.ts';

/** Runs the suite on a driver. */
export function describeAdapterStore(name: string, harness: StorageHarness): void {
  describe(`what adapters remember: ${name}`, () => {
    let clock: FakeClock;
    let under: StorageUnderTest;
    let store: AdapterStore;
    let second: AdapterStore;

    beforeEach(async () => {
      clock = createFakeClock();
      under = await harness.create(clock);
      store = under.storage.adapterData;
      second = (await under.another()).adapterData;
    });
    afterEach(() => under.dispose());

    const recordOf = (fields: Partial<AdapterRecord> = {}): AdapterRecord => ({
      adapter: 'slack',
      kind: 'link',
      key: 'T1/U1',
      ownerId: null,
      value: '{}',
      expiresAt: null,
      ...fields,
    });
    const get = (key: AdapterRecord) => second.get(key, clock.now());
    const keys = async (ownerId?: string) =>
      (await second.list('slack', 'link', clock.now(), ownerId)).map(({ key }) => key);

    it('keeps what was put, in every process, and replaces it', async () => {
      const first = recordOf({
        ownerId: newOwner(),
        value: 'a\u0000🛟'.repeat(1000),
        expiresAt: clock.now() + 1,
      });
      await store.put(first);
      expect(await get(first)).toEqual(first);
      const other = recordOf({ value: '"$set"' });
      await Promise.all([store, second].map((one) => one.put(other)));
      expect(await second.list('slack', 'link', clock.now())).toEqual([other]);
    });

    it('removes a record only as it was read, when told so', async () => {
      const read = recordOf({ value: 'read' });
      await store.put(recordOf({ value: 'put since' }));
      await second.removeUnchanged(read);
      expect(await get(read)).toMatchObject({ value: 'put since' });
      await second.removeUnchanged(recordOf({ value: 'put since' }));
      expect(await get(read)).toBeNull();
    });

    it('lets one of many who read the same give it another value, and nobody once it has expired', async () => {
      const read = recordOf({ ownerId: newOwner(), expiresAt: clock.now() + 1000 });
      await store.put(read);
      const done = await Promise.all(
        Array.from({ length: 10 }, (_, index) =>
          (index % 2 === 0 ? store : second).replace(read, `"${index}"`, clock.now()),
        ),
      );
      expect(done.filter((one) => one)).toHaveLength(1);
      const now = { ...read, value: `"${done.indexOf(true)}"` };
      expect(await get(read)).toEqual(now);
      expect(await second.replace(now, now.value, clock.now())).toBe(true);
      expect(await store.replace(now, '"later"', clock.now(), clock.now() + 2000)).toBe(true);
      Object.assign(now, { value: '"later"', expiresAt: clock.now() + 2000 });
      clock.advance(1999);
      expect(await get(read)).toEqual(now);
      clock.advance(1);
      expect(await store.replace(now, '{}', clock.now())).toBe(false);
      expect(await store.replace(recordOf({ key: 'none' }), '{}', clock.now())).toBe(false);
    });

    it('lets one of many add it, and another once that has expired', async () => {
      const added = recordOf({ ownerId: newOwner(), expiresAt: clock.now() + 1000 });
      const addAll = () =>
        Promise.all(
          Array.from({ length: 10 }, (_, index) =>
            (index % 2 === 0 ? store : second).add(
              { ...added, value: `"${index}"`, expiresAt: clock.now() + 1000 },
              clock.now(),
            ),
          ),
        );
      for (let round = 0; round < 2; round++) {
        const done = await addAll();
        expect(done.filter((one) => one)).toHaveLength(1);
        expect(await get(added)).toMatchObject({ value: `"${done.indexOf(true)}"` });
        clock.advance(1000);
      }
      await store.put(recordOf());
      expect(await second.add(added, clock.now())).toBe(false);
      expect(await get(added)).toEqual(recordOf());
    });

    it('keeps adapters, kinds and keys apart', async () => {
      const all = [
        recordOf(),
        recordOf({ adapter: 'smtp' }),
        recordOf({ kind: 'code' }),
        recordOf({ key: 't1/u1' }),
        recordOf({ adapter: 'slacklink', kind: '' }),
      ];
      for (const [index, record] of all.entries()) await store.put({ ...record, value: String(index) });
      expect(await Promise.all(all.map(async (record) => (await get(record))?.value))).toEqual(
        all.map((_, index) => String(index)),
      );
      expect(await get(recordOf({ key: 'none' }))).toBeNull();
    });

    it('lists one kind in the order of the keys, of one owner if asked', async () => {
      const [ada, bob] = [newOwner(), newOwner()];
      for (const [key, ownerId] of [
        ['b', ada],
        ['a', bob],
        ['B', null],
        ['c', ada],
      ] as const)
        await store.put(recordOf({ key, ownerId }));
      await store.put(recordOf({ kind: 'code', key: 'd', ownerId: ada }));
      expect(await keys()).toEqual(['B', 'a', 'b', 'c']);
      expect(await keys(ada)).toEqual(['b', 'c']);
      expect(await keys(newOwner())).toEqual([]);
    });

    it('gives it to one of many who take it', async () => {
      const code = recordOf({ value: 'once' });
      await store.put(code);
      const taken = await Promise.all(
        Array.from({ length: 10 }, (_, index) => (index % 2 === 0 ? store : second).take(code, clock.now())),
      );
      expect(taken.filter((one) => one !== null)).toEqual([code]);
      expect(await get(code)).toBeNull();
      await store.put({ ...code, value: 'again' });
      expect(await second.take(code, clock.now())).toMatchObject({ value: 'again' });
    });

    it('removes it for its owner, and tells whether it was there', async () => {
      const mine = recordOf({ ownerId: newOwner() });
      await store.put(mine);
      expect(await second.remove(mine, newOwner())).toBe(false);
      expect(await get(mine)).toEqual(mine);
      expect(await second.remove(mine, mine.ownerId as string)).toBe(true);
      expect(await second.remove(mine)).toBe(false);
      await store.put(recordOf());
      expect(await second.remove(recordOf(), newOwner())).toBe(false);
      expect(await second.remove(recordOf())).toBe(true);
    });

    it('is as if it were not there from the moment it expires, purged or not', async () => {
      const code = recordOf({ expiresAt: clock.now() + 1000 });
      const stored = recordOf({ key: 'kept' });
      await store.put(code);
      await store.put(stored);
      clock.advance(999);
      await store.purge(clock.now());
      expect(await get(code)).toEqual(code);
      clock.advance(1);
      for (let round = 0; round < 2; round++) {
        expect(await get(code)).toBeNull();
        expect(await second.take(code, clock.now())).toBeNull();
        expect(await keys()).toEqual(['kept']);
        await store.purge(clock.now());
      }
      expect(await store.remove(code)).toBe(false);
    });
  });
}
