// When work is tried again, how long a lane rests, how many attempts it has at once, what an outbox holds.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { nextAttempt, newWork, placesAfter, restUntil, withMoreWork } from './work.ts';

const SECOND = 1000;
const HOUR = 3_600_000;

describe('work that failed', () => {
  it('is tried again later and later, and one last time after 75 hours', () => {
    const delays: number[] = [];
    let now = 0;
    for (let attempts = 1; ; attempts++) {
      const next = nextAttempt({ attempts, createdAt: 0 }, { now, random: 1 });
      if (next === null) break;
      delays.push((next - now) / SECOND);
      now = next;
    }
    expect(delays.slice(0, 9)).toEqual([5, 30, 120, 600, 1800, 7200, 18_000, 36_000, 36_000]);
    expect(now).toBe(75 * HOUR);
  });

  it('is never tried before it may be, too late, or twice at one time by rule', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 30 }),
        fc.integer({ min: 0, max: 80 * HOUR }),
        fc.integer({ min: 0, max: 100 * HOUR }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (attempts, now, notBefore, random) => {
          const next = nextAttempt({ attempts, createdAt: 0 }, { now, notBefore, random });
          if (now >= 75 * HOUR) return next === null;
          return next !== null && next > now && next <= 75 * HOUR && next >= Math.min(notBefore, 75 * HOUR);
        },
      ),
    );
  });
});

describe('a lane', () => {
  it('rests after six failures in a row, longer each time, five minutes at the most', () => {
    expect(restUntil(5, 0, 1)).toBeNull();
    expect([6, 7, 8, 40].map((failures) => restUntil(failures, 0, 1))).toEqual([
      10 * SECOND,
      20 * SECOND,
      40 * SECOND,
      300 * SECOND,
    ]);
  });

  it('has more attempts at once while they are quick, two when slow, one after a failure', () => {
    let places = 1;
    const seen = Array.from({ length: 6 }, () => (places = placesAfter(places, { ok: true, ms: 10 })));
    expect(seen).toEqual([2, 4, 8, 16, 16, 16]);
    expect(placesAfter(16, { ok: true, ms: 2001 })).toBe(2);
    expect(placesAfter(16, { ok: false, ms: 1 })).toBe(1);
  });
});

describe('an outbox', () => {
  const workOf = (lane: string, sequence: number) =>
    newWork({ id: `${sequence}`, kind: 'x', ownerId: 'o', lane, key: 'k', sequence, payload: '' }, 0);

  it('holds all in order, up to fifty; beyond, the latest of a lane stands for the one before it', () => {
    let box = withMoreWork([], [workOf('a', 1), workOf('b', 1)]);
    for (let n = 2; n <= 25; n++) box = withMoreWork(box, [workOf('a', n), workOf('b', n)]);
    expect(box).toHaveLength(50);
    for (let n = 26; n <= 90; n++) box = withMoreWork(box, [workOf('a', n), workOf('b', n)]);
    expect(box).toHaveLength(50);
    for (const lane of ['a', 'b']) {
      const sequences = box.filter((one) => one.lane === lane).map(({ sequence }) => sequence);
      expect(sequences[0]).toBe(1);
      expect(sequences.at(-1)).toBe(90);
      expect(sequences).toEqual(sequences.toSorted((x, y) => x - y));
    }
  });
});
