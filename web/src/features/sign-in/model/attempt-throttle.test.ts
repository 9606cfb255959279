import { expect, test } from 'vitest';
import { Attempts, THROTTLE_MS } from './attempt-throttle.ts';

test('an attempt within three seconds of the previous one is ignored, a failed one included', async () => {
  let now = 1000;
  let begun = 0;
  const attempts = new Attempts(() => now);
  const fail = async () => {
    begun++;
    throw new Error('refused');
  };
  await expect(attempts.attempt(fail)).rejects.toThrow('refused');
  now += THROTTLE_MS - 1;
  expect(await attempts.attempt(fail)).toBe(false);
  now += 1;
  await expect(attempts.attempt(fail)).rejects.toThrow('refused');
  expect(begun).toBe(2);
});

test('an attempt is ignored while one is running, however long that takes', async () => {
  let now = 1000;
  const attempts = new Attempts(() => now);
  const slow = Promise.withResolvers<void>();
  const first = attempts.attempt(() => slow.promise);
  now += 10 * THROTTLE_MS;
  expect(await attempts.attempt(async () => undefined)).toBe(false);
  slow.resolve();
  expect(await first).toBe(true);
  expect(await attempts.attempt(async () => undefined)).toBe(true);
});
