// Deliveries are counted without waiting far from a cap, and to the one near it.
import { expect, it } from 'vitest';
import { createLocalRateLimiter } from '#adapters/memory/rate-limiter.ts';
import type { RateLimiter } from '#core/ports/rate-limiter.ts';
import { createDeliveryRateLimit } from '#core/services/delivery-rate-limit.ts';
import { createFakeClock, type FakeClock } from '#test/helpers/clock.ts';

const MINUTE = { name: 'minute', seconds: 60 };

/** A counter over a network: it counts when it is asked, and its answers arrive when they are let go. */
function distant(clock: FakeClock) {
  const counter = createLocalRateLimiter(clock);
  const arriving: (() => void)[] = [];
  let fails = false;
  const limiter: RateLimiter = {
    ...counter,
    async take(bucket, windows) {
      if (fails) throw new Error('the counter is away');
      const verdict = await counter.take(bucket, windows);
      await new Promise<void>((resolve) => arriving.push(resolve));
      return verdict;
    },
  };
  return {
    limiter,
    arrive: () => arriving.splice(0).forEach((answer) => answer()),
    fail: (on: boolean) => (fails = on),
  };
}

function createCounter(limit: number) {
  const clock = createFakeClock();
  const far = distant(clock);
  const rateLimit = createDeliveryRateLimit(far.limiter, clock);
  const windows = [{ ...MINUTE, limit }];
  return {
    ...far,
    advance: (ms: number) => void clock.advance(ms),
    /**
     * What a delivery is told while the counter's answer is still on its way; 'waits' when it is not told.
     */
    async early() {
      const told = await Promise.race([
        rateLimit.count('me', windows),
        new Promise<'waits'>((resolve) => setImmediate(resolve, 'waits')),
      ]);
      return told === 'waits' ? 'waits' : (told?.allowed ?? 'waved through');
    },
    async counted() {
      const counting = rateLimit.count('me', windows);
      await new Promise(setImmediate);
      far.arrive();
      return (await counting)?.allowed ?? 'waved through';
    },
  };
}

it('waves a delivery through when, as it knows, more than half of a cap is left, those under way included', async () => {
  const { early, arrive, counted } = createCounter(100);
  expect(await early()).toBe('waits');
  arrive();
  await new Promise(setImmediate);
  // 99 are left; after 48 that are under way 51 are, after 49 half.
  for (let each = 0; each < 49; each++) expect(await early()).toBe('waved through');
  expect(await early()).toBe('waits');
  arrive();
  await new Promise(setImmediate);
  expect(await counted()).toBe(true);
});

it('admits exactly as many as the cap when they come one by one', async () => {
  const { counted } = createCounter(100);
  const told: unknown[] = [];
  for (let each = 0; each < 110; each++) told.push(await counted());
  expect(told.filter((answer) => answer !== false)).toHaveLength(100);
  expect(told.slice(100)).toEqual(Array.from({ length: 10 }, () => false));
});

it('waits where the cap is small, when it has not heard for a second, and after a count that failed', async () => {
  const small = createCounter(99);
  expect(await small.counted()).toBe(true);
  expect(await small.early()).toBe('waits');

  const { counted, early, arrive, advance, fail } = createCounter(1000);
  await counted();
  expect(await early()).toBe('waved through');
  arrive();
  advance(1000);
  expect(await early()).toBe('waits');
  arrive();
  await new Promise(setImmediate);
  fail(true);
  expect(await early()).toBe('waved through');
  await new Promise(setImmediate);
  fail(false);
  expect(await early()).toBe('waits');
});
