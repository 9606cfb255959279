// Times are shown exactly as the platform's own formatter shows them.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { isoTime } from './time.ts';

it('a time is the same text as Date.toISOString gives, in any order of days', () => {
  const moment = fc.integer({ min: Date.UTC(1000, 0, 1), max: Date.UTC(9999, 11, 31, 23, 59, 59, 999) });
  fc.assert(
    fc.property(moment, (ms) => {
      expect(isoTime(ms)).toBe(new Date(ms).toISOString());
    }),
    { numRuns: 2000 },
  );
});
