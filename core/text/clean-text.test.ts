// What is taken out of a text, and what stays.
import { expect, test } from 'vitest';
import { cleanText } from './clean-text.ts';

test.each([
  ['colours of a terminal', 'a \u001B[1;31mred\u001B[0m\u001B(B b', 'a red b'],
  ['links of a terminal', 'a \u001B]8;;https://x.org\u0007b\u001B]8;;\u001B\\ c', 'a b c'],
  ['controls and changes of direction', 'a\u0000\u0007\u202E\u200Bb', 'ab'],
  ['lone surrogates', 'a\uD800b', 'a\uFFFDb'],
  ['padding', `a${'\u00A0\u200C'.repeat(4)}b`, 'a b'],
])('%s are taken out', (_what, text, expected) => {
  expect(cleanText(text)).toBe(expected);
});

test.each(['\n', '\r\n', '\r', '\f', '\u0085', '\u2028', '\u2029'])(
  'a line that begins with a bracket is whole after %j',
  (lineEnd) => {
    const lines = [
      '\u0007Log:',
      '[WARN] disk full',
      '(A) first',
      ')B',
      '[x] done',
      '[3d] later',
      '',
      '[m',
      ']8;; a\u0007',
    ];
    expect(cleanText(lines.join(lineEnd))).toBe(lines.join('\n').replaceAll('\u0007', ''));
  },
);
