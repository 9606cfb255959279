// What callers may hold, whatever they do in whatever order.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createAllowance, type Hold } from './allowance.ts';

const LIMITS = { perCaller: 100, inAll: 250 };

it('never lets one caller, or all of them, take more than their bound, and gives all back', () => {
  const step = fc.record({
    caller: fc.constantFrom('a', 'b', 'c', 'd'),
    bytes: fc.nat(60),
    releases: fc.option(fc.nat(20)),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
      const allowance = createAllowance(LIMITS);
      const held: { caller: string; bytes: number; hold: Hold }[] = [];
      const sum = (caller?: string) =>
        held
          .filter((one) => caller === undefined || one.caller === caller)
          .reduce((all, { bytes }) => all + bytes, 0);
      for (const { caller, bytes, releases } of steps) {
        if (releases !== null) {
          const [one] = held.splice(releases, 1);
          one?.hold.release();
          one?.hold.release();
          one?.hold.resize(1000);
        }
        const hold = allowance.take(caller, bytes);
        if (hold === 'one') expect(sum(caller) + bytes).toBeGreaterThan(LIMITS.perCaller);
        else if (hold === 'all') expect(sum() + bytes).toBeGreaterThan(LIMITS.inAll);
        else held.push({ caller, bytes, hold });
        expect(allowance.total()).toBe(sum());
        expect(sum()).toBeLessThanOrEqual(LIMITS.inAll);
        expect(sum(caller)).toBeLessThanOrEqual(LIMITS.perCaller);
      }
      for (const { hold } of held) hold.release();
      expect(allowance.total()).toBe(0);
    }),
  );
});

it('counts what a hold turned out to be', () => {
  const allowance = createAllowance(LIMITS);
  const hold = allowance.take('a', 100) as Hold;
  expect(allowance.take('a', 1)).toBe('one');
  hold.resize(30);
  expect(allowance.take('a', 70)).not.toBe('one');
  expect(allowance.total()).toBe(100);
});

it('asks for room only where all hold too much, until there is enough or none is left', () => {
  const held: Hold[] = [];
  let asked = 0;
  const allowance = createAllowance(LIMITS, () => {
    asked++;
    const oldest = held.shift();
    oldest?.release();
    return oldest !== undefined;
  });
  for (const caller of ['a', 'b', 'c', 'd', 'e']) held.push(allowance.take(caller, 50) as Hold);
  expect(asked).toBe(0);
  const large = allowance.take('f', 100) as Hold;
  expect([asked, allowance.total()]).toEqual([2, 250]);
  held.splice(0);
  expect(allowance.take('g', 10)).toBe('all');
  large.release();
  expect(typeof allowance.take('g', 10)).toBe('object');
});
