// Ids: their form, that they sort as they were made, and that none comes twice.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { base62, base62Value, createIdSource, randomCharacters } from './ids.ts';

const NOW = Date.UTC(2026, 10, 21, 9);

describe('base62', () => {
  it('is read back as the number that was written', () => {
    fc.assert(
      fc.property(fc.maxSafeNat(), (value) => {
        expect(base62Value(base62(value, 9))).toBe(value);
      }),
    );
  });
});

describe('ids', () => {
  it('are the prefix and 22 characters that are safe in a URL', () => {
    const nextId = createIdSource();
    for (let index = 0; index < 1000; index++) expect(nextId('task_', NOW)).toMatch(/^task_[0-9A-Za-z]{22}$/);
  });

  it('sort as they were made and never repeat, whatever the clock does', () => {
    const steps = fc.array(fc.integer({ min: -5000, max: 5000 }), { minLength: 1, maxLength: 200 });
    fc.assert(
      fc.property(steps, (moves) => {
        const nextId = createIdSource();
        let time = NOW;
        const ids = moves.map((move) => nextId('task_', (time += move)));
        expect(ids.toSorted()).toEqual(ids);
        expect(new Set(ids).size).toBe(ids.length);
      }),
    );
  });

  it('sort also when more are made in one millisecond than its sequence can count', () => {
    const nextId = createIdSource();
    let last = '';
    for (let index = 0; index < 62 ** 3 + 10; index++) {
      const id = nextId('', NOW);
      if (id <= last) throw new Error(`${id} after ${last}`);
      last = id;
    }
    expect(nextId('', NOW + 1000) > last).toBe(true);
  });

  it('of several sources differ although their time is the same', () => {
    const sources = Array.from({ length: 100 }, () => createIdSource()('', NOW));
    expect(new Set(sources.map((id) => id.slice(11))).size).toBe(100);
    expect(new Set(sources.map((id) => id.slice(0, 8))).size).toBe(1);
  });
});

describe('base62', () => {
  it('keeps the order of numbers in text of one width', () => {
    const number = fc.integer({ min: 0, max: 62 ** 8 - 1 });
    fc.assert(
      fc.property(number, number, (a, b) => {
        expect(base62(a, 8)).toHaveLength(8);
        expect(base62(a, 8) < base62(b, 8)).toBe(a < b);
      }),
    );
    expect(base62(0, 3)).toBe('000');
    expect(base62(61, 3)).toBe('00z');
    expect(base62(62, 3)).toBe('010');
  });
});

describe('random characters', () => {
  it('are as many as asked for and use the whole alphabet evenly', () => {
    const text = randomCharacters(62_000);
    expect(text).toMatch(/^[0-9A-Za-z]{62000}$/);
    const counts = new Map<string, number>();
    for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1);
    expect(counts.size).toBe(62);
    // 1000 each; the standard deviation is 31, so this fails by chance once in a billion runs.
    for (const count of counts.values()) expect(Math.abs(count - 1000)).toBeLessThan(220);
  });
});
