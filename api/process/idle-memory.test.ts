import { expect, it } from 'vitest';
import { createIdleCheck } from './idle-memory.ts';

const MIB = 2 ** 20;

it('collects once the server is at rest, and again only after memory has grown by 8 MiB', () => {
  const state = { utilization: 0.5, resident: 120 * MIB, collections: 0 };
  const check = createIdleCheck({
    utilization: () => state.utilization,
    residentBytes: () => state.resident,
    collect() {
      state.collections++;
      state.resident = 90 * MIB;
    },
  });
  const collectionsAfter = (utilization: number, resident: number): number => {
    Object.assign(state, { utilization, resident });
    check();
    return state.collections;
  };
  expect(collectionsAfter(0.5, 120 * MIB)).toBe(0);
  expect(collectionsAfter(0.001, 120 * MIB)).toBe(1);
  expect(collectionsAfter(0.001, 97 * MIB)).toBe(1);
  expect(collectionsAfter(0.3, 160 * MIB)).toBe(1);
  expect(collectionsAfter(0.001, 98 * MIB)).toBe(2);
});

it('looks every second until its first collection, then every ten', () => {
  const state = { utilization: 0.5 };
  const check = createIdleCheck({
    utilization: () => state.utilization,
    residentBytes: () => 120 * MIB,
    collect: () => undefined,
  });
  expect([check(), check()]).toEqual([1000, 1000]);
  state.utilization = 0.001;
  expect([check(), check()]).toEqual([10_000, 10_000]);
});
