// The forms of Retry-After (RFC 9110, 10.2.3).
import { expect, it } from 'vitest';
import { retryAfter } from './retry-after.ts';

const NOW = Date.UTC(2026, 10, 21, 9);
const DAY = 86_400_000;

it.each([
  ['120', NOW + 120_000],
  [' 0 ', NOW],
  ['Sat, 21 Nov 2026 10:00:00 GMT', NOW + 3_600_000],
  ['Sat, 21 Nov 2020 10:00:00 GMT', NOW],
  ['999999999', NOW + DAY],
  ['soon', null],
  ['', null],
  [undefined, null],
])('%j is understood, never before now and never later than in a day', (header, at) => {
  expect(retryAfter(header, NOW)).toBe(at);
});
