// The promises of the port RateLimiter, for every driver. Whose clock times the windows is the driver's
// business: the harness lets time pass on it, by moving a clock that the test owns or by waiting for one that
// nobody can move.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { RateLimiter, RateVerdict, RateWindow } from '#core/ports/rate-limiter.ts';

export interface LimiterUnderTest {
  /** Limiters that share their count. */
  limiters: RateLimiter[];
  /** Lets this many milliseconds pass on the clock that times the windows. */
  pass(ms: number): Promise<void>;
  /** Sets the wall clock back, as far as it has anything to do with the windows that are counted now. */
  setBack(ms: number): Promise<void>;
  dispose(): Promise<void>;
}

export interface LimiterHarness {
  create(): Promise<LimiterUnderTest>;
}

const MINUTE: RateWindow = { name: 'minute', limit: 100, seconds: 60 };
const HOUR: RateWindow = { name: 'hour', limit: 150, seconds: 3600 };
const BRIEF: RateWindow = { name: 'brief', limit: 3, seconds: 2 };

export function describeRateLimiter(name: string, harness: LimiterHarness): void {
  describe(`rate limiter: ${name}`, () => {
    let under: LimiterUnderTest;
    let limiter: RateLimiter;

    beforeEach(async () => {
      under = await harness.create();
      limiter = under.limiters[0] as RateLimiter;
    });
    afterEach(() => under.dispose());

    const take = async (bucket: string, ...windows: RateWindow[]): Promise<RateVerdict> =>
      limiter.take(bucket, windows);
    const remaining = ({ states }: RateVerdict) => states.map((state) => state.remaining);
    async function count(bucket: string, times: number, ...windows: RateWindow[]): Promise<number> {
      let allowed = 0;
      for (let time = 0; time < times; time++) if ((await take(bucket, ...windows)).allowed) allowed++;
      return allowed;
    }

    it('lets exactly as many through as the limit says, and counts down', async () => {
      for (let left = 99; left >= 0; left--)
        expect(await take('a', MINUTE)).toMatchObject({ allowed: true, states: [{ remaining: left }] });
      expect(await take('a', MINUTE)).toMatchObject({ allowed: false, states: [{ remaining: 0 }] });
    });

    it('lets exactly as many through of those that come at once, whichever limiter they meet', async () => {
      const verdicts = await Promise.all(
        Array.from({ length: 320 }, async (_, index) => {
          const any = under.limiters[index % under.limiters.length] as RateLimiter;
          return any.take('a', [MINUTE]);
        }),
      );
      expect(verdicts.filter(({ allowed }) => allowed)).toHaveLength(100);
    });

    it('answers for each window asked about, in the same order', async () => {
      const { states } = await take('a', HOUR, MINUTE);
      expect(states.map(({ window }) => window)).toEqual([HOUR, MINUTE]);
      expect(remaining(await take('a', HOUR, MINUTE))).toEqual([148, 98]);
    });

    it('counts a refused request in no window', async () => {
      expect(await count('a', 110, BRIEF, HOUR)).toBe(3);
      await under.pass(2000);
      expect(remaining(await take('a', BRIEF, HOUR))).toEqual([2, 146]);
    });

    it('begins a window with the first request counted, and anew when it has ended', async () => {
      expect(await count('a', 4, BRIEF)).toBe(3);
      await under.pass(2000);
      const { allowed, states } = await take('a', BRIEF);
      expect(allowed).toBe(true);
      expect(states[0]?.remaining).toBe(2);
      expect(states[0]?.resetMs).toBeGreaterThan(1000);
      expect(states[0]?.resetMs).toBeLessThanOrEqual(2000);
    });

    it('tells how long a window still lasts, no longer than it is', async () => {
      const first = await take('a', MINUTE);
      await under.pass(50);
      const second = await take('a', MINUTE);
      const [before = 0, after = 0] = [first, second].map(({ states }) => states[0]?.resetMs);
      expect(before).toBeLessThanOrEqual(60_000);
      expect(before).toBeGreaterThan(55_000);
      expect(after).toBeLessThanOrEqual(before - 50);
    });

    it('counts a window that a bucket is given later from then on, and one that it loses no longer', async () => {
      expect(remaining(await take('a', MINUTE))).toEqual([99]);
      expect(remaining(await take('a', MINUTE, HOUR))).toEqual([98, 149]);
      expect(remaining(await take('a', HOUR, MINUTE))).toEqual([148, 97]);
      expect(remaining(await take('a', MINUTE))).toEqual([96]);
      expect(remaining(await take('a', BRIEF, MINUTE, HOUR))).toEqual([2, 95, 147]);
    });

    it('locks nobody out for longer than the window when the wall clock was ahead and is set back', async () => {
      expect(await count('a', 4, BRIEF)).toBe(3);
      await under.setBack(2 * 24 * 60 * 60_000);
      await under.pass(2000);
      expect((await take('a', BRIEF)).allowed).toBe(true);
      expect((await take('a', BRIEF)).states[0]?.resetMs).toBeLessThanOrEqual(2000);
    });

    it('counts each bucket by itself', async () => {
      expect(await count('a', 4, BRIEF)).toBe(3);
      expect(await count('b', 1, BRIEF)).toBe(1);
    });
  });
}
