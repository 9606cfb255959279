import { describe, expect, test } from 'vitest';
import { SEEN } from '#core/contract/common.ts';
import { isBlank } from './blank.ts';

describe('a text is blank', () => {
  test.each([
    ['nothing at all', ''],
    ['white space of any kind', ' \t\r\n\u00A0\u2003\u3000\u2028'],
    ['zero-width spaces and joiners', '\u200B\u200C\u200D\u2060'],
    ['marks of direction', '\u200E\u200F\u061C\u202A\u202E\u2066\u2069'],
    ['soft hyphens', '\u00AD'],
    ['byte order marks', '\uFEFF'],
    ['Hangul fillers', '\u115F\u1160\u3164\uFFA0'],
    ['the Braille blank', '\u2800'],
    ['selectors and tags without what they change', '\uFE0F\u{E0001}\u{E0061}'],
    ['controls', '\0\u0007\u001B\u0085'],
    ['notes between lines and a note without a head', '\uFFF9\uFFFB\u{1D159}'],
  ])('of %s', (_, text) => {
    expect(isBlank(text)).toBe(true);
    expect(isBlank(` ${text.repeat(3)}\n`)).toBe(true);
    expect(isBlank(`${text}.${text}`)).toBe(false);
  });

  test('but not of what is seen: marks, emoji, letters of any script, and characters that came broken', () => {
    for (const text of [
      '.',
      '✓',
      '👩‍👩‍👧',
      '🏴󠁧󠁢󠁥󠁮󠁧󠁿',
      '한',
      'م',
      '\u0301',
      '⠁',
      '\u0600',
      '\uE000',
      '\uFFFD',
      '\uD83D',
    ])
      expect(isBlank(text)).toBe(false);
  });

  test('exactly where the OpenAPI document says so, as far as its pattern can say it', () => {
    const seen = new RegExp(SEEN, 'u');
    const differing = Array.from({ length: 0x1_00_00 }, (_, unit) => String.fromCharCode(unit)).filter(
      (text) => seen.test(text) === isBlank(text),
    );
    expect(differing).toEqual([]);
  });

  test('in linear time', () => {
    const started = performance.now();
    expect(isBlank(`${'\u200B'.repeat(2_000_000)}x`)).toBe(false);
    expect(performance.now() - started).toBeLessThan(1000);
  });
});
