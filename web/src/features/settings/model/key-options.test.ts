import { describe, expect, test } from 'vitest';
import { dayOf, DEFAULT_OPTIONS, expiryOf, optionsProblem, scopesText } from './key-options.ts';

const NOW = new Date(2026, 10, 21, 9, 30).getTime();
const DAY_MS = 24 * 60 * 60_000;

describe('the end of a new key', () => {
  test('is none, so many days from now, or the end of a day where the person is', () => {
    expect(expiryOf(DEFAULT_OPTIONS, NOW)).toBeNull();
    expect(expiryOf({ ...DEFAULT_OPTIONS, expiry: '30' }, NOW)).toBe(NOW + 30 * DAY_MS);
    const date = { ...DEFAULT_OPTIONS, expiry: 'date', date: '2026-12-31' } as const;
    expect(expiryOf(date, NOW)).toBe(new Date(2027, 0, 1).getTime());
  });

  test('may be today, and is missing while the date is none or over', () => {
    const on = (date: string) => ({ ...DEFAULT_OPTIONS, expiry: 'date' as const, date });
    expect(dayOf(NOW)).toBe('2026-11-21');
    expect(optionsProblem(on('2026-11-21'), NOW)).toBeNull();
    for (const date of ['', '2026-11', '2026-11-20'])
      expect(optionsProblem(on(date), NOW)).toBe('Choose a day from today on');
  });
});

test('a key must be allowed something', () => {
  expect(optionsProblem({ ...DEFAULT_OPTIONS, scopes: [] }, NOW)).toMatch(/at least one/);
  expect(scopesText(['write', 'read'])).toBe('Read and write');
  expect(scopesText(['ingest'])).toBe('Ingest');
  expect(scopesText(['ingest', 'read', 'write'])).toBe('Read, write and ingest');
});
